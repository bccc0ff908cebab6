#include "objects/nodes/compact_write.hpp"

#include <algorithm>

#include "objects/codec/selection_codec.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::nodes {

void CompactWrites::remember(CompactWrite write) {
  if (!keeps_) return;
  write.epoch = 2 * clock_;
  writes_.push_back(std::move(write));
}

void CompactWrites::overwrite(CompactWrite write) {
  ++clock_;
  write.epoch = 2 * clock_ - 1;
  const bool wins = std::any_of(writes_.begin(), writes_.end(), [&](const CompactWrite& w) {
    return w.dataset.identity == write.dataset.identity;
  });
  if (wins) writes_.push_back(std::move(write));
}

std::vector<std::byte> serialize(const std::vector<CompactWrite>& writes) {
  Packer p;
  for (const CompactWrite& w : writes) {
    p.number(w.dataset.is_new ? 1 : 0);
    p.number(w.dataset.identity);
    p.number(w.part.rank());
    p.block(encode_selection(w.part));
    p.block(w.bytes);
    p.number(w.epoch);
  }
  return std::move(p.out);
}

std::vector<CompactWrite> deserialize_compact_writes(const std::vector<std::byte>& bytes) {
  std::vector<CompactWrite> writes;
  for (Unpacker u(bytes); !u.at_end();) {
    CompactWrite& w = writes.emplace_back();
    w.dataset.is_new = u.number() != 0;
    w.dataset.identity = u.number();
    const std::uint64_t rank = u.number();
    w.part =
        decode_selection(u.block(), Address{0}, {"another rank"}, static_cast<std::size_t>(rank));
    const auto data = u.block();
    w.bytes.assign(data.begin(), data.end());
    w.epoch = u.number();
  }
  return writes;
}

}  // namespace onecast::nodes
