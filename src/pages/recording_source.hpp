#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::pages {

/// Notes the ranges that are viewed.
class RecordingSource final : public MetadataSource {
 public:
  /// Ranges are joined over gaps of up to `gap` bytes: small gaps from alignment are cheaper to
  /// send than to describe. Without a gap, adjacent ranges stay apart.
  explicit RecordingSource(MetadataSource& inner, std::optional<std::uint64_t> gap = 64)
      : inner_(inner), gap_(gap) {}

  ByteView view(Address address, std::uint64_t length, const char* what) override {
    const ByteView bytes = inner_.view(address, length, what);
    note(address, length);
    return bytes;
  }
  [[nodiscard]] const FileContext& file() const override { return inner_.file(); }

  void note(Address address, std::uint64_t length) {
    // A record is often viewed twice: first its start, then all of it.
    if (!ranges_.empty() && ranges_.back().address == address && ranges_.back().size <= length)
      ranges_.back().size = length;
    else
      ranges_.push_back({address, length});
    noted_since_ += length;
    if (ranges_.size() >= compact_at_) compact();
  }

  /// True if more than `bytes` bytes were noted. Counts exactly only near the limit.
  bool exceeds(std::uint64_t bytes) {
    return compacted_ + noted_since_ > bytes && compact() > bytes;
  }

  /// Joins the ranges. Returns the number of bytes noted so far.
  std::uint64_t compact() {
    merge_ranges(ranges_, gap_);
    compact_at_ = std::max<std::size_t>(kCompactAt, 2 * ranges_.size());
    compacted_ = total_size(ranges_);
    noted_since_ = 0;
    return compacted_;
  }

  std::vector<FileRange> take() {
    compact();
    return std::move(ranges_);
  }

 private:
  static constexpr std::size_t kCompactAt = 1 << 16U;

  MetadataSource& inner_;
  std::optional<std::uint64_t> gap_;
  std::vector<FileRange> ranges_;
  std::size_t compact_at_ = kCompactAt;
  std::uint64_t compacted_ = 0;    ///< bytes at the last compact()
  std::uint64_t noted_since_ = 0;  ///< bytes since then; some may be counted twice
};

}  // namespace onecast::pages
