#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "objects/file_state.hpp"
#include "objects/raw_data.hpp"
#include "onecast/base/error.hpp"
#include "structures/chunk_btree_v1.hpp"

namespace onecast {
namespace {

/// Copies the selected elements of one chunk after the other.
class ChunkedReader {
 public:
  ChunkedReader(Node& dataset, const Selection& selection, std::span<std::byte> out)
      : dataset_(dataset),
        info_(dataset.dataset()),
        selection_(selection),
        out_(out),
        rank_(info_.space.rank()),
        range_(rank_),
        out_stride_(rank_, 1) {
    element_ = info_.type.size();
    chunk_bytes_ = element_;
    for (const std::uint64_t n : info_.chunk)
      if (__builtin_mul_overflow(chunk_bytes_, n, &chunk_bytes_) || chunk_bytes_ > UINT32_MAX)
        throw Error(ErrorCode::format,
                    fmt::format("{}: a chunk of 4 GiB or more", dataset.where()));
    for (std::size_t d = rank_; d-- > 1;)
      out_stride_[d - 1] = out_stride_[d] * selection.coordinates(d);
  }

  void run() {
    // What no chunk holds is fill; chunks then overwrite their part.
    fill(out_, info_.fill_value);
    if (!info_.address.is_defined()) return;
    MetadataStore& store = *dataset_.file->store;
    for_each_chunk(store, info_.address, static_cast<unsigned>(rank_),
                   [&](const ChunkEntry& chunk) { copy_chunk(chunk); });
  }

 private:
  /// Coordinates k of one dimension that fall into the chunk: [first, last).
  struct Range {
    std::uint64_t first, last;
  };

  void copy_chunk(const ChunkEntry& chunk) {
    check_place(chunk);
    for (std::size_t d = 0; d < rank_; ++d) {
      const std::uint64_t start = chunk.offset[d];
      if (start >= info_.space.shape()[d]) return;
      range_[d] = {selection_.first_at_least(d, start),
                   selection_.first_at_least(d, start + info_.chunk[d])};
      if (range_[d].first == range_[d].last) return;
    }
    load(chunk);
    copy_dimension(chunk, 0, 0, 0);
  }

  /// Chunks ascend and lie side by side, so that no element is read twice.
  void check_place(const ChunkEntry& chunk) {
    const auto* offset = chunk.offset.data();
    bool fits = std::lexicographical_compare(last_.begin(), last_.end(), offset, offset + rank_);
    for (std::size_t d = 0; d < rank_; ++d) fits = fits && offset[d] % info_.chunk[d] == 0;
    if (!fits)
      throw Error(
          ErrorCode::format,
          fmt::format("{}: chunk at address {:#x}: Offset of the chunk: does not ascend, or "
                      "is no multiple of the chunk's size",
                      dataset_.where(), chunk.address.value));
    last_.assign(offset, offset + rank_);
  }

  void load(const ChunkEntry& chunk) {
    const std::string where =
        fmt::format("{}: chunk at address {:#x}", dataset_.where(), chunk.address.value);
    if (info_.filters.empty() && chunk.size != chunk_bytes_)
      throw Error(ErrorCode::format,
                  fmt::format("{}: has {} bytes, not {}", where, chunk.size, chunk_bytes_));
    const FileState& file = *dataset_.file;
    const std::uint64_t left = file.store->file_size_at_open() - file.store->base();
    if (chunk.address.value > left || chunk.size > left - chunk.address.value)
      throw Error(ErrorCode::format,
                  fmt::format("{}: {} bytes there leave the file", where, chunk.size));
    bytes_.resize(chunk.size);
    read_raw(*dataset_.file, chunk.address, bytes_);
    if (!info_.filters.empty())
      decode_chunk(info_.filters, chunk.filter_mask, bytes_, static_cast<std::size_t>(chunk_bytes_),
                   where);
    if (bytes_.size() != chunk_bytes_)
      throw Error(ErrorCode::format, fmt::format("{}: decodes to {} bytes, not {}", where,
                                                 bytes_.size(), chunk_bytes_));
  }

  /// `in` and `out`: element offsets in chunk and output up to dimension d.
  void copy_dimension(const ChunkEntry& chunk, std::size_t d, std::uint64_t in, std::uint64_t out) {
    if (d == rank_) {
      std::memcpy(out_.data() + out * element_, bytes_.data() + in * element_, element_);
      return;
    }
    in *= info_.chunk[d];
    const Range r = range_[d];
    const std::uint64_t first_in = in + selection_.coordinate(d, r.first) - chunk.offset[d];
    if (d + 1 == rank_ && selection_.is_dense(d)) {
      std::memcpy(out_.data() + (out + r.first) * element_, bytes_.data() + first_in * element_,
                  static_cast<std::size_t>(r.last - r.first) * element_);
      return;
    }
    for (std::uint64_t k = r.first; k < r.last; ++k)
      copy_dimension(chunk, d + 1, in + selection_.coordinate(d, k) - chunk.offset[d],
                     out + k * out_stride_[d]);
  }

  Node& dataset_;
  const DatasetInfo& info_;
  const Selection& selection_;
  std::span<std::byte> out_;
  std::size_t rank_;
  std::size_t element_ = 0;
  std::uint64_t chunk_bytes_ = 0;
  std::vector<std::uint64_t> last_;  ///< offset of the chunk before
  std::vector<Range> range_;
  std::vector<std::uint64_t> out_stride_;
  std::vector<std::byte> bytes_;
};

}  // namespace

void read_chunked(Node& dataset, const Selection& selection, std::span<std::byte> out) {
  const DatasetInfo& info = dataset.dataset();
  require_filters(info.filters, 0, dataset.where());
  ChunkedReader(dataset, selection, out).run();
}

}  // namespace onecast
