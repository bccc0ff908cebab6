#include "pages/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "format/boot/superblock.hpp"
#include "onecast/base/error.hpp"
#include "pages/cache_image.hpp"
#include "pages/page_seal.hpp"
#include "pages/recording_source.hpp"
#include "pages/superblock_info.hpp"
#include "pages/walk.hpp"
#include "stripes/find_stripe_layout.hpp"

namespace onecast::pages {
namespace {

/// The superblock of a file without a user block lies in it.
constexpr std::uint64_t kLeastFirstBlock = 512;

NodeBuffer pack_header(const LoadHeader& header) {
  Buffer payload(sizeof header);
  std::memcpy(payload.data(), &header, sizeof header);
  return NodeBuffer(std::move(payload));
}

class Reader {
 public:
  Reader(Transport& transport, FileContext& file, int ranks)
      : transport_(transport), file_(file), ranks_(ranks) {}

  NodeBuffer run(const LoadOptions& options, std::unique_ptr<BlockCache>& blocks) {
    header_.stamp = transport_.stamp();
    header_.file_size = header_.stamp.size;
    header_.number = options.number;
    header_.folder = options.folder;
    header_.identity = transport_.identity();
    header_.overlaid = options.overlaid != nullptr && *options.overlaid ? 1 : 0;
    if (options.stripes != nullptr)
      header_.stripes = find_stripe_layout(file_.name, *options.stripes);
    if (options.takes_empty && header_.file_size == 0) return empty_file();
    // One process that changes a large file looks at a small part of it.
    if (options.writable && ranks_ == 1) first_block_ = BlockCache::kSmallestBlock;
    if (options.for_readers) first_block_ = kLeastFirstBlock;
    Buffer first = read_first_block();
    superblock_ = decode_superblock(first.span(), Address{header_.base}, file_);
    if (grows_behind_its_end(superblock_)) end_at(superblock_, header_.file_size - header_.base);
    end_ = end_of_file();
    // A failed flush may have left more bytes beyond the end.
    first_size_ = static_cast<std::size_t>(std::min<std::uint64_t>(first.size(), end_));
    blocks = std::make_unique<BlockCache>(file_, transport_, header_.base, end_);
    if (options.for_readers)
      blocks->read_exactly();
    else
      blocks->add(Address{0}, std::move(first));

    RecordingSource boot(*blocks);
    const SuperblockExtension extension = read_extension(boot, superblock_);
    const auto& list = extension.page_list;
    shared_messages_ = extension.shared_messages;
    node_k_ = indexed_storage_k(superblock_, extension);
    boot_ = boot.take();
    take_cache_image(*blocks, extension);
    boot_.push_back({Address{0}, superblock_size()});
    header_.superblock_size = superblock_size();
    // Pages of the list are read as they are in the file.
    const bool listed = list && !list->stale && image_.empty();
    // One process often looks at a small part of a large file, and a walk later is as fast.
    const auto pays = [&] { return !listed || is_large(*list); };
    const bool lazy = options.for_readers || options.policy == LoadOptions::Policy::lazy ||
                      (options.policy == LoadOptions::Policy::automatic && ranks_ == 1 && pays());
    NodeBuffer payload = lazy     ? first_block_only(*blocks)
                         : listed ? read_pages(*list, *blocks, options.budget)
                                  : read_walk(*blocks, options);
    header_.reads += blocks->reads();
    std::memcpy(payload.data(), &header_, sizeof header_);  // the number of reads is known only now
    return payload;
  }

 private:
  /// The HDF5 library makes a new file of an empty one, too.
  NodeBuffer empty_file() {
    header_.is_empty = 1;
    return pack_header(header_);
  }
  /// True if a few reads cannot bring it.
  static bool is_large(const PageList& list) {
    constexpr std::uint64_t kFewReads = std::uint64_t{2} << 20U;
    return total_size(list.extents) + list.page_count() * list.page_size() > kFewReads;
  }
  void read(std::uint64_t address, std::span<std::byte> out) {
    const std::size_t got = transport_.read_at(header_.base + address, out);
    if (got != out.size())
      throw Error(ErrorCode::format,
                  fmt::format("{}: the file became shorter while it was read", file_.name));
    ++header_.reads;
  }

  /// The block that begins with the superblock; sets the base.
  Buffer read_first_block() {
    Buffer block = block_at(0);
    if (const auto at = find_superblock(block.span())) {
      if (*at == 0) return block;
      header_.base = *at;
      return block_at(0);
    }
    // A user block may be larger than the first block.
    std::byte signature[8];
    for (std::uint64_t at = first_block_; at < header_.file_size; at *= 2) {
      header_.base = at;
      if (at + sizeof signature > header_.file_size) break;
      read(0, signature);
      if (find_superblock(signature)) return block_at(0);
    }
    fail_without_superblock(file_.name, header_.file_size);
  }

  Buffer block_at(std::uint64_t address) {
    const std::uint64_t left = header_.file_size - header_.base - address;
    Buffer block(static_cast<std::size_t>(std::min(left, first_block_)));
    read(address, block.span());
    return block;
  }

  /// The address of the end of the file. The superblock stores it with the base address at the
  /// time, which may have moved since (h5jam).
  std::uint64_t end_of_file() {
    const std::uint64_t stored = superblock_.end_of_file_address.value;
    const std::uint64_t base = superblock_.base_address.value;
    if (!superblock_.end_of_file_address.is_defined() || stored < base)
      ByteReader({}, Address{header_.base}, file_, "Superblock")
          .fail("End of File Address", "is invalid");
    const std::uint64_t end = stored - base;
    if (end > header_.file_size - header_.base)
      ByteReader({}, Address{header_.base}, file_, "Superblock")
          .fail("End of File Address",
                fmt::format("is {}, but the file has only {} bytes (truncated)", stored,
                            header_.file_size));
    return end;
  }

  NodeBuffer first_block_only(BlockCache& blocks) {
    // One process needs only the block cache; the store still expects the header.
    std::vector<FileRange> ranges = image_;
    if (ranks_ > 1) {
      ranges.push_back({Address{0}, std::min<std::uint64_t>(first_size_, end_)});
      add_boot(ranges);
    }
    return pack_from(blocks, header_, ranges, ranks_);
  }

  NodeBuffer read_pages(const PageList& list, BlockCache& blocks, std::uint64_t budget) {
    header_.complete = 1;
    header_.page_size = list.page_size();
    std::vector<FileRange> ranges;
    std::uint64_t total = 0;
    const auto add = [&](Address address, std::uint64_t size, std::uint64_t unit) {
      if (total + size > budget) {
        header_.complete = 0;
        size = (budget - total) / unit * unit;
      }
      if (size != 0) ranges.push_back({address, size});
      total += size;
    };
    for (const FileRange& e : list.extents) add(e.address, e.size, 1);
    for (const MetadataPageRun& run : list.runs)
      add(Address{run.first_page * list.page_size()}, run.page_count * list.page_size(),
          list.page_size());
    add_boot(ranges);
    std::size_t at = 0;
    NodeBuffer payload = pack_ranges(header_, ranges, ranks_, at);
    const ByteView first = blocks.view(Address{0}, first_size_, "first block");
    for (std::size_t i = 0; i < ranges.size();) {
      const std::size_t next = end_of_group(ranges, i, first.size());
      read_group(std::span(ranges).subspan(i, next - i), first,
                 payload.span().subspan(at, payload.size() - at));
      for (; i < next; ++i) at += static_cast<std::size_t>(ranges[i].size);
    }
    mark_sealed(ranges, payload);
    return payload;
  }

  /// The end of the group of ranges, from `i` on, that are read together: one range that the first
  /// read brought, any other range, or several small ones with small gaps.
  static std::size_t end_of_group(const std::vector<FileRange>& ranges, std::size_t i,
                                  std::uint64_t known) {
    constexpr std::uint64_t kMostBetween = 64 << 10U;
    constexpr std::uint64_t kMostTogether = std::uint64_t{8} << 20U;
    const auto end_of = [&](std::size_t n) { return ranges[n].address.value + ranges[n].size; };
    std::size_t end = i + 1;
    if (end_of(i) <= known) return end;
    while (end < ranges.size() && ranges[end].address.value - end_of(end - 1) <= kMostBetween &&
           end_of(end) - ranges[i].address.value <= kMostTogether)
      ++end;
    return end;
  }

  /// Reads a group of ranges into `out`, one after the other, with at most one call. Bytes that
  /// the first read brought are not read again.
  void read_group(std::span<const FileRange> group, ByteView first, std::span<std::byte> out) {
    const std::uint64_t start = group.front().address.value;
    const std::uint64_t end = group.back().address.value + group.back().size;
    const std::uint64_t known =
        start < first.size() ? std::min<std::uint64_t>(end, first.size()) - start : 0;
    if (group.size() == 1) {
      if (known != 0) std::memcpy(out.data(), first.data() + start, known);
      if (known != end - start)
        read(start + known, out.subspan(static_cast<std::size_t>(known),
                                        static_cast<std::size_t>(end - start - known)));
      return;
    }
    Buffer together(static_cast<std::size_t>(end - start));
    if (known != 0) std::memcpy(together.data(), first.data() + start, known);
    read(start + known, together.span().subspan(static_cast<std::size_t>(known)));
    std::byte* to = out.data();
    for (const FileRange& r : group)
      to = std::copy_n(together.data() + (r.address.value - start), r.size, to);
  }

  void mark_sealed(const std::vector<FileRange>& ranges, NodeBuffer& payload) const {
    const std::uint64_t size = header_.page_size;
    std::byte* mark = payload.end() - header_.page_marks;
    const std::byte* bytes = mark - total_size(ranges);
    for (const FileRange& r : ranges) {
      for_each_page(r, size, [&](Address page) {
        const bool whole = page >= r.address && page.value - r.address.value + size <= r.size;
        const std::byte* at = bytes + (page.value - r.address.value);
        *mark++ = std::byte{whole && is_sealed(page, {at, static_cast<std::size_t>(size)})};
      });
      bytes += r.size;
    }
  }

  NodeBuffer read_walk(BlockCache& blocks, const LoadOptions& options) {
    WalkResult walk =
        walk_metadata(blocks, superblock_.root_header_address,
                      {options.budget, options.small_data_limit, true, node_k_}, shared_messages_);
    header_.complete = walk.complete ? 1 : 0;
    header_.small_data_bytes = walk.small_data_bytes;
    add_boot(walk.ranges);
    return pack_from(blocks, header_, walk.ranges, ranks_);
  }

  [[nodiscard]] std::uint64_t superblock_size() const {
    return std::min<std::uint64_t>(kMaxSuperblockSize, end_);
  }

  /// Entries of the cache image replace what the file has at their addresses, for all later views.
  void take_cache_image(BlockCache& blocks, const SuperblockExtension& extension) {
    std::vector<FileRange> boot = boot_;
    boot.push_back({Address{0}, SuperblockV2::size(file_)});  // older ones have no extension
    for (const auto& [address, bytes] : read_cache_image(blocks, extension, boot, end_)) {
      blocks.replace(address, bytes);
      image_.push_back({address, bytes.size()});
    }
  }

  /// Adds the superblock and its extension, which every rank needs.
  void add_boot(std::vector<FileRange>& ranges) const {
    constexpr std::uint64_t kBoot = 4096;
    ranges.push_back({Address{0}, std::min({kBoot, end_, std::uint64_t{first_size_}})});
    ranges.insert(ranges.end(), boot_.begin(), boot_.end());
    ranges.insert(ranges.end(), image_.begin(), image_.end());
    merge_ranges(ranges, 0);
  }

  Transport& transport_;
  FileContext& file_;
  int ranks_;
  LoadHeader header_;
  Superblock superblock_;
  std::uint64_t end_ = 0;
  std::uint64_t first_block_ = BlockCache::kFirstBlock;
  std::size_t first_size_ = 0;
  std::vector<FileRange> boot_;   ///< superblock and extension
  std::vector<FileRange> image_;  ///< ranges that a cache image has replaced
  std::optional<SharedMessageTableMessage> shared_messages_;
  unsigned node_k_ = 0;
};

}  // namespace

NodeBuffer pack_ranges(LoadHeader& header, const std::vector<FileRange>& ranges, int ranks,
                       std::size_t& bytes_at) {
  header.range_count = ranges.size();
  header.page_marks = 0;
  for (const FileRange& r : ranges)
    for_each_page(r, header.page_size, [&](Address) { ++header.page_marks; });
  const std::uint64_t total = total_size(ranges) + header.page_marks;
  bytes_at = sizeof header + ranges.size() * 2 * sizeof(std::uint64_t);
  const auto size = static_cast<std::size_t>(bytes_at + total);
  NodeBuffer payload =
      ranks >= NodeBuffer::kSharingRanks ? NodeBuffer::to_share(size) : NodeBuffer(Buffer(size));
  std::memcpy(payload.data(), &header, sizeof header);
  std::byte* p = payload.data() + sizeof header;
  for (const FileRange& r : ranges) {
    const std::uint64_t pair[2] = {r.address.value, r.size};
    std::memcpy(p, pair, sizeof pair);
    p += sizeof pair;
  }
  return payload;
}

NodeBuffer pack_from(BlockCache& blocks, LoadHeader& header, const std::vector<FileRange>& ranges,
                     int ranks) {
  std::size_t at = 0;
  NodeBuffer payload = pack_ranges(header, ranges, ranks, at);
  for (const FileRange& r : ranges) {
    blocks.copy(r.address, payload.span().subspan(at, static_cast<std::size_t>(r.size)));
    at += static_cast<std::size_t>(r.size);
  }
  return payload;
}

NodeBuffer pack_open(std::uint64_t number) {
  LoadHeader header;
  header.number = number;
  header.is_open = 1;
  return pack_header(header);
}

NodeBuffer read_for_all(Transport& transport, FileContext& file, const LoadOptions& options,
                        int ranks, std::unique_ptr<BlockCache>& blocks) {
  return Reader(transport, file, ranks).run(options, blocks);
}

}  // namespace onecast::pages
