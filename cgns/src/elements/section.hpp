#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/lookup.hpp"
#include "transfer/transfer.hpp"

/// Sections of elements. All functions throw Failure.
namespace onecast::cgns {

/// Indices [begin, end), counted from 0, of elements in a section or of entries in a connectivity.
struct Interval {
  std::uint64_t begin = 0, end = 0;

  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

inline constexpr const char* kConnectivity = "ElementConnectivity";
inline constexpr const char* kStartOffset = "ElementStartOffset";
inline constexpr const char* kElementRange = "ElementRange";

/// The largest absolute value of an element number. The limit ensures that the number of entries
/// does not overflow.
inline constexpr std::int64_t kLargestNumber = std::int64_t{1} << 54U;
void require_numbers(const std::string& section, std::int64_t first, std::int64_t last);

/// True for NGON_n, NFACE_n and MIXED, whose ElementStartOffset tells where elements begin.
bool has_offsets(ElementType_t type);
/// The number of nodes of an element; 0 if it varies, or if there is no such type.
int nodes_of(int type);
/// The name of a type, such as "TRI_3"; its number if it has no name.
std::string name_of(ElementType_t type);
void require_fixed_size(ElementType_t type);
void require_offsets(ElementType_t type);

/// A section in the form of version 4.0, whatever the version of the file: its types of elements
/// have the numbers of enums.toml, and NGON_n, NFACE_n and MIXED have offsets. Valid until the
/// section is written.
class Section {
 public:
  explicit Section(Node& node);

  [[nodiscard]] Node& node() const { return *node_; }
  [[nodiscard]] ElementType_t type() const { return type_; }
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  [[nodiscard]] int last_boundary() const { return last_boundary_; }
  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(last_ - first_) + 1;
  }
  [[nodiscard]] bool is_fixed_size() const { return nodes_of(type_) > 0; }
  /// True if the connectivity has the form of a version before 4.0.
  [[nodiscard]] bool is_old() const;

  /// Returns the indices of elements by their numbers, which must be in the section.
  [[nodiscard]] Interval elements(std::int64_t start, std::int64_t end) const;
  [[nodiscard]] Interval all() const { return {0, count()}; }

  /// The number of entries of the connectivity, and the entries of some elements.
  [[nodiscard]] std::uint64_t entries() const;
  [[nodiscard]] Interval entries_of(Interval elements) const;
  /// The positions at which elements begin, and at which the last one ends. Not for elements of
  /// fixed size.
  [[nodiscard]] std::vector<std::int64_t> offsets(Interval elements) const;
  /// @param type I4 or I8
  void read_offsets(Interval elements, ValueType type, void* out) const;
  void read_connectivity(Interval entries, ValueType type, void* out) const;

  [[nodiscard]] Node& connectivity() const;
  [[nodiscard]] Node& start_offset() const;

 private:
  Node* node_;
  ElementType_t type_ = ElementTypeNull;
  std::int64_t first_ = 0, last_ = 0;
  int last_boundary_ = 0;
};

Section section_at(OpenFile& file, int base, int zone, int section);

/// The box for a part of a one-dimensional array.
Box box_of(Interval interval);
/// Read or write (equally on all ranks) a part of an array of I4 or I8. They throw Failure if
/// numbers do not fit I4.
void read_integers(Node& array, const Box& box, ValueType type, void* out);
void write_integers(Node& array, const Box& box, ValueType type, const void* numbers);
/// Writes a part of an array; in a file that several ranks have open, the part of this rank.
void write_part_of_integers(Node& array, const Box& box, ValueType type, const void* numbers);
/// Throws Failure if numbers of type I8 do not fit an array of I4.
void require_fitting(Node& array, std::uint64_t count, ValueType type, const void* numbers);
/// Converts numbers of type I4 or I8.
std::vector<std::int64_t> widened(ValueType type, const void* numbers, std::uint64_t count);
/// Returns I4 for Integer and I8 for LongInteger. Throws Failure for other types.
ValueType integer_type_of(DataType_t type);
inline constexpr ValueType kSizeType = value_type<cgsize_t>();

}  // namespace onecast::cgns
