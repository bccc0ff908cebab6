#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cgns_io.h"
#include "fortran/texts.hpp"
#include "session/guard.hpp"

using namespace onecast::cgns;
using namespace onecast::cgns::fortran;

extern "C" {
// The Fortran module cgns also calls these.
int onecast_cgns_gorel(int file, char** labels, const int* numbers);
int onecast_cgns_exit_on_error(int flag);
void onecast_cgns_error(char* out, std::size_t length);
}

namespace {

/// The steps that a program passed: labels and numbers up to "end" or a blank. The lengths of the
/// labels follow the last of them.
class Steps {
 public:
  explicit Steps(va_list arguments) {
    std::vector<const char*> given;
    while (given.size() < CG_MAX_GOTO_DEPTH) {
      const char* label = va_arg(arguments, const char*);
      if (*label == ' ' || is_end(label)) break;
      given.push_back(label);
      numbers_[given.size() - 1] = *va_arg(arguments, const int*);
    }
    for (const char* label : given)
      texts_.emplace_back(Text(label, va_arg(arguments, std::size_t)));
    labels_.fill(end_.data());
    for (std::size_t i = 0; i < texts_.size(); ++i) labels_[i] = texts_[i].data();
  }

  [[nodiscard]] int count() const { return static_cast<int>(texts_.size()); }
  /// CG_MAX_GOTO_DEPTH labels, with "end" after the last step.
  char** labels() { return labels_.data(); }
  int* numbers() { return numbers_.data(); }

 private:
  static bool is_end(const char* label) {
    return std::strncmp(label, "end", 3) == 0 || std::strncmp(label, "END", 3) == 0;
  }

  std::string end_ = "end";
  std::vector<std::string> texts_;
  std::array<char*, CG_MAX_GOTO_DEPTH> labels_{};
  std::array<int, CG_MAX_GOTO_DEPTH> numbers_{};
};

void exit_with_text(int is_error, char* message) {
  if (is_error == 0) return;
  std::fprintf(stderr, "CGNS error: %s\n", message);
  std::exit(EXIT_FAILURE);
}

/// Reads the name of the region of a subregion, which may be longer than any other text.
using ReadRegion = int(int, int, int, int, char*);
int read_region(ReadRegion read, const std::array<int, 4>& which, bool is_boundary, char* out,
                std::size_t length) {
  const auto [file, base, zone, subregion] = which;
  std::array<char, kLongestName + 1> name{};
  int dimension = 0;
  GridLocation_t location{};
  PointSetType_t type{};
  cgsize_t points = 0;
  int boundary = 0;
  int connectivity = 0;
  const int status = cg_subreg_info(file, base, zone, subregion, name.data(), &dimension, &location,
                                    &type, &points, &boundary, &connectivity);
  if (status != CG_OK) return status;
  std::string text(static_cast<std::size_t>(is_boundary ? boundary : connectivity), ' ');
  const int read_status = read(file, base, zone, subregion, text.data());
  if (read_status == CG_OK) give_padded(text, out, length);
  return read_status;
}

/// The buffers for all interfaces of a base.
struct Interfaces {
  static constexpr std::size_t kRoom = kLongestName + 1;

  explicit Interfaces(std::size_t count) : names(3 * count * kRoom), pointers(3 * count) {
    for (std::size_t i = 0; i < pointers.size(); ++i) pointers[i] = names.data() + i * kRoom;
  }
  /// The names of one kind: interfaces, zones or donors.
  char** kind(std::size_t which) { return pointers.data() + which * (pointers.size() / 3); }

  std::vector<char> names;
  std::vector<char*> pointers;
};

template <class T>
std::vector<T*> rows_of(T* all, std::size_t count, std::size_t width) {
  std::vector<T*> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = all + i * width;
  return rows;
}

}  // namespace

extern "C" {

int onecast_cgns_gorel(int file, char** labels, const int* numbers) {
#define STEP(i) labels[i], numbers[i]
#define FIVE_STEPS(i) STEP(i), STEP((i) + 1), STEP((i) + 2), STEP((i) + 3), STEP((i) + 4)
  return cg_gorel(file, FIVE_STEPS(0), FIVE_STEPS(5), FIVE_STEPS(10), FIVE_STEPS(15), "end");
#undef FIVE_STEPS
#undef STEP
}

int onecast_cgns_exit_on_error(int flag) {
  return cg_error_handler(flag != 0 ? exit_with_text : nullptr);
}

void onecast_cgns_error(char* out, std::size_t length) {
  give_padded(shortened(cg_get_error(), length), out, length);
}

// Only a function with variable arguments can make a va_list.
void cg_goto_f_(const int* fn, const int* B, int* ier, ...) {
  va_list arguments;
  va_start(arguments, ier);
  Steps steps(arguments);
  va_end(arguments);
  *ier = cg_golist(*fn, *B, steps.count(), steps.labels(), steps.numbers());
}

void cg_gorel_f_(const int* fn, int* ier, ...) {
  va_list arguments;
  va_start(arguments, ier);
  Steps steps(arguments);
  va_end(arguments);
  *ier = onecast_cgns_gorel(*fn, steps.labels(), steps.numbers());
}

void cg_set_rind_zero_f_(int* ier) {
  *ier = cg_configure(CG_CONFIG_RIND_INDEX, CG_CONFIG_RIND_ZERO);
}
ONECAST_CGNS_ALSO(cg_set_rind_zero_f_, cg_set_rind_zero_f);

void cg_set_rind_core_f_(int* ier) {
  *ier = cg_configure(CG_CONFIG_RIND_INDEX, CG_CONFIG_RIND_CORE);
}
ONECAST_CGNS_ALSO(cg_set_rind_core_f_, cg_set_rind_core_f);

void cg_exit_on_error_f_(const int* flag) { onecast_cgns_exit_on_error(*flag); }
ONECAST_CGNS_ALSO(cg_exit_on_error_f_, cg_exit_on_error_f);

void cg_get_error_f_(char* errmsg, std::size_t errmsg_length) {
  onecast_cgns_error(errmsg, errmsg_length);
}

void cg_descriptor_size_f_(const int* descr_no, int* descr_size, int* ier) {
  std::array<char, kLongestName + 1> name{};
  char* text = nullptr;
  *ier = cg_descriptor_read(*descr_no, name.data(), &text);
  *descr_size = text == nullptr ? 0 : static_cast<int>(std::strlen(text));
  cg_free(text);
}
ONECAST_CGNS_ALSO(cg_descriptor_size_f_, cg_descriptor_size_f);

void cg_state_size_f_(int* size, int* ier) {
  char* text = nullptr;
  *ier = cg_state_read(&text);
  *size = text == nullptr ? 0 : static_cast<int>(std::strlen(text));
  cg_free(text);
}
ONECAST_CGNS_ALSO(cg_state_size_f_, cg_state_size_f);

void cg_subreg_bcname_read_f_(const int* fn, const int* B, const int* Z, const int* S, char* bcname,
                              int* ier, std::size_t bcname_length) {
  *ier = read_region(cg_subreg_bcname_read, {*fn, *B, *Z, *S}, true, bcname, bcname_length);
}

void cg_subreg_gcname_read_f_(const int* fn, const int* B, const int* Z, const int* S, char* gcname,
                              int* ier, std::size_t gcname_length) {
  *ier = read_region(cg_subreg_gcname_read, {*fn, *B, *Z, *S}, false, gcname, gcname_length);
}

void cg_boco_normal_write_f_(const int* fn, const int* B, const int* Z, const int* BC,
                             const cgsize_t* NormalIndex, const int* NormalListFlag,
                             const DataType_t* NormalDataType, const void* NormalList, int* ier) {
  int dimensions = 0;
  *ier = cg_index_dim(*fn, *B, *Z, &dimensions);
  if (*ier != CG_OK) return;
  std::array<int, 3> index{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i)
    index[i] = static_cast<int>(NormalIndex[i]);
  *ier = cg_boco_normal_write(*fn, *B, *Z, *BC, index.data(), *NormalListFlag, *NormalDataType,
                              NormalList);
}

void cg_1to1_read_global_f_(const int* fn, const int* B, char* connectname, char* zonename,
                            char* donorname, cgsize_t* range, cgsize_t* donor_range, int* transform,
                            int* ier, std::size_t connectname_length, std::size_t zonename_length,
                            std::size_t donorname_length) {
  int count = 0;
  int dimensions = 0;
  *ier = cg_cell_dim(*fn, *B, &dimensions);
  if (*ier == CG_OK) *ier = cg_n1to1_global(*fn, *B, &count);
  if (*ier != CG_OK) return;
  const auto rows = static_cast<std::size_t>(count);
  const auto width = static_cast<std::size_t>(dimensions);
  Interfaces found(rows);
  *ier = cg_1to1_read_global(
      *fn, *B, found.kind(0), found.kind(1), found.kind(2), rows_of(range, rows, 2 * width).data(),
      rows_of(donor_range, rows, 2 * width).data(), rows_of(transform, rows, width).data());
  if (*ier != CG_OK) return;
  for (std::size_t i = 0; i < rows; ++i) {
    give_padded(found.kind(0)[i], connectname + i * connectname_length, connectname_length);
    give_padded(found.kind(1)[i], zonename + i * zonename_length, zonename_length);
    give_padded(found.kind(2)[i], donorname + i * donorname_length, donorname_length);
  }
}

void cgio_children_names_f_(const int* cgio_num, const double* pid, const int* start,
                            const int* max_ret, const int* name_len, int* num_ret, char* names,
                            int* ier, std::size_t /*names_length*/) {
  const std::size_t room = CGIO_MAX_NAME_LENGTH + 1;
  const auto length = static_cast<std::size_t>(std::max(*name_len, 0));
  std::vector<char> found(room * static_cast<std::size_t>(std::max(*max_ret, 0)));
  *ier = cgio_children_names(*cgio_num, *pid, *start, *max_ret, static_cast<int>(room), num_ret,
                             found.data());
  if (*ier != CG_OK) return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(*num_ret); ++i)
    give_padded(found.data() + i * room, names + i * length, length);
}

}  // extern "C"
