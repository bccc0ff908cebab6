#include "collective/direct_access.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/round_up.hpp"
#include "base/sieve.hpp"
#include "comm/node/node_channel.hpp"

namespace onecast::collective {

void write_directly(Transport& file, const ExtentList& extents, const OutBuffers& bytes) {
  constexpr std::size_t kLarge = std::size_t{256} << 10U;  // copying a piece of this size saves
                                                           // nothing
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  std::vector<std::byte> joined;
  std::span<const std::byte> ready;
  std::uint64_t first = 0;
  const auto finish = [&] {
    if (!ready.empty()) file.write_at(first, ready);
    ready = {};
    joined.clear();
  };
  extents.for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
    const auto piece = bytes.at(position, length);
    if (!ready.empty() && offset == first + ready.size() && length < kLarge &&
        ready.size() + length <= kMost) {
      if (joined.empty()) joined.assign(ready.begin(), ready.end());
      joined.insert(joined.end(), piece.begin(), piece.end());
      ready = joined;
      return;
    }
    finish();
    first = offset;
    ready = piece;
  });
  finish();
}

void read_directly(Transport& file, const ExtentList& extents, const InBuffers& bytes) {
  const auto read = [&](std::uint64_t offset, std::span<std::byte> part) {
    const std::size_t got = file.read_at(offset, part);
    std::memset(part.data() + got, 0, part.size() - got);
  };
  Sieve sieve(read);
  extents.for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
    sieve.add(offset, bytes.at(position, length));
  });
  sieve.finish();
}

SplitExtents split_at_stripes(const ExtentList& extents, std::uint64_t stripe_size) {
  ExtentListBuilder whole;
  ExtentListBuilder edges;
  extents.for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
    const std::uint64_t end = offset + length;
    const std::uint64_t first = std::min(end, round_up(offset, stripe_size));
    const std::uint64_t last = std::max(first, end / stripe_size * stripe_size);
    edges.add(offset, first - offset, position);
    whole.add(first, last - first, position + (first - offset));
    edges.add(last, end - last, position + (last - offset));
  });
  return {whole.take(), edges.take()};
}

void broadcast_pieces(CommunicatorBackend& comm, const ExtentList& extents, const InBuffers& bytes,
                      std::span<std::byte> memory) {
  const bool sends = comm.rank() == 0;
  // Goes through the pieces: rank 0 packs them, the other ranks unpack them.
  const auto pass = [&](std::uint64_t from, std::uint64_t to, bool packing) {
    std::size_t at = 0;
    extents.for_each_in(from, to, [&](std::uint64_t, std::uint64_t length, std::uint64_t in) {
      const auto size = static_cast<std::size_t>(length);
      if (packing)
        std::memcpy(memory.data() + at, bytes.at(in), size);
      else
        std::memcpy(bytes.at(in), memory.data() + at, size);
      at += size;
    });
  };
  for (auto from = extents.next_from(0); from;) {
    // Each stretch of the file has at most as many bytes as fit.
    const std::uint64_t to = *from + memory.size();
    const std::uint64_t size = extents.bytes_in(*from, to);
    if (sends) pass(*from, to, true);
    comm::broadcast_large(comm, memory.first(static_cast<std::size_t>(size)));
    if (!sends) pass(*from, to, false);
    from = extents.next_from(to);
  }
}

}  // namespace onecast::collective
