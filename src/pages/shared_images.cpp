#include "pages/shared_images.hpp"

#include <cstring>
#include <utility>

namespace onecast::pages {

void SharedImages::take(NodeFile file, std::uint64_t bytes, std::size_t count) {
  if (!file.offer.is_made() || bytes < NodeBuffer::share_from()) return;
  offer_ = file.offer;
  offer_.size = bytes + count * kAlignment + sizeof(std::uint64_t);
  made_here_ = file.made.is_open();
  memory_ = made_here_ ? NodeBuffer::in(std::move(file.made), offer_.size)
                       : NodeBuffer::find(offer_, false);
}

bool SharedImages::give_up_if_refused() {
  if (memory_.empty() || made_here_ || MemoryFile::find(offer_).size() >= offer_.size) return false;
  memory_ = {};
  return true;
}

void SharedImages::seal(std::uint64_t told) {
  std::memcpy(memory_.span().last(sizeof told).data(), &told, sizeof told);
  memory_.seal();
}

std::uint64_t SharedImages::told() const {
  std::uint64_t told = 0;
  std::memcpy(&told, memory_.span().last(sizeof told).data(), sizeof told);
  return told;
}

NodeBuffer SharedImages::finish() {
  end_offer();
  return std::move(memory_);
}

void PagesForNode::renew() {
  renewed_ = true;
  for (const KeptForNode& kept : pages_)
    std::memcpy(kept.place.data(), kept.now.data(), kept.place.size());
}

void PagesForNode::restore(CommunicatorBackend& comm) {
  if (!std::exchange(renewed_, false)) return;
  for (const KeptForNode& kept : pages_)
    std::memcpy(kept.place.data(), kept.old.data(), kept.place.size());
  pages_.clear();
  comm.barrier();
}

}  // namespace onecast::pages
