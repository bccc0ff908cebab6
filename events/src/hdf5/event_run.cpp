#include "hdf5/event_run.hpp"

#include <fmt/format.h>

#include "onecast/base/error.hpp"

namespace onecast::events::hdf5 {

std::string EventRun::where_is(std::uint64_t entry) const {
  return fmt::format("{}: event {}", where, entry);
}

Bytes EventRun::bytes(const Part& part) const {
  const std::vector<std::byte>& all = of_batch == Codec::none ? memory[part.memory] : batch_;
  if (part.start > part.end || part.end > all.size())
    throw Error(ErrorCode::format,
                fmt::format("{}: bytes {} to {} of {}", where, part.start, part.end, all.size()));
  return Bytes(all).subspan(static_cast<std::size_t>(part.start),
                            static_cast<std::size_t>(part.end - part.start));
}

void EventRun::unpack_batch() {
  if (of_batch == Codec::none) return;
  const std::lock_guard lock(mutex_);
  if (is_unpacked_) return;
  const Bytes bytes = open_piece(of_batch, memory.front(), batch_, where_is(first));
  if (bytes.empty()) batch_.clear();
  is_unpacked_ = true;
}

void EventRun::clear() {
  identities.clear();
  events.clear();
  ends.clear();
  products.clear();
  is_unpacked_ = false;
}

}  // namespace onecast::events::hdf5
