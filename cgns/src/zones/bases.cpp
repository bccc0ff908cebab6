#include <array>

#include "api/lookup.hpp"

using namespace onecast::cgns;

extern "C" {

int cg_nbases(int fn, int* nbases) {
  return guarded(__func__, [&] { *nbases = count(for_reading(fn).root(), Label::CGNSBase); });
}

int cg_base_read(int fn, int B, char* basename, int* cell_dim, int* phys_dim) {
  return guarded(__func__, [&] {
    Node& base = base_at(for_reading(fn), B);
    give_name(base, basename);
    *cell_dim = cell_dimension(base);
    *phys_dim = physical_dimension(base);
  });
}

int cg_base_id(int fn, int B, double* base_id) {
  return guarded(__func__, [&] { *base_id = session().ids.id_of(base_at(for_reading(fn), B)); });
}

int cg_base_write(int fn, const char* basename, int cell_dim, int phys_dim, int* B) {
  return guarded(__func__, [&] {
    OpenFile& file = for_writing(fn);
    if (cell_dim < 1 || cell_dim > 3 || phys_dim < cell_dim || phys_dim > 3)
      throw failure("the dimensions ", cell_dim, " and ", phys_dim,
                    " are not 1..3, or the first is larger");
    create(file.root(), basename, Label::CGNSBase,
           Value::numbers(std::span<const int>(std::array{cell_dim, phys_dim})), B);
  });
}

int cg_cell_dim(int fn, int B, int* cell_dim) {
  return guarded(__func__, [&] { *cell_dim = cell_dimension(base_at(opened(fn), B)); });
}

}  // extern "C"
