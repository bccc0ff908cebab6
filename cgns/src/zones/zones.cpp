#include <algorithm>

#include "api/lookup.hpp"

using namespace onecast::cgns;

namespace {

/// Checks the numbers of vertices, cells and boundary vertices, each in `dimensions` directions.
void check_sizes(const cgsize_t* size, ZoneType_t type, std::size_t dimensions) {
  if (size == nullptr) throw Failure("the sizes of the zone are NULL");
  for (std::size_t i = 0; i < dimensions; ++i) {
    const cgsize_t vertices = size[i];
    const cgsize_t cells = size[i + dimensions];
    if (vertices < 1 || cells < 0)
      throw failure("a zone has ", vertices, " vertices and ", cells, " cells in dimension ",
                    i + 1);
    if (type == Structured && vertices != cells + 1)
      throw failure("a structured zone has ", vertices, " vertices and ", cells,
                    " cells, not one less, in dimension ", i + 1);
  }
}

}  // namespace

extern "C" {

int cg_nzones(int fn, int B, int* nzones) {
  return guarded(__func__, [&] { *nzones = count(base_at(for_reading(fn), B), Label::Zone); });
}

int cg_zone_read(int fn, int B, int Z, char* zonename, cgsize_t* size) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    const auto sizes =
        read_numbers<cgsize_t>(zone, 3 * static_cast<std::size_t>(index_dimension(zone)));
    give_name(zone, zonename);
    std::ranges::copy(sizes, size);
  });
}

int cg_zone_type(int fn, int B, int Z, ZoneType_t* type) {
  return guarded(__func__, [&] {
    Node* node = single(zone_at(opened(fn), B, Z), Label::ZoneType);
    *type = node == nullptr ? Structured : read_enum<ZoneType_t>(*node, ZoneTypeName);
  });
}

int cg_zone_id(int fn, int B, int Z, double* zone_id) {
  return guarded(__func__, [&] { *zone_id = session().ids.id_of(zone_at(for_reading(fn), B, Z)); });
}

int cg_zone_write(int fn, int B, const char* zonename, const cgsize_t* size, ZoneType_t type,
                  int* Z) {
  return guarded(__func__, [&] {
    Node& base = base_at(for_writing(fn), B);
    if (type != Structured && type != Unstructured)
      throw Failure(std::to_string(type) + " is no type of zone that can be written");
    const auto dimensions =
        type == Structured ? static_cast<std::size_t>(cell_dimension(base)) : std::size_t{1};
    check_sizes(size, type, dimensions);
    Node& zone = create(base, zonename, Label::Zone,
                        Value::numbers(std::span(size, 3 * dimensions), {dimensions, 3}), Z);
    create(zone, "ZoneType", Label::ZoneType, Value::text(enum_text(type, ZoneTypeName)));
  });
}

int cg_index_dim(int fn, int B, int Z, int* index_dim) {
  return guarded(__func__, [&] { *index_dim = index_dimension(zone_at(opened(fn), B, Z)); });
}

}  // extern "C"
