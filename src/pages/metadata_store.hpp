#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/buffer.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "collective/stripe_layout.hpp"
#include "comm/backend.hpp"
#include "pages/block_cache.hpp"
#include "pages/extent_map.hpp"
#include "pages/load_options.hpp"
#include "pages/superblock_info.hpp"
#include "pages/walk.hpp"
#include "structures/metadata_source.hpp"
#include "transport/transport.hpp"

namespace onecast::pages {

/// The metadata of one open file, as it is on disk: loaded once for all ranks, served from memory;
/// what is missing is read on demand. Any number of threads may view at once, but not while another
/// prefetches or adopts.
class MetadataStore final : public MetadataSource {
 public:
  /// One process reads, everyone gets it. The transport is used by rank 0 now, and by others when
  /// they look at what was not brought. Null if the file is open already; `number`, set in any
  /// case, then says which it is. @collective
  static std::unique_ptr<MetadataStore> load(CommunicatorBackend& comm, Transport& transport,
                                             const std::string& name, const LoadOptions& options,
                                             std::uint64_t& number);
  /// Of a new file, which has nothing yet. `node_k`: "Indexed Storage Internal Node K". `base`:
  /// where its superblock will be. @independent
  static std::unique_ptr<MetadataStore> empty(Transport& transport, const std::string& name,
                                              std::uint16_t node_k, std::uint64_t base = 0);

  ByteView view(Address address, std::uint64_t length, const char* what) override;
  ByteView view_from(Address address, std::uint64_t length, const char* what) override;
  [[nodiscard]] bool is_verified(Address address, std::uint64_t length) const override;
  [[nodiscard]] const FileContext& file() const override { return file_; }

  /// Do these bytes lie in the file, as it was when it was opened?
  [[nodiscard]] bool is_inside(Address address, std::uint64_t length) const {
    return blocks_->is_inside(address, length);
  }
  /// Raw data that was brought along. Never of a file that is open for writing.
  [[nodiscard]] std::optional<ByteView> find_data(Address address, std::uint64_t length) const;

  /// Puts metadata that is to be seen instead of what the file has into bytes that were read there.
  void patch(Address address, std::span<std::byte> bytes) const;

  /// Brings what is below the object that `resolve` finds (called on rank 0 only). @collective
  void prefetch(CommunicatorBackend& comm, const std::function<Address()>& resolve,
                const WalkLimits& limits);

  /// Where metadata lies, as the last flush left the file: a walk finds out. @collective
  std::vector<FileRange> metadata_extents(CommunicatorBackend& comm);

  /// Puts bytes that are now on disk into memory: over what is known there, or new. Views stay
  /// valid.
  void adopt(Address address, Buffer bytes);
  /// As adopt(), for raw data of a file that is open for reading. @same
  void adopt_data(Address address, Buffer bytes) {
    small_data_ += bytes.size();
    adopt(address, std::move(bytes));
  }

  /// Nothing is in memory any more: what is looked at from now on is read on demand from the file,
  /// which ends at `end` and has all that was adopted. No view stays valid. @independent
  void forget(std::uint64_t end);
  /// On demand, no more is read at once; nor what one look needs, if that is more.
  void read_at_most(std::uint64_t bytes) {
    read_at_most_ = bytes;
    blocks_->read_at_most(bytes);
  }
  /// As forget(), but only what this rank has read on demand goes.
  void forget_read_on_demand(std::uint64_t end);

  [[nodiscard]] const Superblock& superblock() const { return superblock_; }
  [[nodiscard]] const std::optional<PageList>& page_list() const { return extension_.page_list; }
  [[nodiscard]] const SuperblockExtension& extension() const { return extension_; }
  /// Where address 0 lies in the file.
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] std::uint64_t file_size_at_open() const { return file_size_; }
  /// Read calls that the load made on rank 0.
  [[nodiscard]] std::uint64_t load_reads() const { return load_reads_; }
  [[nodiscard]] bool is_complete() const { return complete_; }
  /// LoadOptions::overlaid of rank 0.
  [[nodiscard]] bool is_overlaid() const { return overlaid_; }
  /// Of the file that rank 0 opened.
  [[nodiscard]] const FileIdentity& identity() const { return identity_; }
  /// As rank 0 found it.
  [[nodiscard]] const FileStamp& stamp() const { return stamp_; }
  /// A digest of rank 0's working folder.
  [[nodiscard]] std::uint64_t folder() const { return folder_; }
  /// A file without a byte was opened for writing: there is no metadata in it.
  [[nodiscard]] bool is_of_empty_file() const { return is_of_empty_file_; }
  /// Found by rank 0, if it was asked.
  [[nodiscard]] const StripeLayout& stripes() const { return stripes_; }
  [[nodiscard]] std::uint64_t small_data_bytes() const { return small_data_; }
  [[nodiscard]] const ExtentMap& loaded() const { return loaded_; }
  /// Held: brought, adopted or read on demand.
  [[nodiscard]] std::uint64_t bytes() const { return held_ + blocks_->bytes(); }
  [[nodiscard]] std::uint64_t read_on_demand_bytes() const { return blocks_->bytes(); }
  [[nodiscard]] const ExtentMap& read_on_demand() const { return blocks_->extents(); }

 private:
  MetadataStore(Transport& transport, std::string name);
  void take_payload(Buffer payload);
  void hold(Buffer bytes) {
    held_ += bytes.size();
    buffers_.push_back(std::move(bytes));
  }
  void add_ranges(Buffer payload);
  [[nodiscard]] std::vector<FileRange> walk_of(BlockCache& blocks) const;
  ByteView stitched(Address address, std::uint64_t length, const char* what);
  Buffer gather(Address address, std::uint64_t length, const char* what);
  void adopt_part(Address address, ByteView bytes);

  FileContext file_;
  Transport& transport_;
  std::uint64_t base_ = 0;
  Superblock superblock_;
  SuperblockExtension extension_;
  ExtentMap loaded_;               ///< the same on all ranks
  std::vector<FileRange> sealed_;  ///< of it, in ascending order, what needs no further checksum
  std::list<Buffer> buffers_;      ///< what loaded_ points into
  std::uint64_t held_ = 0;         ///< bytes of these
  Mutex stitching_;
  /// Copies of stretches that do not lie in loaded_ as one.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Buffer> stitched_;
  std::unique_ptr<BlockCache> blocks_;
  std::uint64_t file_size_ = 0;
  std::uint64_t load_reads_ = 0;
  std::uint64_t small_data_ = 0;
  bool complete_ = false;
  bool was_changed_ = false;  ///< blocks_ may hold what was there before
  bool overlaid_ = false;
  FileIdentity identity_;
  FileStamp stamp_;
  std::uint64_t folder_ = 0;
  bool is_of_empty_file_ = false;
  StripeLayout stripes_;
  std::uint64_t read_at_most_ = BlockCache::kLargestBlock;
};

}  // namespace onecast::pages
