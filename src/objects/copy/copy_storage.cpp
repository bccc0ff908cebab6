#include <algorithm>

#include "filters/prepare_filter.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/copy/copy_plan.hpp"
#include "objects/files/compact_room.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/limits.hpp"
#include "objects/virtual_datasets/virtual_storage.hpp"
#include "onecast/base/error.hpp"

namespace onecast::copy {
namespace {

/// Returns chunks of at most 1 MiB. The slowest dimensions are cut first.
Shape guess_chunk(const Dataspace& space, std::uint64_t element_size) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;
  Shape chunk = space.shape();
  std::uint64_t left = std::max<std::uint64_t>(kMostBytes / element_size, 1);
  for (std::size_t d = chunk.size(); d-- > 0;) {
    chunk[d] = std::clamp<std::uint64_t>(chunk[d], 1, left);
    left = std::max<std::uint64_t>(left / chunk[d], 1);
  }
  return chunk;
}

FillValueMessage stored_fill(Node& source) {
  FillValueMessage fill;
  if (const HeaderMessage* found = source.header.find(MessageType::fill_value)) {
    const HeaderMessage m = file_of(source).shared().resolve(*found);
    fill = decode<FillValueMessage>(m.data, m.address, file_of(source).store().file());
    // Versions 1 and 2 have one flag for both.
    if (fill.version < 3 && !fill.defined) fill.undefined = true;
  }
  return fill;
}

/// Throws unless the index, and the places of chunks in it, are sound.
void check_chunks(Node& source) {
  const DatasetInfo& info = source.dataset();
  if (known_edited_chunks(source) != nullptr) return;
  const ChunkGrid& grid = chunks_of(info).grid();
  chunks_of(info).for_each([&](const ChunkEntry& e) {
    if (grid.contains(e.at))
      check_place(source, info, {grid.number(e.at), e.address, e.size, e.filter_mask});
  });
}

class Planning {
 public:
  Planning(Node& source, const FileState& target, std::uint64_t room, const StorageChange* change,
           bool is_general)
      : source_(source),
        info_(source.dataset()),
        target_(target),
        room_(room),
        change_(change),
        is_general_(is_general),
        plan_(std::make_unique<CopiedStorage>()) {
    if (__builtin_mul_overflow(info_.space.element_count(), info_.type.size(), &bytes_))
      throw Error(ErrorCode::format, source.where() + ": more than 2^64 bytes");
  }

  std::unique_ptr<CopiedStorage> run() {
    DatasetOptions& options = plan_->options;
    const GroupOptions of_source = source_.options();
    options.attribute_order = of_source.attribute_order;
    options.times = of_source.times;
    options.dense_attributes = of_source.dense_attributes;
    plan_->fill = stored_fill(source_);
    plan_->model.fill = &plan_->fill;
    if (!info_.fill_value.empty())
      options.fill_value.emplace(info_.fill_value.begin(), info_.fill_value.end());
    if (is_general_ && change_ != nullptr && !is_possible()) change_ = nullptr;
    options.layout = layout();
    plan_->model.unallocated = *options.layout == Layout::contiguous &&
                               info_.layout == Layout::contiguous && !info_.is_external() &&
                               !info_.address.is_defined();
    if (*options.layout == Layout::chunked) set_chunks();
    if (info_.layout == Layout::chunked) {
      check_chunks(source_);
      if (!plan_->keeps_chunks) require_filters(info_.filters, 0, source_);
    }
    if (info_.layout == Layout::compact || info_.layout == Layout::contiguous)
      require_stored(source_);
    // The copy would keep the fill value for missing sources for ever.
    if (info_.layout == Layout::virtual_dataset) sources_of(info_).require_sources();
    if (*options.layout == Layout::compact && bytes_ <= kMaxMessageSize) {
      plan_->value.resize(static_cast<std::size_t>(bytes_));
      read_selected(source_, BoundSelection(info_.space), plan_->value);
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool can_grow() const { return !info_.space.max_shape().empty(); }
  [[nodiscard]] bool is_small() const {
    return !can_grow() && bytes_ <= room_ &&
           (is_within_compact_limit(target_, bytes_) ||
            (info_.layout == Layout::compact && bytes_ <= kMaxMessageSize));
  }

  /// Returns true if a change that is requested for all datasets can be applied to this one.
  [[nodiscard]] bool is_possible() const {
    if (change_->layout == Layout::compact) return bytes_ <= kMaxMessageSize && !can_grow();
    if (change_->layout == Layout::contiguous) return !can_grow();
    if (info_.layout == Layout::chunked) return change_->chunk.empty() || fits(change_->chunk);
    if (change_->layout == Layout::chunked || !change_->chunk.empty())
      return info_.space.rank() != 0 && (change_->chunk.empty() || fits(change_->chunk));
    // Filters do not help small datasets.
    return info_.space.rank() != 0 && !is_small();
  }

  [[nodiscard]] bool fits(const Shape& chunk) const {
    const Shape& most = can_grow() ? info_.space.max_shape() : info_.space.shape();
    if (chunk.size() != most.size()) return false;
    for (std::size_t d = 0; d < most.size(); ++d)
      if (chunk[d] > most[d]) return false;
    return true;
  }

  [[nodiscard]] Layout layout() const {
    if (change_ != nullptr) {
      if (change_->layout) return *change_->layout;
      if (!change_->chunk.empty() || (change_->filters && !change_->filters->empty()))
        return Layout::chunked;
    }
    if (info_.layout == Layout::chunked || can_grow()) return Layout::chunked;
    return is_small() ? Layout::compact : Layout::contiguous;
  }

  void set_chunks() {
    DatasetOptions& options = plan_->options;
    const bool was_chunked = info_.layout == Layout::chunked;
    const bool changes_chunk = change_ != nullptr && !change_->chunk.empty();
    options.chunk = changes_chunk ? change_->chunk
                    : was_chunked ? Shape(info_.chunk)
                                  : guess_chunk(info_.space, info_.type.size());
    const bool same_chunks = was_chunked && options.chunk == info_.chunk;
    plan_->model.has_its_chunks = same_chunks;
    const bool same_bytes = !info_.type.points_elsewhere();
    if (change_ != nullptr && change_->filters) {
      options.filters = *change_->filters;
      plan_->keeps_chunks =
          same_bytes && same_chunks && options.filters.empty() && info_.filters.empty();
    } else if (same_chunks) {
      plan_->model.filters = &info_.filters;
      plan_->keeps_chunks = same_bytes;
    } else {
      for (const FilterSpec& spec : info_.filters) options.filters.push_back(asked_for(spec));
    }
  }

  Node& source_;
  const DatasetInfo& info_;
  const FileState& target_;
  std::uint64_t room_;
  const StorageChange* change_;
  bool is_general_;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<CopiedStorage> plan_;
};

}  // namespace

std::unique_ptr<CopiedStorage> plan_storage(Node& source, const FileState& target,
                                            std::uint64_t room, const StorageChange* change,
                                            bool is_general) {
  return Planning(source, target, room, change, is_general).run();
}

}  // namespace onecast::copy
