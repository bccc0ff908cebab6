// Functions that write parts of sections.
#include <algorithm>

#include "elements/new_section.hpp"
#include "elements/old_section.hpp"
#include "elements/parents.hpp"
#include "elements/section_growth.hpp"

using namespace onecast::cgns;

namespace {

/// Returns a section, converted to the form of version 4.0.
Section section_for_writing(OpenFile& file, int base, int zone, int index) {
  const Section section = section_at(file, base, zone, index);
  convert_sections(file, section.is_old());
  return Section(section.node());
}

void write_fixed(int fn, int base, int zone, int index, std::int64_t start, std::int64_t end,
                 ValueType type, const void* entries) {
  OpenFile& file = for_writing(fn);
  require_fixed_size(section_at(file, base, zone, index).type());
  write_elements(section_for_writing(file, base, zone, index), start, end, type, entries);
}

void write_poly(int fn, int base, int zone, int index, std::int64_t start, std::int64_t end,
                ValueType type, const void* entries, const void* offsets) {
  OpenFile& file = for_writing(fn);
  require_offsets(section_at(file, base, zone, index).type());
  if (entries == nullptr || offsets == nullptr) throw Failure("the elements or offsets are NULL");
  if (end < start) throw failure("elements ", start, "..", end);
  const auto begins = widened(type, offsets, static_cast<std::uint64_t>(end - start) + 2);
  if (!std::ranges::is_sorted(begins)) throw Failure("the offsets do not ascend");
  write_elements_with_offsets(
      section_for_writing(file, base, zone, index), start, end, begins,
      widened(type, entries, static_cast<std::uint64_t>(begins.back() - begins.front())));
}

/// Creates the array of a part of the parents if it is missing. Parents that were never written are
/// 0.
void require_parents(const Section& section, ParentPart part) {
  if (section.node().find(name_of(part)) != nullptr) return;
  const std::vector<cgsize_t> none(2 * section.count());
  create(section.node(), name_of(part), Label::DataArray,
         Value::numbers<cgsize_t>(none, {section.count(), 2}));
}

}  // namespace

extern "C" {

int cg_elements_partial_write(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                              const cgsize_t* elements) {
  return guarded(__func__, [&] { write_fixed(fn, B, Z, S, start, end, kSizeType, elements); });
}

int cg_elements_general_write(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                              DataType_t m_type, const void* elements) {
  return guarded(__func__,
                 [&] { write_fixed(fn, B, Z, S, start, end, integer_type_of(m_type), elements); });
}

int cg_poly_elements_partial_write(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                   const cgsize_t* elements, const cgsize_t* connect_offset) {
  return guarded(__func__,
                 [&] { write_poly(fn, B, Z, S, start, end, kSizeType, elements, connect_offset); });
}

int cg_poly_elements_general_write(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                   DataType_t m_type, const void* elements,
                                   const void* connect_offset) {
  return guarded(__func__, [&] {
    write_poly(fn, B, Z, S, start, end, integer_type_of(m_type), elements, connect_offset);
  });
}

int cg_parent_data_partial_write(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                 const cgsize_t* ParentData) {
  return guarded(__func__, [&] {
    OpenFile& file = for_writing(fn);
    const Interval elements = section_at(file, B, Z, S).elements(start, end);
    if (ParentData == nullptr) throw Failure("the parents are NULL");
    const Section section = section_for_writing(file, B, Z, S);
    split_parent_data(section);
    const cgsize_t* numbers = ParentData;
    for (const ParentPart part : kParentParts) {
      require_parents(section, part);
      const auto [array, box] = parents_of(section, elements, part);
      write_part_of_integers(array, box, kSizeType, numbers);
      numbers += 2 * elements.size();
    }
  });
}

}  // extern "C"
