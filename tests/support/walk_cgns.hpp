#pragma once

#include <cgnslib.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace onecast::test {

/// Reads a CGNS file like a program that trusts it, with memory of exactly the size that the
/// interface asks for. Failures are passed over.
class WalkCgns {
 public:
  /// Leaves out arrays of more elements.
  explicit WalkCgns(cgsize_t most_elements = 100'000) : most_elements_(most_elements) {}

  /// Returns true if the file could be opened.
  bool run(const std::string& path, int mode = CG_MODE_READ) {
    if (cg_open(path.c_str(), mode, &file_) != CG_OK) return false;
    float version = 0;
    cg_version(file_, &version);
    int bases = 0;
    if (cg_nbases(file_, &bases) == CG_OK)
      for (int base = 1; base <= few(bases); ++base) walk_base(base);
    if (mode == CG_MODE_MODIFY) add_a_base();
    cg_close(file_);
    return true;
  }

 private:
  using Name = std::array<char, 33>;
  static constexpr int kMostNodes = 50;
  static int few(int count) { return count < kMostNodes ? count : kMostNodes; }

  /// Returns the product; 0 if an extent is below 1, or if there are too many elements.
  [[nodiscard]] cgsize_t product(std::span<const cgsize_t> extents) const {
    cgsize_t elements = 1;
    for (const cgsize_t extent : extents) {
      if (extent < 1 || extent > most_elements_ / elements) return 0;
      elements *= extent;
    }
    return elements;
  }

  void walk_base(int base) {
    Name name;
    int cell = 0;
    int physical = 0;
    cg_base_read(file_, base, name.data(), &cell, &physical);
    if (cg_goto(file_, base, "end") == CG_OK) walk_position();
    int zones = 0;
    if (cg_nzones(file_, base, &zones) != CG_OK) return;
    for (int zone = 1; zone <= few(zones); ++zone) {
      Name zone_name;
      std::array<cgsize_t, 9> sizes{};
      ZoneType_t type{};
      cg_zone_read(file_, base, zone, zone_name.data(), sizes.data());
      cg_zone_type(file_, base, zone, &type);
      walk_coordinates(base, zone);
      walk_sections(base, zone);
      if (cg_goto(file_, base, "Zone_t", zone, "end") == CG_OK) walk_position();
      if (cg_goto(file_, base, "Zone_t", zone, "GridCoordinates_t", 1, "end") == CG_OK)
        walk_position();
    }
  }

  void walk_coordinates(int base, int zone) {
    int dimensions = 0;
    int count = 0;
    std::array<cgsize_t, 9> sizes{};
    Name name;
    if (cg_index_dim(file_, base, zone, &dimensions) != CG_OK) return;
    if (cg_zone_read(file_, base, zone, name.data(), sizes.data()) != CG_OK) return;
    if (cg_ncoords(file_, base, zone, &count) != CG_OK) return;
    const cgsize_t elements = product(std::span(sizes).first(static_cast<std::size_t>(dimensions)));
    if (elements == 0) return;
    const std::array<cgsize_t, 3> first{1, 1, 1};
    for (int index = 1; index <= few(count); ++index) {
      Name coordinate;
      DataType_t type{};
      if (cg_coord_info(file_, base, zone, index, &type, coordinate.data()) != CG_OK) continue;
      std::vector<double> values(static_cast<std::size_t>(elements));
      cg_coord_read(file_, base, zone, coordinate.data(), RealDouble, first.data(), sizes.data(),
                    values.data());
    }
  }

  void walk_sections(int base, int zone) {
    int sections = 0;
    if (cg_nsections(file_, base, zone, &sections) != CG_OK) return;
    for (int section = 1; section <= few(sections); ++section) {
      Name name;
      ElementType_t type{};
      cgsize_t start = 0;
      cgsize_t end = 0;
      int boundary = 0;
      int has_parents = 0;
      cgsize_t size = 0;
      if (cg_section_read(file_, base, zone, section, name.data(), &type, &start, &end, &boundary,
                          &has_parents) != CG_OK)
        continue;
      if (cg_ElementDataSize(file_, base, zone, section, &size) != CG_OK) continue;
      if (size < 0 || size > most_elements_ || end < start || end - start >= most_elements_)
        continue;
      const auto count = static_cast<std::size_t>(end - start + 1);
      std::vector<cgsize_t> elements(static_cast<std::size_t>(size));
      std::vector<cgsize_t> offsets(count + 1);
      std::vector<cgsize_t> parents(has_parents != 0 ? 4 * count : 0);
      cgsize_t* const parent_data = has_parents != 0 ? parents.data() : nullptr;
      cg_elements_read(file_, base, zone, section, elements.data(), parent_data);
      cg_poly_elements_read(file_, base, zone, section, elements.data(), offsets.data(),
                            parent_data);
    }
  }

  void walk_position() {
    int count = 0;
    if (cg_ndescriptors(&count) == CG_OK)
      for (int index = 1; index <= few(count); ++index) {
        Name name;
        char* text = nullptr;
        if (cg_descriptor_read(index, name.data(), &text) == CG_OK) cg_free(text);
      }
    if (cg_narrays(&count) != CG_OK) return;
    for (int index = 1; index <= few(count); ++index) walk_array(index);
  }

  void walk_array(int index) const {
    constexpr std::size_t kLargestElement = 16;
    Name name;
    DataType_t type{};
    int dimensions = 0;
    std::array<cgsize_t, 12> dims{};
    if (cg_array_info(index, name.data(), &type, &dimensions, dims.data()) != CG_OK) return;
    const cgsize_t elements = product(std::span(dims).first(static_cast<std::size_t>(dimensions)));
    if (elements == 0) return;
    std::vector<std::byte> values(static_cast<std::size_t>(elements) * kLargestElement);
    cg_array_read(index, values.data());
  }

  void add_a_base() const {
    int base = 0;
    int zone = 0;
    const std::array<cgsize_t, 9> sizes{2, 2, 2, 1, 1, 1, 0, 0, 0};
    if (cg_base_write(file_, "Added", 3, 3, &base) == CG_OK)
      cg_zone_write(file_, base, "Zone", sizes.data(), Structured, &zone);
  }

  cgsize_t most_elements_;
  int file_ = 0;
};

}  // namespace onecast::test
