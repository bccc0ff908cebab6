#include "elements/parents.hpp"
#include "elements/section.hpp"

using namespace onecast::cgns;

namespace {

Section section_for_reading(int fn, int base, int zone, int section) {
  return section_at(for_reading(fn), base, zone, section);
}

/// Reads elements. @param offsets may be null; counted from the first of the elements
void read_elements(const Section& section, Interval elements, ValueType type, void* entries,
                   void* offsets) {
  if (section.is_fixed_size())
    return section.read_connectivity(section.entries_of(elements), type, entries);
  auto begins = section.offsets(elements);
  section.read_connectivity(
      {static_cast<std::uint64_t>(begins.front()), static_cast<std::uint64_t>(begins.back())}, type,
      entries);
  if (offsets == nullptr) return;
  const std::int64_t first = begins.front();
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::int64_t offset = begins[i] - first;
    if (type == ValueType::I8)
      static_cast<std::int64_t*>(offsets)[i] = offset;
    else if (offset == static_cast<std::int32_t>(offset))
      static_cast<std::int32_t*>(offsets)[i] = static_cast<std::int32_t>(offset);
    else
      throw failure("the offset ", offset, " does not fit 32 bits");
  }
}

void give_size(std::uint64_t size, cgsize_t* out) {
  *out = static_cast<cgsize_t>(size);
  if (static_cast<std::uint64_t>(*out) != size)
    throw failure("the size ", size, " does not fit cgsize_t");
}

void read_parent_part(const Section& section, Interval elements, ParentPart part, DataType_t type,
                      void* out) {
  const ValueType memory_type = integer_type_of(type);
  const auto [array, box] = parents_of(section, elements, part);
  read_integers(array, box, memory_type, out);
}

}  // namespace

extern "C" {

int cg_npe(ElementType_t type, int* npe) {
  return guarded(__func__, [&] {
    const int number = type;
    if (number < 0 || number >= NofValidElementTypes)
      throw Failure(std::to_string(number) + " is no type of elements");
    *npe = nodes_of(number);
  });
}

int cg_nsections(int fn, int B, int Z, int* nsections) {
  return guarded(__func__,
                 [&] { *nsections = count(zone_at(for_reading(fn), B, Z), Label::Elements); });
}

int cg_section_read(int fn, int B, int Z, int S, char* SectionName, ElementType_t* type,
                    cgsize_t* start, cgsize_t* end, int* nbndry, int* parent_flag) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    const auto range =
        read_numbers<cgsize_t>(required(section.node(), kElementRange, Label::IndexRange), 2);
    give_name(section.node(), SectionName);
    *type = section.type();
    *start = range[0];
    *end = range[1];
    *nbndry = section.last_boundary();
    *parent_flag = has_parents(section) ? 1 : 0;
  });
}

int cg_ElementDataSize(int fn, int B, int Z, int S, cgsize_t* ElementDataSize) {
  return guarded(__func__,
                 [&] { give_size(section_for_reading(fn, B, Z, S).entries(), ElementDataSize); });
}

int cg_ElementPartialSize(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                          cgsize_t* ElementDataSize) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    const Interval elements = section.elements(start, end);
    const bool is_whole = elements.size() == section.count();
    give_size(is_whole ? section.entries() : section.entries_of(elements).size(), ElementDataSize);
  });
}

int cg_elements_read(int fn, int B, int Z, int S, cgsize_t* elements, cgsize_t* parent_data) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    require_fixed_size(section.type());
    read_elements(section, section.all(), kSizeType, elements, nullptr);
    read_all_parents(section, section.all(), parent_data);
  });
}

int cg_poly_elements_read(int fn, int B, int Z, int S, cgsize_t* elements, cgsize_t* connect_offset,
                          cgsize_t* parent_data) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    if (section.is_fixed_size()) {
      read_elements(section, section.all(), kSizeType, elements, nullptr);
    } else {
      section.read_connectivity({0, section.entries()}, kSizeType, elements);
      if (connect_offset != nullptr) section.read_offsets(section.all(), kSizeType, connect_offset);
    }
    read_all_parents(section, section.all(), parent_data);
  });
}

int cg_elements_partial_read(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                             cgsize_t* elements, cgsize_t* parent_data) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    require_fixed_size(section.type());
    const Interval part = section.elements(start, end);
    read_elements(section, part, kSizeType, elements, nullptr);
    read_all_parents(section, part, parent_data);
  });
}

int cg_poly_elements_partial_read(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                  cgsize_t* elements, cgsize_t* connect_offset,
                                  cgsize_t* parent_data) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    const Interval part = section.elements(start, end);
    read_elements(section, part, kSizeType, elements, connect_offset);
    read_all_parents(section, part, parent_data);
  });
}

int cg_elements_general_read(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                             DataType_t m_type, void* elements) {
  return guarded(__func__, [&] {
    const ValueType type = integer_type_of(m_type);
    const Section section = section_for_reading(fn, B, Z, S);
    require_fixed_size(section.type());
    read_elements(section, section.elements(start, end), type, elements, nullptr);
  });
}

int cg_poly_elements_general_read(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                  DataType_t m_type, void* elements, void* connect_offset) {
  return guarded(__func__, [&] {
    const ValueType type = integer_type_of(m_type);
    const Section section = section_for_reading(fn, B, Z, S);
    read_elements(section, section.elements(start, end), type, elements, connect_offset);
  });
}

int cg_parent_elements_general_read(int fn, int B, int Z, int S, cgsize_t start, cgsize_t end,
                                    DataType_t m_type, void* parelem) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    read_parent_part(section, section.elements(start, end), ParentPart::elements, m_type, parelem);
  });
}

int cg_parent_elements_position_general_read(int fn, int B, int Z, int S, cgsize_t start,
                                             cgsize_t end, DataType_t m_type, void* parface) {
  return guarded(__func__, [&] {
    const Section section = section_for_reading(fn, B, Z, S);
    read_parent_part(section, section.elements(start, end), ParentPart::positions, m_type, parface);
  });
}

}  // extern "C"
