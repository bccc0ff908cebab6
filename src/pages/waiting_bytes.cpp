#include "pages/waiting_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "onecast/base/error.hpp"

namespace onecast::pages {

bool WaitingSpace::take_memory(std::uint64_t size) {
  if (size > limit_ || in_memory_ > limit_ - size) return false;
  in_memory_ += size;
  most_in_memory_ = std::max(most_in_memory_, in_memory_);
  return true;
}

std::uint64_t WaitingSpace::take_place(std::uint64_t size) {
  const auto anywhere = [](std::uint64_t start) { return start; };
  if (const auto again = free_.take(size, anywhere)) return *again;
  const std::uint64_t place = end_;
  if (__builtin_add_overflow(end_, size, &end_)) {
    end_ = place;
    throw Error(ErrorCode::io, fmt::format("{}: {} bytes are too many", where_(), size));
  }
  most_end_ = std::max(most_end_, end_);
  return place;
}

void WaitingSpace::give_place_back(std::uint64_t place, std::uint64_t size) {
  const auto free = free_.add(place, size);
  if (!free || free->end() != end_) return;
  free_.remove(free->address, free->size);
  end_ = free->address;
  if (end_ == 0) file_.reset();
}

template <class F>
void WaitingSpace::with_file(F&& work) {
  try {
    if (!file_) file_ = open_();
    work(*file_);
  } catch (const Error& error) {
    throw Error(ErrorCode::io,
                fmt::format("{}: new data that waits for the next flush exceeds the {} bytes "
                            "kept in memory: {}; free space in that folder, or flush more often",
                            where_(), limit_, error.what()),
                error.system_errno());
  }
}

namespace {

/// About the allocation unit of file systems.
constexpr std::uint64_t kMapBlock = 4096;

bool is_zero(ByteView bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

WaitingBytes::WaitingBytes(WaitingSpace& space, std::uint64_t size, std::size_t element,
                           ByteView fill)
    : block_(std::max<std::uint64_t>(1, kMapBlock / element) * element), element_(element) {
  if (size == 0) return;
  if (!is_zero(fill)) fill_.assign(fill.begin(), fill.end());
  if (space.take_memory(size)) {
    try {
      memory_ = Buffer(static_cast<std::size_t>(size));
    } catch (...) {
      space.give_memory_back(size);
      throw;
    }
  } else {
    place_ = space.take_place(size);
  }
  space_ = &space;
  size_ = size;
}

WaitingBytes::WaitingBytes(WaitingSpace& space, std::span<const std::byte> bytes)
    : WaitingBytes(space, bytes.size(), 1, {}) {
  write(0, bytes);
}

WaitingBytes::~WaitingBytes() {
  if (space_ == nullptr) return;
  if (is_in_memory())
    space_->give_memory_back(size_);
  else
    space_->give_place_back(place_, size_);
}

void WaitingBytes::swap(WaitingBytes& other) noexcept {
  std::swap(space_, other.space_);
  std::swap(size_, other.size_);
  std::swap(block_, other.block_);
  std::swap(element_, other.element_);
  std::swap(fill_, other.fill_);
  std::swap(written_, other.written_);
  std::swap(memory_, other.memory_);
  std::swap(place_, other.place_);
}

template <class F>
void WaitingBytes::for_each_part(std::uint64_t start, std::uint64_t end, F&& each) const {
  const auto& intervals = written_.intervals();
  auto at = intervals.upper_bound(start);
  if (at != intervals.begin() && std::prev(at)->second > start) --at;
  for (; start < end && at != intervals.end() && at->first < end; ++at) {
    if (at->first > start) each(start, at->first, false);
    const std::uint64_t from = std::max(start, at->first);
    start = std::min(end, at->second);
    each(from, start, true);
  }
  if (start < end) each(start, end, false);
}

void WaitingBytes::reserve(std::uint64_t offset, std::uint64_t size) {
  if (size == 0 || is_in_memory()) return;
  for_each_part(
      block_before(offset), block_behind(offset + size),
      [&](std::uint64_t start, std::uint64_t end, bool was_written) {
        if (was_written) return;
        space_->with_file([&](Transport& file) { file.reserve(place_ + start, end - start); });
      });
}

void WaitingBytes::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::uint64_t end = offset + bytes.size();
  const std::uint64_t first = block_before(offset);
  const std::uint64_t last = block_behind(end);
  // Fills the rest of the blocks at both ends.
  if (first < offset && !written_.covers(first, offset)) put_fill(first, offset);
  if (end < last && !written_.covers(end, last)) put_fill(end, last);
  put(offset, bytes);
  written_.add(first, last);
}

void WaitingBytes::rewrite(std::span<const std::byte> all) {
  for (const auto& [start, end] : written_.intervals())
    put(start, all.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)));
}

void WaitingBytes::write_end() {
  if (empty() || written_.covers(size_ - element_, size_)) return;
  const std::uint64_t first = block_before(size_ - 1);
  put_fill(first, size_);
  written_.add(first, size_);
}

void WaitingBytes::read(std::uint64_t offset, std::span<std::byte> out) const {
  for_each_part(offset, offset + out.size(),
                [&](std::uint64_t start, std::uint64_t end, bool was_written) {
                  const auto part = out.subspan(static_cast<std::size_t>(start - offset),
                                                static_cast<std::size_t>(end - start));
                  if (was_written)
                    get(start, part);
                  else
                    fill(start, part);
                });
}

std::vector<std::byte> WaitingBytes::bytes() const {
  std::vector<std::byte> all(static_cast<std::size_t>(size_));
  read(0, all);
  return all;
}

void WaitingBytes::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (is_in_memory())
    std::memcpy(memory_.data() + offset, bytes.data(), bytes.size());
  else
    space_->with_file([&](Transport& file) { file.write_at(place_ + offset, bytes); });
}

void WaitingBytes::get(std::uint64_t offset, std::span<std::byte> out) const {
  if (is_in_memory()) return void(std::memcpy(out.data(), memory_.data() + offset, out.size()));
  space_->with_file([&](Transport& file) {
    if (file.read_at(place_ + offset, out) != out.size())
      throw Error(ErrorCode::io, "the temporary file is shorter than what was written to it");
  });
}

/// The range is less than two blocks.
void WaitingBytes::put_fill(std::uint64_t start, std::uint64_t end) {
  Buffer bytes(static_cast<std::size_t>(end - start));
  fill(start, bytes.span());
  put(start, bytes.span());
}

void WaitingBytes::fill(std::uint64_t offset, std::span<std::byte> out) const {
  if (fill_.empty()) return void(std::ranges::fill(out, std::byte{0}));
  auto phase = static_cast<std::size_t>(offset % fill_.size());
  while (!out.empty()) {
    const std::size_t n = std::min(out.size(), fill_.size() - phase);
    std::memcpy(out.data(), fill_.data() + phase, n);
    out = out.subspan(n);
    phase = 0;
  }
}

}  // namespace onecast::pages
