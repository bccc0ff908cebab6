#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/node/node_buffer.hpp"
#include "onecast/base/error.hpp"
#include "pages/block_cache.hpp"
#include "pages/checked_pages.hpp"
#include "pages/extent_map.hpp"
#include "pages/load_options.hpp"
#include "pages/superblock_info.hpp"
#include "pages/walk.hpp"
#include "stripes/stripe_layout.hpp"
#include "structures/metadata_source.hpp"
#include "transport/transport.hpp"

namespace onecast::pages {

/// Bytes of a page that this rank keeps for the ranks of its node, and that change.
struct KeptForNode {
  std::span<std::byte> place;  ///< the bytes in memory, as all ranks of the node see them
  ByteView now;                ///< the new bytes
  Buffer old;                  ///< a copy of the bytes before
};

/// The metadata of one open file, as it is on disk: loaded once for all ranks, served from memory,
/// and read on demand where it is missing. Any number of threads may view at once, but not while
/// another one prefetches or takes bytes in.
class MetadataStore final : public MetadataSource {
 public:
  /// One process reads and broadcasts. Rank 0 uses the transport now, other ranks when they look at
  /// bytes that were not brought. Returns null if the file is open already; `number` says in any
  /// case which file it is. @collective
  static std::unique_ptr<MetadataStore> load(CommunicatorBackend& comm, Transport& transport,
                                             const std::string& name, const LoadOptions& options,
                                             std::uint64_t& number);
  /// Makes the store of a new file, which has no metadata yet. `node_k`: "Indexed Storage Internal
  /// Node K". `base`: the offset of its future superblock. @independent
  static std::unique_ptr<MetadataStore> empty(Transport& transport, const std::string& name,
                                              std::uint16_t node_k, std::uint64_t base = 0);

  ByteView view(Address address, std::uint64_t length, const char* what) override;
  ByteView view_from(Address address, std::uint64_t length, const char* what) override;
  [[nodiscard]] bool is_verified(Address address, std::uint64_t length) const override;
  [[nodiscard]] const FileContext& file() const override { return file_; }

  /// True if these bytes lie within the file, as it was when it was opened.
  [[nodiscard]] bool is_inside(Address address, std::uint64_t length) const {
    return blocks_->is_inside(address, length);
  }
  /// Raw data that the open brought; never for a file that is open for writing.
  [[nodiscard]] std::optional<ByteView> find_data(Address address, std::uint64_t length) const;

  /// Copies metadata that replaces what the file has into bytes that were read at `address`.
  void patch(Address address, std::span<std::byte> bytes) const;

  /// Brings the metadata below the object that `resolve` finds (called on rank 0 only). @collective
  void prefetch(CommunicatorBackend& comm, const std::function<Address()>& resolve,
                const WalkLimits& limits);

  /// The ranges of metadata, as the last flush left them in the file, found by a walk. @collective
  std::vector<FileRange> metadata_extents(CommunicatorBackend& comm);

  /// Takes over bytes that are now on disk, whether they were known or not. Views stay valid.
  void take_in(Address address, Buffer bytes);
  /// Bytes at an address, in memory that others keep.
  struct Image {
    Address address;
    std::span<std::byte> bytes;
  };
  /// Like take_in(), for images in one piece of memory that ranks of the node share. The file had
  /// nothing from `new_from` on: there, all ranks use that memory from now on.
  void take_in(NodeBuffer memory, std::span<const Image> images, Address new_from);
  /// Frees the rest of the memory that the last take_in() got. No rank of the node may look at it
  /// any more. @independent
  void free_unused();
  /// Adds the parts of an image that other ranks of the node see in memory of this rank. When they
  /// have the new bytes, take_in() of all ranks finds them there. Throws std::bad_alloc.
  void note_kept_for_node(Address address, ByteView image, std::vector<KeptForNode>& all) const;
  /// Like take_in(), for raw data of a file that is open for reading. @same
  void take_in_data(Address address, Buffer bytes) {
    small_data_ += bytes.size();
    take_in(address, std::move(bytes));
  }

  /// Drops everything in memory; later views read the file on demand. The file ends at `end` and
  /// has everything that was taken in. Views become invalid. Only the superblock stays, unless the
  /// file is written for readers: a flush marks the one in the file, and no rank may see the mark.
  /// @independent
  void forget(std::uint64_t end);
  /// Limits the size of reads on demand; one view that needs more is still read as a whole.
  void read_at_most(std::uint64_t bytes) {
    read_at_most_ = bytes;
    blocks_->read_at_most(bytes);
  }
  /// Like forget(), but drops only what this rank has read on demand.
  void forget_read_on_demand(std::uint64_t end);

  /// True if another program writes the file for readers (LoadOptions::for_readers).
  [[nodiscard]] bool is_for_readers() const { return is_for_readers_; }
  /// Loads the metadata anew, as load() does on one process. Views stay valid until
  /// forget_earlier(), also if this throws Error.
  void load_again(const LoadOptions& options);
  void forget_earlier() { earlier_.clear(); }
  /// Reads the superblock again, and lets all later views read the file again. Views stay valid
  /// until forget(). Only for a file that is written for readers. Throws Error.
  void look_again();
  /// Returns what `read` returns. Calls it again for a while if it meets bytes that make no sense,
  /// since its writer may be about to change them. If `read` calls this in turn,
  /// only the outer call tries again. Throws Error.
  template <class F>
  decltype(auto) read_soundly(F&& read) {
    if (!is_for_readers_) return read();
    const SoundReading reading;
    if (reading.is_inner()) return read();
    for (unsigned attempt = 0;; ++attempt) {
      try {
        return read();
      } catch (const Error& error) {
        if (error.code() != ErrorCode::format || !may_try_again(attempt)) throw;
      }
    }
  }

  [[nodiscard]] const Superblock& superblock() const { return superblock_; }
  [[nodiscard]] const std::optional<PageList>& page_list() const { return extension_.page_list; }
  [[nodiscard]] const SuperblockExtension& extension() const { return extension_; }
  /// The offset of address 0 in the file.
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] std::uint64_t file_size_at_open() const { return file_size_; }
  /// The number of read calls of the load on rank 0.
  [[nodiscard]] std::uint64_t load_reads() const { return load_reads_; }
  [[nodiscard]] bool is_complete() const { return complete_; }
  /// LoadOptions::overlaid of rank 0.
  [[nodiscard]] bool is_overlaid() const { return overlaid_; }
  /// The identity of the file that rank 0 opened.
  [[nodiscard]] const FileIdentity& identity() const { return identity_; }
  /// The stamp of the file, as rank 0 found it.
  [[nodiscard]] const FileStamp& stamp() const { return stamp_; }
  /// A digest of rank 0's working directory.
  [[nodiscard]] std::uint64_t folder() const { return folder_; }
  /// True if an empty file was opened for writing; it has no metadata.
  [[nodiscard]] bool is_of_empty_file() const { return is_of_empty_file_; }
  /// The stripes that rank 0 found, if it was asked.
  [[nodiscard]] const StripeLayout& stripes() const { return stripes_; }
  [[nodiscard]] std::uint64_t small_data_bytes() const { return small_data_; }
  [[nodiscard]] const ExtentMap& loaded() const { return loaded_; }
  /// The bytes in memory: brought, taken in or read on demand.
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t earlier = 0;
    for (const Earlier& one : earlier_) earlier += one.held + one.blocks->bytes();
    return held_ + blocks_->bytes() + earlier;
  }
  /// Those that were brought into memory which this rank shares with others of its node.
  [[nodiscard]] std::uint64_t shared_bytes() const { return shared_; }
  [[nodiscard]] std::uint64_t read_on_demand_bytes() const { return blocks_->bytes(); }
  [[nodiscard]] const ExtentMap& read_on_demand() const { return blocks_->extents(); }

 private:
  MetadataStore(Transport& transport, std::string name);
  /// One read_soundly() of this thread.
  class SoundReading {
   public:
    SoundReading();
    SoundReading(const SoundReading&) = delete;
    SoundReading& operator=(const SoundReading&) = delete;
    ~SoundReading();
    [[nodiscard]] bool is_inner() const { return is_inner_; }

   private:
    bool is_inner_;
  };
  void take_payload(NodeBuffer payload);
  void forget_all(std::uint64_t end);
  /// Keeps memory of which `used` bytes are of use.
  void hold(NodeBuffer bytes, std::uint64_t used);
  void add_for_node(Address address, std::span<const std::byte> bytes, NodeBuffer& memory);
  void take_boot(std::uint64_t superblock_size);
  [[nodiscard]] bool may_try_again(unsigned attempt);
  void read_anew();
  void add_ranges(NodeBuffer payload);
  [[nodiscard]] std::vector<FileRange> walk_of(BlockCache& blocks) const;
  [[nodiscard]] bool is_loaded(Address address, std::uint64_t length) const;
  ByteView stitched(Address address, std::uint64_t length, const char* what);
  Buffer gather(Address address, std::uint64_t length, const char* what);
  auto copies();
  /// Overwrites known stretches, and calls add(address, bytes) for those between them.
  template <class F>
  void take_in_parts(Address address, std::span<std::byte> bytes, F&& add);
  void renew_stitched(Address address, std::uint64_t size);

  FileContext file_;
  Transport& transport_;
  std::uint64_t base_ = 0;
  Superblock superblock_;
  SuperblockExtension extension_;
  ExtentMap loaded_;               ///< equal on all ranks
  std::vector<FileRange> sealed_;  ///< ranges of loaded_, ascending, whose checksums need not be
                                   ///< verified
  std::list<NodeBuffer> buffers_;  ///< the memory of loaded_
  std::uint64_t held_ = 0;         ///< the bytes in buffers_
  std::uint64_t shared_ = 0;       ///< those of them that ranks of the node share
  ExtentMap for_node_;  ///< what this rank keeps in buffers_ for other ranks of its node, as they
                        ///< see it
  std::vector<std::span<const std::byte>>
      unused_;                       ///< parts of unused_of_ that this rank will free
  NodeBuffer* unused_of_ = nullptr;  ///< one of buffers_ or forgotten_
  std::list<NodeBuffer> forgotten_;  ///< memory of which a part is still to be freed
  Mutex stitching_;
  /// Copies of ranges that lie in several stretches of loaded_.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Buffer> stitched_;
  std::unique_ptr<BlockCache> blocks_;
  CheckedPages checked_;  ///< those in blocks_
  std::atomic<std::uint64_t> file_size_{0};
  std::uint64_t load_reads_ = 0;
  std::uint64_t small_data_ = 0;
  bool complete_ = false;
  bool was_changed_ = false;  ///< blocks_ may hold old bytes
  bool overlaid_ = false;
  FileIdentity identity_;
  FileStamp stamp_;
  std::uint64_t folder_ = 0;
  bool is_of_empty_file_ = false;
  bool is_for_readers_ = false;
  /// The memory of views that are still used.
  struct Earlier {
    std::list<NodeBuffer> buffers;
    std::uint64_t held = 0;  ///< the bytes in buffers
    std::map<std::pair<std::uint64_t, std::uint64_t>, Buffer> stitched;
    std::unique_ptr<BlockCache> blocks;
  };
  std::list<Earlier> earlier_;
  StripeLayout stripes_;
  std::uint64_t read_at_most_ = BlockCache::kLargestBlock;
};

}  // namespace onecast::pages
