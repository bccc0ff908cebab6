#include "collective/wanted_chunks.hpp"

#include <cstring>

namespace onecast::collective {
namespace {

/// Combines two messages; `count` of the first entry is the number of entries that follow.
void combine_all(const std::byte* lower, std::byte* higher) {
  WantedChunks head;
  std::memcpy(&head, lower, sizeof head);
  for (std::uint64_t i = 1; i <= head.count; ++i) {
    WantedChunks theirs;
    WantedChunks both;
    std::memcpy(&theirs, lower + i * sizeof theirs, sizeof theirs);
    std::memcpy(&both, higher + i * sizeof both, sizeof both);
    both.add(theirs);
    std::memcpy(higher + i * sizeof both, &both, sizeof both);
  }
}

}  // namespace

void combine(CommunicatorBackend& comm, std::vector<WantedChunks>& chunks) {
  WantedChunks head;
  head.count = chunks.size();
  chunks.insert(chunks.begin(), head);
  comm.all_combine(std::as_writable_bytes(std::span(chunks)), combine_all);
  chunks.erase(chunks.begin());
}

}  // namespace onecast::collective
