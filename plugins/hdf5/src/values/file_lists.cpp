#include "values/file_lists.hpp"

#include <onecast/objects/order.hpp>

namespace onecast_hdf5 {
namespace {

// Versions of the file format, as H5Pset_libver_bounds takes them.
constexpr int kVersion110 = 2;

bool has_old_structures(Library& library, h5::Id creation) {
  const h5::Functions& call = library.call;
  constexpr std::size_t kSize = 8;
  constexpr unsigned kGroupInternal = 16;
  constexpr unsigned kGroupLeaf = 4;
  constexpr unsigned kChunkInternal = 32;
  std::size_t addresses = kSize;
  std::size_t lengths = kSize;
  unsigned internal = kGroupInternal;
  unsigned leaf = kGroupLeaf;
  unsigned chunks = kChunkInternal;
  call.H5Pget_sizes(creation, &addresses, &lengths);
  call.H5Pget_sym_k(creation, &internal, &leaf);
  call.H5Pget_istore_k(creation, &chunks);
  return addresses != kSize || lengths != kSize || internal != kGroupInternal ||
         leaf != kGroupLeaf || chunks != kChunkInternal;
}

/// True if the links or attributes of the root group become dense at other numbers than usual.
bool has_limits(Library& library, h5::Id creation) {
  const auto differ = [&](auto get) {
    onecast::DenseLimits asked;
    return get(creation, &asked.max_compact, &asked.min_dense) >= 0 &&
           asked != onecast::DenseLimits();
  };
  return differ(library.call.H5Pget_link_phase_change) ||
         differ(library.call.H5Pget_attr_phase_change);
}

bool manages_free_space(Library& library, h5::Id creation) {
  const h5::Functions& call = library.call;
  constexpr h5::Size kDefaultPage = 4096;
  int strategy = 0;
  bool persists = false;
  h5::Size threshold = 1;
  h5::Size page = kDefaultPage;
  call.H5Pget_file_space_strategy(creation, &strategy, &persists, &threshold);
  call.H5Pget_file_space_page_size(creation, &page);
  return strategy != 0 || persists || threshold != 1 || page != kDefaultPage;
}

unsigned order_of_links(Library& library, h5::Id list) {
  unsigned order = 0;
  library.call.H5Pget_link_creation_order(list, &order);
  return order;
}

unsigned order_of_attributes(Library& library, h5::Id list) {
  unsigned order = 0;
  library.call.H5Pget_attr_creation_order(list, &order);
  return order;
}

}  // namespace

const char* cannot_create(Library& library, h5::Id creation, h5::Id access) {
  unsigned shared = 0;
  library.call.H5Pget_shared_mesg_nindexes(creation, &shared);
  if (shared > 0) return "it shares messages of object headers";
  if (has_old_structures(library, creation)) return "it sets sizes of structures";
  if (manages_free_space(library, creation)) return "it manages its free space";
  if (has_limits(library, creation)) return "it sets limits of dense storage in its root group";
  if (order_of_links(library, creation) == 0 && order_of_attributes(library, creation) != 0)
    return "its root group tracks the order of attributes alone";
  return cannot_write(library, access);
}

const char* cannot_write(Library& library, h5::Id access) {
  constexpr h5::Size kDefaultBlock = 2048;
  constexpr h5::Size kPage = 4096;
  h5::Size block = kDefaultBlock;
  library.call.H5Pget_meta_block_size(access, &block);
  if (block < kPage && block != kDefaultBlock) return "its blocks of metadata are small";
  void* callback = nullptr;
  void* data = nullptr;
  if (library.call.H5Pget_object_flush_cb(access, &callback, &data) >= 0 && callback != nullptr)
    return "it calls the program when objects are flushed";
  return nullptr;
}

void set_creation_options(Library& library, h5::Id creation, h5::Id access,
                          onecast::FileOptions& options) {
  const h5::Functions& call = library.call;
  h5::Size before = 0;
  call.H5Pget_userblock(creation, &before);
  options.userblock_size = before;
  int low = 0;
  int high = 0;
  call.H5Pget_libver_bounds(access, &low, &high);
  options.profile = low >= kVersion110 ? onecast::Profile::latest : onecast::Profile::compatible;
  options.track_order = order_of_links(library, creation) == 0 ? onecast::TrackOrder::nothing
                        : order_of_attributes(library, creation) == 0
                            ? onecast::TrackOrder::links
                            : onecast::TrackOrder::links_and_attributes;
  set_writing_options(library, access, options);
}

void set_writing_options(Library& library, h5::Id access, onecast::FileOptions& options) {
  h5::Size threshold = 1;
  h5::Size interval = 1;
  library.call.H5Pget_alignment(access, &threshold, &interval);
  if (interval > 1) {
    options.alignment_threshold = threshold;
    options.alignment_interval = interval;
  }
}

}  // namespace onecast_hdf5
