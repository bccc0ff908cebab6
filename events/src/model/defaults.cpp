#include <exception>

#include "onecast/events/outputer.hpp"
#include "onecast/events/source.hpp"

namespace onecast::events {

std::optional<std::uint64_t> Source::find(const Identity& identity) {
  const auto events = cursor();
  for (std::uint64_t entry = 0; events->go_to(entry); ++entry)
    if (events->identity() == identity) return entry;
  return {};
}

bool Event::can_stay() const {
  constexpr std::size_t kWorthAPart = 1024;
  return keeper != nullptr && total_bytes() >= kWorthAPart * products.size();
}

std::size_t Event::total_bytes() const {
  std::size_t size = 0;
  for (const Bytes& product : products) size += product.size();
  return size;
}

EncodedEvent Outputer::encode(const Event& event) {
  EncodedEvent encoded{event.identity, {}, {}};
  const std::size_t size = event.total_bytes();
  encoded.bytes.reserve(size);
  encoded.ends.reserve(event.products.size());
  for (const Bytes& product : event.products) {
    encoded.bytes.insert(encoded.bytes.end(), product.begin(), product.end());
    encoded.ends.push_back(encoded.bytes.size());
  }
  return encoded;
}

Round Outputer::write_together(const Batch* batch, const std::exception_ptr& failure, bool stops) {
  if (failure) std::rethrow_exception(failure);
  if (batch != nullptr) write(*batch);
  return {batch != nullptr, stops};
}

}  // namespace onecast::events
