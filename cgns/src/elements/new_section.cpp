#include "elements/new_section.hpp"

#include "elements/old_section.hpp"

namespace onecast::cgns {

namespace {

void check(const NewSection& section) {
  const std::string name = checked_name(section.name);
  require_numbers("section '" + name + "'", section.start, section.end);
  if (section.last_boundary > 0 &&
      static_cast<std::uint64_t>(section.last_boundary) > section.count())
    throw failure("section '", name, "' has ", section.count(),
                  " elements, but the last boundary element is ", section.last_boundary);
  if (section.stored != ValueType::I4) return;
  for (const std::int64_t bound : {section.start, section.end})
    if (bound != static_cast<std::int32_t>(bound))
      throw failure("the element number ", bound, " does not fit 32 bits");
}

Node& create_numbers(Node& section, const char* name, ValueType type, const Dims& dims,
                     const void* numbers) {
  const Part whole{.stored = all_of(dims), .memory_type = type};
  return create_array(section, name, type, dims, whole, numbers);
}

void create_range(Node& section, const NewSection& made) {
  const std::int64_t wide[2] = {made.start, made.end};
  const std::int32_t narrow[2] = {static_cast<std::int32_t>(made.start),
                                  static_cast<std::int32_t>(made.end)};
  create(section, kElementRange, Label::IndexRange,
         made.stored == ValueType::I8 ? Value::numbers<std::int64_t>(wide)
                                      : Value::numbers<std::int32_t>(narrow));
}

}  // namespace

std::uint64_t fewest_entries(const NewSection& section) { return 2 * section.count(); }

Node& create_section(OpenFile& file, int base, int zone_index, const NewSection& section,
                     const void* entries, std::uint64_t count, const void* offsets, int* index) {
  Node& zone = zone_at(file, base, zone_index);
  check(section);
  const bool is_with_offsets = has_offsets(section.type);
  if (is_with_offsets && count < fewest_entries(section))
    throw failure("section '", section.name, "' has ", count, " entries, which is too few for ",
                  section.count(), " elements");
  convert_sections(file, is_with_offsets);
  const std::int32_t values[2] = {section.type, section.last_boundary};
  Node& node =
      create(zone, section.name, Label::Elements, Value::numbers<std::int32_t>(values), index);
  create_range(node, section);
  if (is_with_offsets)
    create_numbers(node, kStartOffset, section.stored, {section.count() + 1}, offsets);
  create_numbers(node, kConnectivity, section.stored, {count}, entries);
  return node;
}

void initialize(const Section& section) {
  const std::uint64_t count = section.count();
  const std::int64_t filler = section.type() == MIXED ? NODE : 0;
  fill(section.connectivity(), section.entries(),
       [&](std::uint64_t i) -> std::int64_t { return i < 2 * count && i % 2 == 0 ? filler : 0; });
  if (has_offsets(section.type()))
    fill(section.start_offset(), count + 1,
         [](std::uint64_t i) { return static_cast<std::int64_t>(2 * i); });
}

}  // namespace onecast::cgns
