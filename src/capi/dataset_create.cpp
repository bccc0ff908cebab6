#include "capi/arguments.hpp"
#include "capi/dense_limits.hpp"
#include "capi/growing_struct.hpp"
#include "capi/guard.hpp"
#include "onecast/capi/dataset.h"

using namespace onecast;
using namespace onecast::capi;

namespace {

static_assert(static_cast<int>(Layout::virtual_dataset) + ONECAST_LAYOUT_COMPACT ==
              ONECAST_LAYOUT_VIRTUAL);
static_assert(ONECAST_UNLIMITED == ExternalSlot::kUnlimited);

onecast_dataset_options default_dataset_options() {
  onecast_dataset_options options = {};
  options.size = sizeof options;
  options.fill_time = ONECAST_FILL_IF_SET;
  options.dense_attributes = to_c(DatasetOptions().dense_attributes);
  return options;
}

std::optional<Layout> layout_of(onecast_layout layout) {
  if (layout == ONECAST_LAYOUT_AUTOMATIC) return std::nullopt;
  return enumeration_of(static_cast<int>(layout) - ONECAST_LAYOUT_COMPACT, Layout::virtual_dataset,
                        "layout");
}

/// A chunk has as many dimensions as the dataset.
Shape chunk_of(const std::uint64_t* chunk, std::size_t rank) {
  return chunk != nullptr ? Shape(chunk, chunk + rank) : Shape();
}

DatasetOptions dataset_options_of(const onecast_dataset_options* options, std::size_t rank) {
  const onecast_dataset_options given =
      completed(default_dataset_options(), options, "onecast_dataset_options_init");
  DatasetOptions all;
  all.layout = layout_of(given.layout);
  all.chunk = chunk_of(given.chunk, rank);
  for (const onecast_filter& filter : list(given.filters, given.filter_count, "filters"))
    all.filters.push_back(filter_of(filter));
  if (given.fill_value != nullptr) {
    const auto value = bytes(given.fill_value, given.fill_value_size);
    all.fill_value.emplace(value.begin(), value.end());
  }
  all.fill_time = enumeration_of(static_cast<int>(given.fill_time), FillTime::if_set, "fill_time");
  if (given.allocation_time != ONECAST_ALLOCATE_AUTOMATIC)
    all.allocation_time = enumeration_of(static_cast<int>(given.allocation_time),
                                         AllocationTime::incremental, "allocation_time");
  all.attribute_order = given.attribute_order != 0;
  all.times = given.times != 0;
  all.dense_attributes = from_c(given.dense_attributes);
  const auto prefixes = [&]() -> FilePrefixes& {
    return all.prefixes ? *all.prefixes : all.prefixes.emplace();
  };
  if (given.external_prefix != nullptr) prefixes().external = given.external_prefix;
  if (given.source_prefix != nullptr) prefixes().sources = given.source_prefix;
  if (given.committed_type != nullptr) all.committed_type = as_object(given.committed_type);
  for (const auto& slot : list(given.external, given.external_count, "external"))
    all.external.push_back(
        {required_text(slot.file, "the file of an external slot"), slot.offset, slot.size});
  for (const auto& source : list(given.sources, given.source_count, "sources"))
    all.sources.push_back({required_text(source.file, "the file of a source"),
                           required_text(source.dataset, "the dataset of a source"),
                           plain_selection_of(source.source), plain_selection_of(source.mapped)});
  return all;
}

}  // namespace

onecast_status onecast_dataset_options_init(onecast_dataset_options* options, size_t size) {
  return guard([&] { give_options(options, size, default_dataset_options()); });
}

onecast_status onecast_dataset_create(onecast_object* group, const char* path,
                                      const onecast_type* type, const onecast_dataspace* space,
                                      const onecast_dataset_options* options,
                                      onecast_object** created) {
  return guard_making(created, [&] {
    const Dataspace shape = dataspace_of(space);
    const Datatype& stored = required(type, "type").value;
    give_object(created, as_group(group).create_dataset(
                             required_text(path, "path"),
                             {.type = stored,
                              .space = shape,
                              .options = dataset_options_of(options, shape.rank())}));
  });
}

onecast_status onecast_dataset_create_anonymous(onecast_object* group, const onecast_type* type,
                                                const onecast_dataspace* space,
                                                const onecast_dataset_options* options,
                                                onecast_object** created) {
  return guard_making(created, [&] {
    const Dataspace shape = dataspace_of(space);
    const Datatype& stored = required(type, "type").value;
    give_anonymous(created, [&] {
      return as_group(group).create_anonymous_dataset(
          {.type = stored, .space = shape, .options = dataset_options_of(options, shape.rank())});
    });
  });
}
