#include "objects/together/chunk_exchange.hpp"

#include <algorithm>
#include <cstring>

namespace onecast::together {
namespace {

/// The number of bytes that each rank sends and receives in a window.
class WindowBytes {
 public:
  WindowBytes(int ranks, std::uint64_t most)
      : most_(most),
        received_(static_cast<std::size_t>(ranks)),
        sent_(static_cast<std::size_t>(ranks)) {}

  /// Adds a chunk; returns false if a rank then has more than there is room for and had something
  /// before.
  bool add(const WrittenChunk& chunk) {
    bool fits = true;
    const auto add = [&](std::vector<std::uint64_t>& to, int rank, std::uint64_t elements) {
      std::uint64_t& bytes = to[static_cast<std::size_t>(rank)];
      const std::uint64_t more = elements * chunk.target->element_size();
      fits = fits && (bytes == 0 || bytes + more <= most_);
      bytes += more;
    };
    std::uint64_t of_others = 0;
    for (const ChunkPart& part : chunk.chunk.parts) {
      if (part.rank == chunk.owner) continue;
      of_others += part.elements;
      add(sent_, part.rank, part.elements);
    }
    add(received_, chunk.owner, of_others);
    return fits;
  }

  void clear() {
    std::ranges::fill(received_, 0);
    std::ranges::fill(sent_, 0);
  }

 private:
  std::uint64_t most_;
  std::vector<std::uint64_t> received_;
  std::vector<std::uint64_t> sent_;
};

void pack_part(const WrittenChunk& chunk, std::size_t number_in_list, Packer& p) {
  const ChunkTarget& target = *chunk.target;
  std::uint64_t runs = 0;
  target.for_each_run(chunk.number, [&](std::uint64_t, std::uint64_t, std::uint64_t) { ++runs; });
  p.number(number_in_list);
  p.number(runs);
  target.for_each_run(
      chunk.number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
        p.number(at);
        const std::size_t size = target.element_size();
        p.number(count * size);
        target.elements().for_each_part(
            first, count, size,
            [&](std::uint64_t, std::span<const std::byte> bytes) { p.bytes(bytes); });
      });
}

}  // namespace

std::vector<ExchangeWindow> exchange_windows(std::span<const WrittenChunk> chunks, int ranks,
                                             std::uint64_t most) {
  std::vector<ExchangeWindow> windows;
  WindowBytes bytes(ranks, most);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const bool is_shared = chunks[i].chunk.is_shared();
    bool fits = !windows.empty();
    if (is_shared && !bytes.add(chunks[i])) {
      fits = false;
      bytes.clear();
      bytes.add(chunks[i]);
    }
    if (!fits) windows.push_back({i, i, false});
    windows.back().last = i + 1;
    windows.back().has_shared = windows.back().has_shared || is_shared;
  }
  return windows;
}

std::vector<std::vector<std::byte>> pack_parts_for_others(std::span<const WrittenChunk> chunks,
                                                          const ExchangeWindow& window,
                                                          const CommunicatorBackend& comm) {
  std::vector<Packer> to(static_cast<std::size_t>(comm.size()));
  for (std::size_t i = window.first; i < window.last; ++i)
    if (chunks[i].owner != comm.rank() && chunks[i].chunk.has_part(comm.rank()))
      pack_part(chunks[i], i, to[static_cast<std::size_t>(chunks[i].owner)]);
  return taken(to);
}

ReceivedParts::ReceivedParts(std::span<const std::vector<std::byte>> messages) {
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    for (Unpacker u(messages[rank]); !u.at_end();) {
      const std::uint64_t chunk = u.number();
      const std::uint64_t runs = u.number();
      runs_.emplace(std::pair{chunk, static_cast<int>(rank)}, Runs{runs, u});
      for (std::uint64_t i = 0; i < runs; ++i) {
        u.number();
        u.block();
      }
    }
}

void ReceivedParts::copy(std::size_t chunk, int rank, std::size_t element,
                         std::span<std::byte> image) const {
  const auto found = runs_.find({chunk, rank});
  if (found == runs_.end()) return;
  auto [runs, packed] = found->second;
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::uint64_t at = packed.number();
    const auto elements = packed.block();
    std::memcpy(image.data() + at * element, elements.data(), elements.size());
  }
}

}  // namespace onecast::together
