// Functions that create sections, and write them whole.
#include "elements/new_section.hpp"
#include "elements/parents.hpp"

using namespace onecast::cgns;

namespace {

/// Returns the offsets of `count` MIXED elements.
std::vector<cgsize_t> offsets_of_mixed(const cgsize_t* entries, std::uint64_t count) {
  std::vector<cgsize_t> offsets{0};
  offsets.reserve(count + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    const cgsize_t type = entries[offsets.back()];
    const int nodes =
        type < 0 || type >= NofValidElementTypes ? 0 : nodes_of(static_cast<int>(type));
    if (nodes == 0)
      throw failure("element ", i + 1, " of the list is of type ", type, ", which MIXED has not");
    offsets.push_back(offsets.back() + 1 + nodes);
  }
  return offsets;
}

/// Checks the offsets and returns them counted from the first.
std::vector<cgsize_t> checked_offsets(const NewSection& section, const cgsize_t* entries,
                                      const cgsize_t* given) {
  std::vector<cgsize_t> offsets;
  if (section.type == MIXED) offsets = offsets_of_mixed(entries, section.count());
  if (given == nullptr) {
    if (section.type != MIXED)
      throw Failure("the offsets are NULL: " + name_of(section.type) + " needs them");
    return offsets;
  }
  std::vector<cgsize_t> counted(given, given + section.count() + 1);
  for (std::size_t i = counted.size(); i-- > 0;) {
    counted[i] -= given[0];
    if (i > 0 && given[i] < given[i - 1])
      throw failure("the offsets do not ascend: ", given[i], " follows ", given[i - 1]);
  }
  if (section.type == MIXED && counted != offsets)
    throw Failure("the offsets do not fit the types of the elements");
  return counted;
}

void write_section(int fn, int base, int zone, const NewSection& section, const cgsize_t* entries,
                   int* index) {
  require_fixed_size(section.type);
  OpenFile& file = for_writing(fn);
  if (entries == nullptr) throw Failure("the elements are NULL");
  create_section(file, base, zone, section, entries,
                 section.count() * static_cast<std::uint64_t>(nodes_of(section.type)), nullptr,
                 index);
}

/// Creates a section whose elements are written later.
Node& create_empty(int fn, int base, int zone, const NewSection& section, std::uint64_t entries,
                   int* index) {
  OpenFile& file = for_writing(fn);
  if (!has_offsets(section.type)) {
    require_fixed_size(section.type);
    entries = section.count() * static_cast<std::uint64_t>(nodes_of(section.type));
  }
  return create_section(file, base, zone, section, nullptr, entries, nullptr, index);
}

}  // namespace

extern "C" {

int cg_section_write(int fn, int B, int Z, const char* SectionName, ElementType_t type,
                     cgsize_t start, cgsize_t end, int nbndry, const cgsize_t* elements, int* S) {
  return guarded(__func__, [&] {
    write_section(fn, B, Z, {SectionName, type, start, end, nbndry}, elements, S);
  });
}

int cg_poly_section_write(int fn, int B, int Z, const char* SectionName, ElementType_t type,
                          cgsize_t start, cgsize_t end, int nbndry, const cgsize_t* elements,
                          const cgsize_t* connect_offset, int* S) {
  return guarded(__func__, [&] {
    const NewSection section{SectionName, type, start, end, nbndry};
    if (!has_offsets(type)) return write_section(fn, B, Z, section, elements, S);
    OpenFile& file = for_writing(fn);
    if (elements == nullptr) throw Failure("the elements are NULL");
    if (end < start) throw Failure("the last element comes before the first");
    const auto offsets = checked_offsets(section, elements, connect_offset);
    create_section(file, B, Z, section, elements, static_cast<std::uint64_t>(offsets.back()),
                   offsets.data(), S);
  });
}

int cg_section_general_write(int fn, int B, int Z, const char* SectionName,
                             const ElementType_t type, const DataType_t elementDataType,
                             cgsize_t start, cgsize_t end, cgsize_t elementDataSize, int nbndry,
                             int* S) {
  return guarded(__func__, [&] {
    if (elementDataSize < 0)
      throw Failure("the number of entries is " + std::to_string(elementDataSize));
    create_empty(fn, B, Z,
                 {SectionName, type, start, end, nbndry, integer_type_of(elementDataType)},
                 static_cast<std::uint64_t>(elementDataSize), S);
  });
}

int cg_section_partial_write(int fn, int B, int Z, const char* SectionName, ElementType_t type,
                             cgsize_t start, cgsize_t end, int nbndry, int* S) {
  return guarded(__func__, [&] {
    const NewSection section{SectionName, type, start, end, nbndry};
    initialize(Section(create_empty(fn, B, Z, section, fewest_entries(section), S)));
  });
}

int cg_section_initialize(int fn, int B, int Z, int S) {
  return guarded(__func__, [&] {
    const Section section = section_at(for_writing(fn), B, Z, S);
    if (section.is_old()) throw Failure(section.node().path() + " has elements of an old version");
    initialize(section);
  });
}

int cg_parent_data_write(int fn, int B, int Z, int S, const cgsize_t* parent_data) {
  return guarded(__func__, [&] {
    const Section section = section_at(for_writing(fn), B, Z, S);
    if (parent_data == nullptr) throw Failure("the parents are NULL");
    write_parents(section, parent_data);
  });
}

}  // extern "C"
