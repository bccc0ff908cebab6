#include "objects/together/shared_read.hpp"

#include <algorithm>
#include <cstring>

#include "base/round_up.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/digest.hpp"
#include "objects/values/copy_values.hpp"

namespace onecast::together {

SharedRead::SharedRead(const Read& read, bool brings_all, bool is_of_first_rank)
    : node_(*read.dataset),
      out_(read.out),
      request_(Transfer::Direction::reading, node_, out_, read.memory, *read.part, read.memory_type,
               read.stream),
      has_values_(node_.dataset().type.points_elsewhere()),
      reads_the_file_(request_.packed_size() != 0 &&
                      (has_values_ || is_of_first_rank || !is_in_memory(node_))),
      brings_all_(brings_all && reads_the_file_ && is_small_part()),
      by_parts_(is_large() && !request_.works_in_place() && request_.works_by_parts()),
      digest_(Digest(read.part->digest())
                  .add(request_.packed_size())
                  .add(node_.identity())
                  .add(static_cast<std::uint64_t>(node_.dataset().layout))
                  .value()) {}

bool SharedRead::decodes_chunks() const {
  const DatasetInfo& info = node_.dataset();
  return reads_the_file_ && !has_values_ && info.layout == Layout::chunked &&
         !info.filters.empty() && !node_.is_local();
}

void SharedRead::find_extents() {
  if (reads_the_file_) stored_ = extents_to_read(node_, request_.selection());
}

std::span<std::byte> SharedRead::room() {
  if (request_.is_direct()) return out_;
  return is_in_place() ? out_.last(request_.packed_size())
                       : room_.span().first(request_.packed_size());
}

void SharedRead::prepare() {
  if (!reads_the_file_) return;
  if (brings_all_)
    room_ = Buffer(stored_bytes());
  else if (has_values_ || !(by_parts_ || request_.is_direct() || is_in_place()))
    room_ = Buffer(request_.packed_size() + value_room());
  if (!is_large()) return;
  std::uint64_t part = std::max(converted_together(file_of(node_)), node_.dataset().type.size());
  if (!decoded_at_once(node_.dataset()).empty())
    part = std::max(part, chunks_of(node_.dataset()).grid().bytes);
  window_ = Buffer(static_cast<std::size_t>(std::min<std::uint64_t>(part, bytes())));
}

ElementTarget SharedRead::target() {
  return by_parts_ ? ElementTarget(request_, out_) : ElementTarget(room());
}

void SharedRead::take(std::uint64_t first, std::span<const std::byte> elements) {
  target().take(first, elements, node_.dataset().type.size());
}

std::span<std::byte> SharedRead::room_for_extents() { return ready(room()); }

std::span<std::byte> SharedRead::room_for_part(std::size_t size) {
  return ready(window_.span().first(size));
}

std::span<std::byte> SharedRead::ready(std::span<std::byte> bytes) const {
  if (stored_->has_gaps) fill(bytes, node_.dataset().fill_value);
  return bytes;
}

void SharedRead::unpack() {
  if (!by_parts_ && !request_.is_direct()) hand_over(room());
}

void SharedRead::hand_over(std::span<const std::byte> packed) {
  try_to(failure_, [&] { request_.unpack(packed, out_); });
}

void SharedRead::hear(CommunicatorBackend& comm, bool in_parts) {
  if (brings_all_) return hear_all(comm);
  if (in_parts && is_large()) return hear_in_parts(comm);
  if (request_.is_direct() && !has_values_) {
    broadcast_into(comm, 0, out_, [this] {
      request_.read(out_);
      return std::uint64_t{0};
    });
    return;
  }
  if (!has_values_ && is_in_place()) {
    broadcast_into(comm, 0, room(), [this] {
      request_.read_packed(room());
      return std::uint64_t{0};
    });
    return hand_over(room());
  }
  Packer values;
  const std::uint64_t size =
      broadcast_into(comm, 0, room_.span(), [&] { return read_into_room(values); });
  if (has_values_) take_values(comm, values, size);
  hand_over(room_.span().first(request_.packed_size()));
}

/// Returns true if copying the read into a common message is cheaper than a broadcast of its own.
bool SharedRead::is_small() const {
  constexpr std::uint64_t kSmall = std::uint64_t{256} << 10U;
  return !brings_all_ && !has_values_ && request_.packed_size() <= kSmall;
}

/// The size in a message with others, aligned for numbers of any type.
std::size_t SharedRead::aligned_size() const {
  constexpr std::size_t kAlignment = 16;
  return round_up(request_.packed_size(), kAlignment);
}

std::size_t SharedRead::room_for(std::span<SharedRead* const> reads, std::uint64_t most) {
  std::uint64_t all = 0;
  std::uint64_t largest = 0;
  for (const SharedRead* read : reads) {
    if (!read->is_small()) continue;
    all += read->aligned_size();
    largest = std::max<std::uint64_t>(largest, read->aligned_size());
  }
  return static_cast<std::size_t>(std::min(all, std::max(most, largest)));
}

void SharedRead::hear(CommunicatorBackend& comm, std::span<SharedRead* const> reads,
                      std::span<std::byte> room, bool in_parts) {
  std::vector<SharedRead*> small;
  std::size_t size = 0;
  const auto for_each_small = [&](auto&& each) {
    std::size_t at = 0;
    for (SharedRead* read : small) {
      each(*read, room.subspan(at, read->request_.packed_size()));
      at += read->aligned_size();
    }
  };
  const auto hear_small = [&] {
    if (small.empty()) return;
    broadcast_into(comm, 0, room.first(size), [&] {
      for_each_small([](SharedRead& read, auto bytes) { read.request_.read_packed(bytes); });
      return std::uint64_t{0};
    });
    for_each_small([](SharedRead& read, auto bytes) { read.hand_over(bytes); });
    small.clear();
    size = 0;
  };
  for (SharedRead* read : reads) {
    if (!read->is_small()) {
      read->hear(comm, in_parts);
      continue;
    }
    if (read->aligned_size() > room.size() - size) hear_small();
    small.push_back(read);
    size += read->aligned_size();
  }
  hear_small();
}

bool SharedRead::is_large() const {
  return reads_the_file_ && !has_values_ && !brings_all_ &&
         request_.packed_size() > converted_together(file_of(node_));
}

/// Broadcasts in parts. The division into parts follows from the selection and the storage alone,
/// whatever each rank does with the elements.
void SharedRead::hear_in_parts(CommunicatorBackend& comm) {
  const std::size_t element = node_.dataset().type.size();
  Buffer whole;
  const auto hear_part = [&](const SelectionPart& part) {
    const std::span<std::byte> bytes = memory_of(part);
    broadcast_into(comm, 0, bytes, [&] {
      read_part(part, bytes, whole);
      return std::uint64_t{0};
    });
    try_to(failure_, [&] {  // continue, as the other ranks do
      if (bytes.data() == window_.data()) give(part, bytes);
    });
  };
  for_each_part(selection(), decoded_at_once(node_.dataset()),
                converted_together(file_of(node_)) / element, hear_part);
  if (!failure_) unpack();
}

/// Returns the memory into which a part is broadcast: its place in the output if it is contiguous
/// there, or the window.
std::span<std::byte> SharedRead::memory_of(const SelectionPart& part) {
  const std::size_t element = node_.dataset().type.size();
  const std::size_t size = static_cast<std::size_t>(part.count) * element;
  std::span<std::byte> place = window_.span().first(size);
  if (by_parts_) return place;
  for_each_run_of_part(selection(), part,
                       [&](std::uint64_t number, std::uint64_t, std::uint64_t count) {
                         if (count == part.count)
                           place = room().subspan(static_cast<std::size_t>(number) * element, size);
                       });
  return place;
}

/// Reads a part on rank 0.
void SharedRead::read_part(const SelectionPart& part, std::span<std::byte> bytes, Buffer& whole) {
  const DatasetInfo& info = node_.dataset();
  if (info.layout != Layout::virtual_dataset)
    return read_selected(node_, BoundSelection(info.space, selection().within(part.box), node_),
                         bytes);
  // Reading each part would open the sources again and decode their chunks.
  if (whole.empty()) {
    whole = Buffer(request_.packed_size());
    request_.read_packed(whole.span());
  }
  for_each_run_of_part(
      selection(), part, [&](std::uint64_t number, std::uint64_t at, std::uint64_t count) {
        std::memcpy(bytes.data() + at * info.type.size(), whole.data() + number * info.type.size(),
                    count * info.type.size());
      });
}

void SharedRead::give(const SelectionPart& part, std::span<const std::byte> bytes) {
  const std::size_t element = node_.dataset().type.size();
  const ElementTarget to = target();
  for_each_run_of_part(selection(), part,
                       [&](std::uint64_t number, std::uint64_t at, std::uint64_t count) {
                         to.take(number, bytes.subspan(at * element, count * element), element);
                       });
}

void SharedRead::hear_all(CommunicatorBackend& comm) {
  broadcast_into(comm, 0, room_.span(), [this] {
    read_selected(node_, BoundSelection(node_.dataset().space), room_.span());
    return std::uint64_t{0};
  });
  file_of(node_).store().take_in_data(node_.dataset().address, std::move(room_));
  try_to(failure_, [&] { request_.read(out_); });
}

std::size_t SharedRead::stored_bytes() const {
  const DatasetInfo& info = node_.dataset();
  return static_cast<std::size_t>(info.space.element_count() * info.type.size());
}

/// Returns true if the read brings all of a small dataset to all ranks, once, in a file that does
/// not change: ranks that read a part of it together tend to read the others, too.
bool SharedRead::is_small_part() const {
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 20U;
  const FileState& file = file_of(node_);
  const DatasetInfo& info = node_.dataset();
  return file.access() == Access::read_only && info.layout == Layout::contiguous &&
         !info.is_external() && !has_values_ &&
         info.space.element_count() <= kSmall / info.type.size() &&
         request_.packed_size() <= stored_bytes() / 2 &&
         file.store().small_data_bytes() + stored_bytes() <= file.options().metadata_budget;
}

/// Returns about how many bytes of values of variable length are sent with the elements.
std::size_t SharedRead::value_room() const {
  // A collection of Onecast, or many of the HDF5 library.
  constexpr std::uint64_t kLeast = 72 << 10U;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
  constexpr std::uint64_t kOfElement = 64;
  if (!has_values_) return 0;
  const std::uint64_t count = request_.selection().element_count();
  return static_cast<std::size_t>(
      count > kMost / kOfElement ? kMost : std::max(kLeast, count * kOfElement));
}

/// Returns the number of bytes of the values, which exceeds the room if they did not fit.
std::uint64_t SharedRead::read_into_room(Packer& values) {
  const auto elements = room_.span().first(request_.packed_size());
  request_.read_packed(elements);
  if (!has_values_) return 0;
  pack_values(elements, values);
  const auto rest = room_.span().subspan(elements.size());
  if (!values.out.empty() && values.out.size() <= rest.size())
    std::memcpy(rest.data(), values.out.data(), values.out.size());
  return values.out.size();
}

/// Packs the collections of the heap that hold the values. Ranks that look up damaged ones get the
/// error.
void SharedRead::pack_values(ByteView elements, Packer& values) const {
  ValueCopy::look_up(file_of(node_), node_.dataset().type, elements).pack(values);
}

void SharedRead::take_values(CommunicatorBackend& comm, Packer& values, std::uint64_t size) {
  const auto rest = room_.span().subspan(request_.packed_size());
  HeardHeaps& heard = file_of(node_).transfers().heard_heaps;
  if (size <= rest.size()) return heard.take(Unpacker(rest.first(static_cast<std::size_t>(size))));
  agree(comm, [&] { values.out.resize(static_cast<std::size_t>(size)); });
  comm.broadcast(values.out, 0);
  heard.take(Unpacker(values.out));
}

}  // namespace onecast::together
