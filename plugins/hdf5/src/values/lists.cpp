#include "values/lists.hpp"

#include <algorithm>
#include <onecast/objects/details.hpp>
#include <onecast/objects/structure_sizes.hpp>

#include "handles/opening.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

/// A list that is closed unless it is complete.
class NewList {
 public:
  NewList(Library& library, const char* list_class)
      : library_(library), id_(library.call.H5Pcreate(library.variable(list_class))) {}
  NewList(const NewList&) = delete;
  NewList& operator=(const NewList&) = delete;
  ~NewList() {
    if (id_ >= 0) library_.call.H5Pclose(id_);
  }

  template <class... Args>
  void set(h5::Status (*property)(h5::Id, Args...), std::type_identity_t<Args>... values) {
    complete_ = property(id_, values...) >= 0 && complete_;
  }
  [[nodiscard]] h5::Id take() { return complete_ ? std::exchange(id_, h5::kNoId) : h5::kNoId; }

 private:
  Library& library_;
  h5::Id id_;
  bool complete_ = true;
};

unsigned order_flags(bool tracked) { return tracked ? h5::kOrderTracked | h5::kOrderIndexed : 0; }

void set_object(NewList& list, const Handle& on, const onecast::ObjectDetails& details) {
  // A new list has the default values.
  const h5::Functions& call = on.library.call;
  if (on.object.tracks_attribute_order())
    list.set(call.H5Pset_attr_creation_order, order_flags(true));
  if (details.attributes != onecast::DenseLimits())
    list.set(call.H5Pset_attr_phase_change, details.attributes.max_compact,
             details.attributes.min_dense);
  // Headers of version 1 do not say so.
  if (details.header_version != 1 && !on.object.tracks_times())
    list.set(call.H5Pset_obj_track_times, /*tracked=*/false);
}

/// The position of a name among those of an enumeration of HDF5; -1 if it is another one.
int number_of(std::string_view name, std::initializer_list<std::string_view> names) {
  const auto* const found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

void set_fill(NewList& list, const Handle& on, const onecast::StorageDetails& storage) {
  constexpr int kIfSet = 2;  // the default of a list
  const h5::Functions& call = on.library.call;
  if (const int time = number_of(storage.allocation_time, {"", "early", "late", "incremental"});
      time > 0)
    list.set(call.H5Pset_alloc_time, time);
  if (const int time = number_of(storage.fill_time, {"on allocation", "never", "if set"});
      time >= 0 && time != kIfSet)
    list.set(call.H5Pset_fill_time, time);
  // Without a message, the library takes the fill value for undefined.
  const bool is_stored = !storage.allocation_time.empty();
  if (storage.fill == "default" && is_stored) return;
  const h5::Id type = type_id(on.library, on.dataset->datatype());
  list.set(call.H5Pset_fill_value, type,
           storage.fill == "defined" ? storage.fill_value.data() : nullptr);
  call.H5Tclose(type);
}

}  // namespace

namespace {

/// True if the library has properties that follow from a message in the extension of the
/// superblock.
bool has_other_properties(const onecast::SuperblockDetails& superblock) {
  constexpr unsigned kNil = 0, kContinuation = 0x10, kNodeSizes = 0x13, kPageList = 0xf5;
  return std::ranges::any_of(superblock.extension_messages, [&](unsigned type) {
    return type != kNil && type != kContinuation && type != kNodeSizes && type != kPageList;
  });
}

}  // namespace

h5::Id file_creation_list(const Handle& on) {
  const onecast::File& file = on.opening->file();
  const auto superblock = onecast::superblock_of(file);
  if (has_other_properties(superblock)) return h5::kNoId;
  const h5::Functions& call = on.library.call;
  NewList list(on.library, "H5P_CLS_FILE_CREATE_ID_g");
  list.set(call.H5Pset, "super_version", static_cast<const void*>(&superblock.version));
  list.set(call.H5Pset_userblock, file.userblock_size());
  list.set(call.H5Pset_sizes, superblock.size_of_offsets, superblock.size_of_lengths);
  list.set(call.H5Pset_sym_k, superblock.group_internal_k, superblock.group_leaf_k);
  list.set(call.H5Pset_istore_k, superblock.chunk_internal_k);
  return list.take();
}

h5::Id dataset_creation_list(const Handle& on) {
  const onecast::Dataset& dataset = *on.dataset;
  const auto storage = onecast::storage_of(dataset);
  // The library names filters of its own, and knows whether it has szip; it makes the lists of
  // sources itself.
  constexpr unsigned kSzip = 4;
  constexpr unsigned kLastOwnFilter = 6;
  const auto is_special = [](const onecast::FilterDetails& filter) {
    return filter.id == kSzip || filter.id > kLastOwnFilter;
  };
  if (storage.layout == "virtual" || std::ranges::any_of(storage.filters, is_special) ||
      (storage.fill == "defined" && dataset.datatype().points_elsewhere()))
    return h5::kNoId;
  const h5::Functions& call = on.library.call;
  NewList list(on.library, "H5P_CLS_DATASET_CREATE_ID_g");
  list.set(call.H5Pset_layout, static_cast<h5::LayoutClass>(number_of(
                                   storage.layout, {"compact", "contiguous", "chunked"})));
  if (const onecast::Shape chunk = dataset.chunk_shape(); !chunk.empty())
    list.set(call.H5Pset_chunk, static_cast<int>(chunk.size()), chunk.data());
  for (const auto& slot : storage.external)
    list.set(call.H5Pset_external, slot.file.c_str(), static_cast<std::int64_t>(slot.offset),
             slot.size);
  for (const auto& filter : storage.filters)
    list.set(call.H5Pset_filter, filter.id, filter.optional ? 1U : 0U, filter.client_data.size(),
             filter.client_data.data());
  set_fill(list, on, storage);
  set_object(list, on, onecast::details_of(dataset));
  return list.take();
}

namespace {

/// The library tells the folder of the file in place of the name that stands for it.
template <class Get, class Set>
void name_folder(const Handle& on, h5::Id list, Get get, Set set) {
  constexpr std::string_view kFolder = "${ORIGIN}";
  const std::string prefix = text_of(get, list);
  if (prefix.starts_with(kFolder))
    set(list, (on.opening->folder() + prefix.substr(kFolder.size())).c_str());
}

}  // namespace

h5::Id dataset_access_list(const Handle& on) {
  struct Cache {
    std::size_t slots = 0;
    std::size_t bytes = 0;
    double preemption = 0;
  };
  const h5::Functions& call = on.library.call;
  const h5::Id standard = on.library.default_dataset_access();
  const h5::Id list = on.access_list();
  if (on.has_access_list()) {
    name_folder(on, list, call.H5Pget_efile_prefix, call.H5Pset_efile_prefix);
    name_folder(on, list, call.H5Pget_virtual_prefix, call.H5Pset_virtual_prefix);
  }
  if (list < 0 || on.dataset->layout() != onecast::Layout::chunked) return list;
  const auto cache_of = [&](h5::Id of) {
    Cache cache;
    call.H5Pget_chunk_cache(of, &cache.slots, &cache.bytes, &cache.preemption);
    return cache;
  };
  const Cache usual = cache_of(standard);
  Cache of_file;
  call.H5Pget_cache(on.opening->access_list(), nullptr, &of_file.slots, &of_file.bytes,
                    &of_file.preemption);
  const Cache own = cache_of(list);
  call.H5Pset_chunk_cache(list, own.slots == usual.slots ? of_file.slots : own.slots,
                          own.bytes == usual.bytes ? of_file.bytes : own.bytes,
                          own.preemption == usual.preemption ? of_file.preemption : own.preemption);
  return list;
}

h5::Id group_creation_list(const Handle& on) {
  const auto details = onecast::details_of(on.object);
  NewList list(on.library, "H5P_CLS_GROUP_CREATE_ID_g");
  list.set(on.library.call.H5Pset_link_creation_order, order_flags(on.group->tracks_link_order()));
  list.set(on.library.call.H5Pset_link_phase_change, details.links.max_compact,
           details.links.min_dense);
  set_object(list, on, details);
  return list.take();
}

h5::Id type_creation_list(const Handle& on) {
  NewList list(on.library, "H5P_CLS_DATATYPE_CREATE_ID_g");
  set_object(list, on, onecast::details_of(on.object));
  return list.take();
}

h5::Id attribute_creation_list(const Handle& on) {
  NewList list(on.library, "H5P_CLS_ATTRIBUTE_CREATE_ID_g");
  list.set(on.library.call.H5Pset_char_encoding,
           on.attribute->character_set() == onecast::CharacterSet::utf8 ? 1 : 0);
  return list.take();
}

}  // namespace onecast_hdf5
