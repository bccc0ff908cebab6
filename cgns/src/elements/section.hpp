#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/lookup.hpp"
#include "transfer/transfer.hpp"

/// Sections of elements. All throw Failure.
namespace onecast::cgns {

/// Indices [begin, end), from 0: of elements in a section, or of entries in a connectivity.
struct Interval {
  std::uint64_t begin = 0, end = 0;

  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

inline constexpr const char* kConnectivity = "ElementConnectivity";
inline constexpr const char* kStartOffset = "ElementStartOffset";
inline constexpr const char* kElementRange = "ElementRange";

/// Numbers of elements lie within plus and minus this: then entries can be counted, too.
inline constexpr std::int64_t kLargestNumber = std::int64_t{1} << 54U;
void require_numbers(const std::string& section, std::int64_t first, std::int64_t last);

/// NGON_n, NFACE_n and MIXED: elements begin where ElementStartOffset says.
bool has_offsets(ElementType_t type);
/// Nodes of an element; 0 if their number varies, or if there is no such type.
int nodes_of(int type);
/// "TRI_3", or the number.
std::string name_of(ElementType_t type);
void require_fixed_size(ElementType_t type);
void require_offsets(ElementType_t type);

/// A section, as version 4.0 has it, whatever the version of the file: its types of elements have
/// the numbers of enums.toml, and NGON_n, NFACE_n and MIXED have offsets. Valid until the section
/// is written.
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
  /// Whether an older version wrote it: its connectivity is not as in 4.0.
  [[nodiscard]] bool is_old() const;

  /// Elements by their numbers, which must be those of the section.
  [[nodiscard]] Interval elements(std::int64_t start, std::int64_t end) const;
  [[nodiscard]] Interval all() const { return {0, count()}; }

  /// Entries of the connectivity, and those of some elements.
  [[nodiscard]] std::uint64_t entries() const;
  [[nodiscard]] Interval entries_of(Interval elements) const;
  /// Where elements begin, and where the last one ends. Not for a fixed size.
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

/// A part of a one-dimensional array.
Box box_of(Interval interval);
/// Reads or writes (all ranks equally) a part of an array of I4 or I8; refuses numbers that do not
/// fit I4.
void read_integers(Node& array, const Box& box, ValueType type, void* out);
void write_integers(Node& array, const Box& box, ValueType type, const void* numbers);
/// Writes a part, in a file that ranks have open that of this rank.
void write_part_of_integers(Node& array, const Box& box, ValueType type, const void* numbers);
/// Refuses numbers of type I8 that do not fit an array of I4.
void require_fitting(Node& array, std::uint64_t count, ValueType type, const void* numbers);
/// The caller's numbers of type I4 or I8.
std::vector<std::int64_t> widened(ValueType type, const void* numbers, std::uint64_t count);
/// I4 for Integer, I8 for LongInteger; refuses other types.
ValueType integer_type_of(DataType_t type);
inline constexpr ValueType kSizeType = value_type<cgsize_t>();

}  // namespace onecast::cgns
