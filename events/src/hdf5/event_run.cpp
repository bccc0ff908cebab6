#include "hdf5/event_run.hpp"

#include <fmt/format.h>

#include "model/make_error.hpp"
#include "model/tight.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events::hdf5 {

std::string EventRun::where_is(std::uint64_t entry) const {
  return fmt::format("{}: event {}", where, entry);
}

Bytes EventRun::bytes(const Part& part) const {
  for (const Failure& failure : failures_)
    if (part.start < failure.end && failure.start < part.end) std::rethrow_exception(failure.error);
  const std::vector<std::byte>& all = is_packed() ? unpacked_ : memory[part.memory];
  if (part.start > part.end || part.end > all.size())
    throw format_error("{}: bytes {} to {} of {}", where, part.start, part.end, all.size());
  return Bytes(all).subspan(static_cast<std::size_t>(part.start),
                            static_cast<std::size_t>(part.end - part.start));
}

std::size_t EventRun::stored_bytes() const {
  return of_batch != Codec::none ? memory.front().size() : chunk_bytes;
}

void EventRun::unpack() {
  if (!is_packed()) return;
  const std::lock_guard lock(mutex_);
  if (is_unpacked_) return;
  if (of_batch == Codec::none)
    unpack_chunks();
  else
    unpack_batch();
  is_unpacked_ = true;
}

void EventRun::unpack_batch() {
  if (open_piece(of_batch, memory.front(), unpacked_, where_is(first)).empty()) unpacked_.clear();
  const std::uint64_t end = events.empty() ? 0 : events.back().end;
  if (end != unpacked_.size())
    throw format_error("{}: the batch has {} bytes, its events end at {}", where_is(first),
                       unpacked_.size(), end);
}

/// Decodes the chunks. A damaged chunk fails only for events that have bytes in it.
void EventRun::unpack_chunks() {
  std::size_t size = 0;
  for (const PackedChunk& packed : chunks)
    size += static_cast<std::size_t>(packed.decoder->chunk_bytes());
  if (unpacked_.size() < size) resize_tightly(unpacked_, size);
  std::size_t at = 0;
  for (const auto& [decoder, chunk] : chunks) {
    const auto bytes = static_cast<std::size_t>(decoder->chunk_bytes());
    try {
      decoder->decode(chunk.start, Bytes(memory.front()).subspan(chunk.at, chunk.size),
                      chunk.filter_mask, std::span(unpacked_).subspan(at, bytes));
    } catch (const Error&) {
      failures_.push_back({at, at + bytes, std::current_exception()});
    }
    at += bytes;
  }
}

void EventRun::end_unpacking() {
  is_awaited_ = false;
  is_awaited_.notify_all();
}

void EventRun::clear() {
  identities.clear();
  events.clear();
  ends.clear();
  products.clear();
  chunks.clear();
  chunk_bytes = 0;
  is_unpacked_ = false;
  failures_.clear();
}

}  // namespace onecast::events::hdf5
