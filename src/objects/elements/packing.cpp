#include "objects/elements/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/buffer.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"
#include "types/gaps.hpp"

namespace onecast::elements {
namespace {

Node& open_one(Node& dataset) {
  file_of(dataset).require_open();
  return dataset;
}

}  // namespace

Packing::Packing(Direction direction, Node& dataset, std::size_t size, const MemoryLayout* layout,
                 const Selection& part, const std::optional<Datatype>& memory_type)
    : node_(open_one(dataset)),
      selection_(dataset.dataset().space, part, dataset),
      arrangement_(selection_, layout, dataset) {
  const Datatype& stored = dataset.dataset().type;
  stored_size_ = memory_size_ = stored.size();
  if (memory_type) {
    memory_size_ = memory_type->size();
    if (direction == Direction::reading) {
      conversion_.emplace(stored, *memory_type, dataset);
    } else {
      conversion_.emplace(*memory_type, stored, dataset);
    }
    if (conversion_->is_identity()) conversion_.reset();
  }
  const std::uint64_t count = arrangement_.memory_count();
  if (count > UINT64_MAX / memory_size_ || size != count * memory_size_)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: buffer: {} elements of {} bytes expected, {} bytes given",
                            dataset.where(), count, memory_size_, size));
}

bool Packing::works_by_parts(std::size_t room) const {
  const auto count = static_cast<std::size_t>(selection_.element_count());
  return !is_direct() && arrangement_.has_parts() && (!conversion_ || conversion_->is_complete()) &&
         count > room / std::max(stored_size_, memory_size_);
}

template <class F>
void Packing::in_blocks(std::uint64_t first, std::uint64_t count, F&& each) const {
  constexpr std::size_t kBlock = std::size_t{64} << 10U;
  const std::uint64_t most = std::max<std::uint64_t>(1, kBlock / memory_size_);
  for (std::uint64_t done = 0; done < count; done += most)
    each(first + done, done, std::min(most, count - done));
}

void Packing::unpack(std::span<const std::byte> packed, std::uint64_t first,
                     std::span<std::byte> out) const {
  const std::uint64_t count = packed.size() / stored_size_;
  if (arrangement_.is_packed())
    return conversion_->run(packed, out.subspan(static_cast<std::size_t>(first) * memory_size_,
                                                static_cast<std::size_t>(count) * memory_size_));
  if (!conversion_) return arrangement_.scatter(packed, first, count, out, stored_size_);
  Buffer block;
  in_blocks(first, count, [&](std::uint64_t at, std::uint64_t done, std::uint64_t n) {
    if (block.empty()) block = Buffer(static_cast<std::size_t>(n) * memory_size_);
    const auto converted = block.span().first(static_cast<std::size_t>(n) * memory_size_);
    conversion_->run(packed.subspan(static_cast<std::size_t>(done) * stored_size_), converted);
    arrangement_.scatter(converted, at, n, out, memory_size_);
  });
}

void Packing::pack(std::span<const std::byte> bytes, std::uint64_t first,
                   std::span<std::byte> out) const {
  pack_part(bytes, first, out);
  Gaps(node_.dataset().type).clear(out);
}

void Packing::pack_part(std::span<const std::byte> bytes, std::uint64_t first,
                        std::span<std::byte> out) const {
  const std::uint64_t count = out.size() / stored_size_;
  if (arrangement_.is_packed())
    return conversion_->run(bytes.subspan(static_cast<std::size_t>(first) * memory_size_), out);
  if (!conversion_) return arrangement_.gather(bytes, first, count, out, stored_size_);
  Buffer block;
  in_blocks(first, count, [&](std::uint64_t at, std::uint64_t done, std::uint64_t n) {
    if (block.empty()) block = Buffer(static_cast<std::size_t>(n) * memory_size_);
    const auto gathered = block.span().first(static_cast<std::size_t>(n) * memory_size_);
    arrangement_.gather(bytes, at, n, gathered, memory_size_);
    conversion_->run(gathered, out.subspan(static_cast<std::size_t>(done) * stored_size_,
                                           static_cast<std::size_t>(n) * stored_size_));
  });
}

void Packing::unpack(std::span<const std::byte> packed, std::span<std::byte> out) const {
  if (arrangement_.is_packed()) {
    if (conversion_) return conversion_->run(packed, out);
    if (!out.empty()) std::memcpy(out.data(), packed.data(), out.size());
    return;
  }
  if (!conversion_) return arrangement_.scatter(packed, out, stored_size_);
  Buffer converted(static_cast<std::size_t>(selection_.element_count()) * memory_size_);
  // Members that the stored type lacks keep their values.
  if (!conversion_->is_complete()) arrangement_.gather(out, converted.span(), memory_size_);
  conversion_->run(packed, converted.span());
  arrangement_.scatter(converted.span(), out, memory_size_);
}

std::span<const std::byte> Packing::pack(std::span<const std::byte> bytes,
                                         std::vector<std::byte>& own) const {
  std::vector<std::byte> stored;
  if (keeps_members()) stored = std::exchange(own, {});
  if (!arrangement_.is_packed()) {
    own.resize(static_cast<std::size_t>(selection_.element_count()) * memory_size_);
    arrangement_.gather(bytes, own, memory_size_);
    bytes = own;
  }
  const Gaps gaps(node_.dataset().type);
  if (conversion_) {
    stored.resize(packed_size());
    conversion_->run(bytes, stored);
    own = std::move(stored);
  } else if (gaps.are_zero(bytes)) {
    return bytes;
  } else if (arrangement_.is_packed()) {
    own.assign(bytes.begin(), bytes.end());
  }
  gaps.clear(own);
  return own;
}

}  // namespace onecast::elements
