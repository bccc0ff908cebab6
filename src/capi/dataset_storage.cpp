// The storage of datasets: filters, fill value, shape.

#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/capi/dataset.h"
#include "onecast/objects/details.hpp"
#include "onecast/objects/stored_chunks.hpp"
#include "onecast/types/convert.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

onecast_dataset_filter* returned_filters(std::span<const FilterDetails> filters) {
  // The texts need no alignment, so they lie behind the numbers.
  std::size_t numbers = 0;
  std::size_t letters = 0;
  for (const FilterDetails& filter : filters) {
    numbers += ReturnedBlock::padded(filter.client_data.size() * sizeof(std::uint32_t));
    letters += filter.name.size() + 1;
  }
  const std::size_t table = ReturnedBlock::padded(filters.size() * sizeof(onecast_dataset_filter));
  ReturnedBlock block(filters.empty() ? 0 : 1, table, numbers + letters);
  auto* entries = block.entries<onecast_dataset_filter>();
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const auto& data = filters[i].client_data;
    entries[i] = {filters[i].id, filters[i].optional ? 1 : 0, nullptr, data.size(),
                  static_cast<const std::uint32_t*>(block.put(std::as_bytes(std::span(data))))};
  }
  for (std::size_t i = 0; i < filters.size(); ++i) entries[i].name = block.put(filters[i].name);
  return static_cast<onecast_dataset_filter*>(block.release());
}

onecast_fill_value fill_value_in(const StorageDetails& storage) {
  if (storage.fill == "undefined") return ONECAST_FILL_VALUE_UNDEFINED;
  return storage.fill == "defined" ? ONECAST_FILL_VALUE_USER_DEFINED : ONECAST_FILL_VALUE_DEFAULT;
}

onecast_fill_time fill_time_in(const StorageDetails& storage) {
  if (storage.fill_time == "on allocation") return ONECAST_FILL_ON_ALLOCATION;
  return storage.fill_time == "never" ? ONECAST_FILL_NEVER : ONECAST_FILL_IF_SET;
}

}  // namespace

onecast_status onecast_dataset_list_filters(const onecast_object* dataset, size_t* count,
                                            onecast_dataset_filter** filters) {
  return guard_listing(filters, count, [&] {
    required(count, "count");
    required(filters, "filters");
    const StorageDetails storage = storage_of(as_dataset(dataset));
    *filters = returned_filters(storage.filters);
    *count = storage.filters.size();
  });
}

onecast_status onecast_dataset_list_external(const onecast_object* dataset, size_t* count,
                                             onecast_external_slot** slots) {
  return guard_listing(slots, count, [&] {
    required(count, "count");
    required(slots, "slots");
    const std::vector<ExternalSlot> found = as_dataset(dataset).external_slots();
    std::size_t bytes = 0;
    for (const ExternalSlot& slot : found) bytes += slot.file.size() + 1;
    ReturnedBlock block(found.size(), sizeof(onecast_external_slot), bytes);
    for (std::size_t i = 0; i < found.size(); ++i)
      block.entries<onecast_external_slot>()[i] = {block.put(found[i].file), found[i].offset,
                                                   found[i].size};
    *slots = static_cast<onecast_external_slot*>(block.release());
    *count = found.size();
  });
}

onecast_status onecast_dataset_get_fill(const onecast_object* dataset,
                                        onecast_fill_value* fill_value,
                                        onecast_fill_time* fill_time) {
  return guard([&] {
    const StorageDetails storage = storage_of(as_dataset(dataset));
    if (fill_value != nullptr) *fill_value = fill_value_in(storage);
    if (fill_time != nullptr) *fill_time = fill_time_in(storage);
  });
}

onecast_status onecast_dataset_get_fill_value(const onecast_object* dataset,
                                              const onecast_type* memory_type, void* out,
                                              size_t size) {
  return guard([&] {
    const Dataset& from = as_dataset(dataset);
    const Datatype& stored = from.datatype();
    const Datatype& type = memory_type != nullptr ? memory_type->value : stored;
    require_plain(stored, from.path());
    require_plain(type, from.path());
    if (size != type.size())
      reject(from.path() + ": fill value: " + std::to_string(type.size()) + " bytes expected, " +
             std::to_string(size) + " given");
    std::vector<std::byte> value = storage_of(from).fill_value;
    if (value.empty()) value.resize(stored.size());
    convert(stored, value, type, room(out, size));
  });
}

onecast_status onecast_dataset_get_storage_size(const onecast_object* dataset, uint64_t* size) {
  return guard_counting(size, [&] {
    required(size, "size");
    *size = as_dataset(dataset).storage_size();
  });
}
