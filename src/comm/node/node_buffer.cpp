#include "comm/node/node_buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace onecast::comm {

std::size_t NodeBuffer::share_from() {
  constexpr std::size_t kShareFrom = std::size_t{256} << 10U;
  const char* chosen = std::getenv("ONECAST_SHARE_FROM");
  return chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : kShareFrom;
}

NodeBuffer NodeBuffer::to_share(std::size_t size) {
  NodeBuffer made;
  if (size >= share_from()) made = in(MemoryFile::make(), size);
  return made.empty() ? NodeBuffer(Buffer(size)) : std::move(made);
}

NodeBuffer NodeBuffer::find(const NodeOffer& offer, bool are_there) {
  NodeBuffer found;
  const MemoryFile file = MemoryFile::find(offer);
  const auto size = static_cast<std::size_t>(offer.size);
  if (file.is_open()) found.mapped_ = {file.map_own(size, are_there), UnmapBuffer{size}};
  return found;
}

NodeBuffer NodeBuffer::in(MemoryFile file, std::size_t size) {
  NodeBuffer buffer;
  if (!file.is_open() || !file.allocate(size)) return buffer;
  buffer.of_all_ = {file.map_to_write(size), UnmapBuffer{size}};
  if (buffer.of_all_) buffer.file_ = std::move(file);
  return buffer;
}

void NodeBuffer::seal() {
  if (!file_.is_made_here() || mapped_) return;
  const std::size_t size = this->size();
  mapped_ = {file_.map_own(size, true), UnmapBuffer{size}};
  if (mapped_) return;
  Buffer copy(size);
  std::memcpy(copy.data(), data(), size);
  end_offer();
  of_all_.reset();
  own_ = std::move(copy);
}

void NodeBuffer::free_part(std::size_t from, std::size_t bytes) {
#ifdef MADV_REMOVE
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t start = (from + page - 1) / page * page;
  const std::size_t end = (from + bytes) / page * page;
  // A system that cannot do so frees them with the rest.
  if (of_all_ && start < end)
    static_cast<void>(madvise(of_all_.get() + start, end - start, MADV_REMOVE));
#else
  static_cast<void>(from);
  static_cast<void>(bytes);
#endif
}

}  // namespace onecast::comm
