#include <algorithm>

#include "elements/new_section.hpp"
#include "elements/parents.hpp"
#include "parallel/parallel_session.hpp"

using namespace onecast::cgns;

namespace {

Section section_on_ranks(int fn, int base, int zone, int section) {
  return section_at(opened(fn), base, zone, section);
}

/// Returns the part of this rank; null numbers: no part. Throws Failure if numbers do not fit an
/// array or memory of 32 bits.
PartOfArray part_of(Node& array, const Box& box, const void* numbers, bool is_write) {
  if (is_write)
    require_fitting(array, element_count(box.shape()), kSizeType, numbers);
  else if (kSizeType == ValueType::I4 && array.type() == ValueType::I8 && numbers != nullptr)
    throw Failure(array.path() + " is of type I8, and cgsize_t has 32 bits");
  return {&array, {.stored = box, .memory_type = kSizeType}, const_cast<void*>(numbers)};
}
PartOfArray no_part(Node& array) {
  return {&array, {.stored = all_of(array.dims()), .memory_type = kSizeType}, nullptr};
}

/// The arguments of a rank: elements by number, and their memory, which is null if it has none.
struct Piece {
  std::int64_t start, end;
  const void* memory;
};

Parts fixed_size_parts(int fn, int base, int zone, int index, const Piece& piece, bool is_write) {
  const Section section = section_on_ranks(fn, base, zone, index);
  require_fixed_size(section.type());
  Node& array = section.connectivity();
  if (piece.memory == nullptr) return {no_part(array)};
  const Interval entries = section.entries_of(section.elements(piece.start, piece.end));
  return {part_of(array, box_of(entries), piece.memory, is_write)};
}

/// Returns the entries to which a rank's offsets refer.
Interval checked_entries(const Section& section, std::uint64_t elements, const cgsize_t* offsets) {
  if (offsets == nullptr) throw Failure("the offsets are NULL");
  const std::span begins(offsets, elements + 1);
  const std::uint64_t room = section.entries();
  if (!std::ranges::is_sorted(begins) || begins.front() < 0 ||
      static_cast<std::uint64_t>(begins.back()) > room)
    throw failure("the offsets do not ascend within 0..", room, " of ", section.node().path());
  return {static_cast<std::uint64_t>(begins.front()), static_cast<std::uint64_t>(begins.back())};
}

Section section_with_offsets(int fn, int base, int zone, int index) {
  const Section section = section_on_ranks(fn, base, zone, index);
  require_offsets(section.type());
  return section;
}

Parts poly_parts(int fn, int base, int zone, int index, const Piece& piece,
                 const cgsize_t* offsets) {
  const Section section = section_with_offsets(fn, base, zone, index);
  Node& begins = section.start_offset();
  Node& array = section.connectivity();
  if (piece.memory == nullptr) return {no_part(begins), no_part(array)};
  const Interval elements = section.elements(piece.start, piece.end);
  const Interval entries = checked_entries(section, elements.size(), offsets);
  Parts parts{part_of(begins, box_of({elements.begin, elements.end + 1}), offsets, true),
              no_part(array)};
  if (entries.size() != 0) parts[1] = part_of(array, box_of(entries), piece.memory, true);
  return parts;
}

/// Creates the array of a part, to which ranks write, and adds it to `created`. In a file that is
/// modified, an existing array stays.
void require_parents(OpenFile& file, const Section& section, ParentPart part,
                     std::vector<Node*>& created) {
  Node* found = section.node().find(name_of(part), Label::DataArray);
  if (found != nullptr && file.mode == Mode::modify && has_shape_of_parents(*found, section))
    return;
  created.push_back(&create(section.node(), name_of(part), Label::DataArray,
                            {kSizeType, {section.count(), 2}}, nullptr, Storage::contiguous));
}

/// Writes the parts of the ranks. The call is always collective, because it creates arrays. An
/// error on one rank is an error on all, and removes the new arrays.
void write_parents_together(int fn, int base, int zone, int index, const Piece& piece,
                            std::span<const ParentPart> which) {
  OpenFile& file = opened(fn);
  for_writing(fn);
  const Section section = section_on_ranks(fn, base, zone, index);
  require_same_array(required(section.node(), kElementRange, Label::IndexRange));
  split_parent_data(section);
  std::vector<Node*> created;
  for (const ParentPart part : which) require_parents(file, section, part, created);
  Parts parts;
  std::exception_ptr failure;
  try {
    const auto* numbers = static_cast<const cgsize_t*>(piece.memory);
    const Interval elements =
        numbers == nullptr ? Interval() : section.elements(piece.start, piece.end);
    for (const ParentPart part : which) {
      const auto [array, box] = parents_of(section, elements, part);
      parts.push_back(numbers == nullptr ? no_part(array) : part_of(array, box, numbers, true));
      if (numbers != nullptr) numbers += 2 * elements.size();
    }
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    write_together(file, parts, failure);
  } catch (...) {
    for (Node* array : created) file.tree->remove(*array);
    throw;
  }
}

}  // namespace

extern "C" {

int cgp_section_write(int fn, int B, int Z, const char* sectionname, ElementType_t type,
                      cgsize_t start, cgsize_t end, int nbndry, int* S) {
  return guarded(__func__, [&] {
    OpenFile& file = opened(fn);
    for_writing(fn);
    require_fixed_size(type);
    const NewSection section{sectionname, type, start, end, nbndry};
    create_section(file, B, Z, section, nullptr,
                   section.count() * static_cast<std::uint64_t>(nodes_of(type)), nullptr, S);
  });
}

int cgp_poly_section_write(int fn, int B, int Z, const char* sectionname, ElementType_t type,
                           cgsize_t start, cgsize_t end, cgsize_t maxoffset, int nbndry, int* S) {
  return guarded(__func__, [&] {
    OpenFile& file = opened(fn);
    for_writing(fn);
    require_offsets(type);
    if (maxoffset < 0) throw Failure("the largest offset is " + std::to_string(maxoffset));
    create_section(file, B, Z, {sectionname, type, start, end, nbndry}, nullptr,
                   static_cast<std::uint64_t>(maxoffset), nullptr, S);
  });
}

int cgp_elements_write_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                            const cgsize_t* elements) {
  return write_data(__func__, fn,
                    [&] { return fixed_size_parts(fn, B, Z, S, {start, end, elements}, true); });
}

int cgp_elements_read_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                           cgsize_t* elements) {
  return read_data(__func__, fn,
                   [&] { return fixed_size_parts(fn, B, Z, S, {start, end, elements}, false); });
}

int cgp_poly_elements_write_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                 const cgsize_t* elements, const cgsize_t* offsets) {
  return write_data(__func__, fn,
                    [&] { return poly_parts(fn, B, Z, S, {start, end, elements}, offsets); });
}

int cgp_poly_elements_read_data_offsets(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                        cgsize_t* offsets) {
  return read_data(__func__, fn, [&] {
    const Section section = section_with_offsets(fn, B, Z, S);
    const Interval elements = offsets == nullptr ? Interval() : section.elements(start, end);
    if (section.is_old()) {
      if (offsets != nullptr) section.read_offsets(elements, kSizeType, offsets);
      return Parts{no_part(section.connectivity())};
    }
    Node& array = section.start_offset();
    if (offsets == nullptr) return Parts{no_part(array)};
    return Parts{part_of(array, box_of({elements.begin, elements.end + 1}), offsets, false)};
  });
}

int cgp_poly_elements_read_data_elements(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                         const cgsize_t* offsets, cgsize_t* elements) {
  return read_data(__func__, fn, [&] {
    const Section section = section_with_offsets(fn, B, Z, S);
    Node& array = section.connectivity();
    if (elements == nullptr) return Parts{no_part(array)};
    const Interval entries = checked_entries(section, section.elements(start, end).size(), offsets);
    if (section.is_old()) section.read_connectivity(entries, kSizeType, elements);
    if (section.is_old() || entries.size() == 0) return Parts{no_part(array)};
    return Parts{part_of(array, box_of(entries), elements, false)};
  });
}

int cgp_parent_data_write(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                          const cgsize_t* parent_data) {
  return guarded(__func__, [&] {
    write_parents_together(fn, B, Z, S, {start, end, parent_data}, kParentParts);
  });
}

int cgp_parentelements_write_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                  cgsize_t* parentelements) {
  return guarded(__func__, [&] {
    write_parents_together(fn, B, Z, S, {start, end, parentelements},
                           std::span(kParentParts).first(1));
  });
}

int cgp_parentelements_read_data(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                 cgsize_t* parentelements) {
  return read_data(__func__, fn, [&] {
    const Section section = section_on_ranks(fn, B, Z, S);
    const Interval elements = parentelements == nullptr ? Interval() : section.elements(start, end);
    const auto [array, box] = parents_of(section, elements, ParentPart::elements);
    if (parentelements == nullptr) return Parts{no_part(array)};
    return Parts{part_of(array, box, parentelements, false)};
  });
}

}  // extern "C"
