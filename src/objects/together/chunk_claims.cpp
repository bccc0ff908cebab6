#include "objects/together/chunk_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "objects/chunks/chunk_access.hpp"
#include "onecast/base/error.hpp"

namespace onecast::together {
namespace {

// Bits that say what is sent of a claim.
constexpr std::uint64_t kOfAll = 1;
constexpr std::uint64_t kOwn = 2;
/// The bit in front of all claims of a rank, beside their kinds.
constexpr std::uint64_t kFailed = 4;

/// Encodes all pending chunks; returns the first error.
std::exception_ptr encode(EditedChunks& edited) {
  std::exception_ptr failure;
  try {
    edited.encode_all();
    return nullptr;
  } catch (...) {
    failure = std::current_exception();
  }
  std::vector<std::uint64_t> left;
  for (const auto& [number, chunk] : edited.pending())
    if (cannot_be_encoded(chunk)) left.push_back(number);
  for (const std::uint64_t number : left) {
    const PendingChunk& chunk = edited.pending().find(number)->second;
    try {
      edited.keep(number, edited.waiting(edited.encode(number, chunk.decoded.span())),
                  chunk.is_held);
    } catch (...) {
      failure = failure ? failure : std::current_exception();
    }
  }
  return failure;
}

/// Makes chunks pending that shrinking has cut, each on one rank.
void pend_cut_by_me(EditedChunks& edited, const CommunicatorBackend& comm) {
  std::vector<std::uint64_t> cut;
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  for (const auto& [number, extent] : edited.table().valid_extents())
    if (number % ranks == static_cast<std::uint64_t>(comm.rank()) &&
        !edited.pending().contains(number))
      cut.push_back(number);
  for (const std::uint64_t number : cut) edited.pend(number);
}

}  // namespace

bool cannot_be_encoded(const PendingChunk& chunk) { return chunk.is_decoded(); }

OwnClaims claim_chunks(FileState& file, std::span<Node* const> edited) {
  OwnClaims mine;
  Packer p;
  std::uint64_t kinds = 0;
  for (Node* node : edited) {
    EditedChunks& chunks = *known_edited_chunks(*node);
    // Other ranks do not know a local dataset: the flush settles its chunks.
    if (node->is_local() || !chunks.needs_settling()) continue;
    if (node->removed) {
      chunks.forget_all_pending();
      continue;
    }
    pend_cut_by_me(chunks, file.comm());
    const std::exception_ptr failure = encode(chunks);
    if (!mine.failure) mine.failure = failure;
    const auto ready =
        chunks.pending().size() -
        static_cast<std::size_t>(std::ranges::count_if(
            chunks.pending(), [](const auto& chunk) { return cannot_be_encoded(chunk.second); }));
    if (ready == 0) continue;
    p.number(node->is_new() ? 1 : 0);
    p.number(node->identity());
    p.number(ready);
    for (const auto& [number, chunk] : chunks.pending()) {
      if (cannot_be_encoded(chunk)) continue;
      const bool is_own = !chunk.written.empty();
      p.number(number);
      pack(p, chunk.stored);
      const std::uint64_t kind = (chunk.is_of_all ? kOfAll : 0) | (is_own ? kOwn : 0);
      p.number(kind);
      kinds |= kind;
      if (is_own) {
        const auto [first, end] = chunk.written.bounds();
        p.number(first);
        p.number(end);
      }
      if (!chunk.is_of_all || !is_own) continue;
      pack(p, chunk.of_all);
    }
  }
  Packer all;
  all.number((mine.failure ? kFailed : 0) | kinds);
  all.out.insert(all.out.end(), p.out.begin(), p.out.end());
  mine.packed = std::move(all.out);
  return mine;
}

void pack(Packer& packer, const WaitingChunk& chunk) {
  packer.number(chunk.bytes.size());
  packer.number(chunk.filter_mask);
}

StoredForm unpack_form(Unpacker& unpacker) {
  const std::uint64_t size = unpacker.number();
  return {size, static_cast<std::uint32_t>(unpacker.number())};
}

bool may_lay_over(std::span<const std::vector<std::byte>> of_ranks) {
  std::size_t of_all = 0;
  std::size_t own = 0;
  std::size_t both = 0;
  for (const std::vector<std::byte>& of_rank : of_ranks) {
    const std::uint64_t kinds = Unpacker(of_rank).number();
    of_all += (kinds & kOfAll) != 0 ? 1 : 0;
    own += (kinds & kOwn) != 0 ? 1 : 0;
    both += (kinds & kOfAll) != 0 && (kinds & kOwn) != 0 ? 1 : 0;
  }
  return of_all != 0 && own != 0 && of_all + own - both > 1;
}

namespace {

/// Stores what all ranks gave, without the independent writes.
void keep_of_all(ClaimedChunk& chunk, std::vector<Claim>::iterator of_all) {
  if (of_all == chunk.claims.end()) return chunk.claims.clear();
  Claim claim = *of_all;
  if (claim.is_own) {
    claim.form = claim.of_all;
    chunk.stored = ClaimedChunk::Stored::of_all;
  }
  chunk.claims = {claim};
}

void resolve(ChunkClaims& all, const ClaimedDataset& dataset, std::uint64_t number,
             ClaimedChunk& chunk) {
  auto& claims = chunk.claims;
  if (claims.size() > 1) {
    const Claim first = claims.front();
    std::erase_if(claims, [](const Claim& c) { return c.is_only_cut(); });
    if (claims.empty()) claims.push_back(first);
  }
  if (claims.size() < 2) return;
  if (dataset.node->dataset().filters.empty()) {
    for (const Claim& c : std::span(claims).subspan(1))
      all.parts.push_back(
          {static_cast<std::size_t>(c.rank), {dataset.node->identity(), number}, {c.own}});
    return;
  }
  const auto of_all = std::ranges::find_if(claims, &Claim::is_of_all);
  if (std::ranges::count_if(claims, &Claim::is_own) == 1 && of_all != claims.end()) {
    std::rotate(claims.begin(), of_all, of_all + 1);
    all.laid_over.push_back({&dataset, number, &chunk, claims[1].rank});
    chunk.stored = ClaimedChunk::Stored::laid_over;
    return;
  }
  std::vector<int> own;
  for (const Claim& c : claims)
    if (c.is_own) own.push_back(c.rank);
  all.conflicts.push_back({&dataset, number, {own[0], own[1]}});
  keep_of_all(chunk, of_all);
}

}  // namespace

ChunkClaims merge_claims(FileState& file, std::span<const std::vector<std::byte>> of_ranks) {
  ChunkClaims all;
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    Unpacker u(of_ranks[r]);
    all.any_failed = (u.number() & kFailed) != 0 || all.any_failed;
    while (!u.at_end()) {
      NodeId id;
      id.is_new = u.number() != 0;
      id.identity = u.number();
      Node& node = file.nodes().of(id);
      edited_chunks(node);
      ClaimedDataset& dataset =
          all.datasets.try_emplace(id.identity, ClaimedDataset{&node, {}}).first->second;
      for (std::uint64_t left = u.number(); left > 0; --left) {
        ClaimedChunk& chunk = dataset.chunks[u.number()];
        Claim& claim = chunk.claims.emplace_back();
        claim.rank = static_cast<int>(r);
        claim.form = unpack_form(u);
        const std::uint64_t kind = u.number();
        claim.is_of_all = (kind & kOfAll) != 0;
        claim.is_own = (kind & kOwn) != 0;
        if (claim.is_own) claim.own = {u.number(), u.number()};
        if (!claim.is_of_all || !claim.is_own) continue;
        claim.of_all = unpack_form(u);
      }
    }
  }
  for (auto& [identity, dataset] : all.datasets)
    for (auto& [number, chunk] : dataset.chunks) resolve(all, dataset, number, chunk);
  return all;
}

std::exception_ptr error_of(std::span<const ChunkClaims::Conflict> conflicts) {
  if (conflicts.empty()) return nullptr;
  constexpr std::size_t kMostNamed = 4;
  const auto where = [](const ChunkClaims::Conflict& c) {
    return where_is(*c.dataset->node, known_edited_chunks(*c.dataset->node)->table().grid(),
                    c.number);
  };
  const ChunkClaims::Conflict& first = conflicts.front();
  std::string text = fmt::format(
      "{}: ranks {} and {} wrote to it independently since the last flush; it stays "
      "unchanged",
      where(first), first.ranks[0], first.ranks[1]);
  for (std::size_t i = 1; i < std::min(conflicts.size(), kMostNamed); ++i)
    text += fmt::format("; likewise {}: ranks {} and {}", where(conflicts[i]),
                        conflicts[i].ranks[0], conflicts[i].ranks[1]);
  if (conflicts.size() > kMostNamed)
    text += fmt::format("; and {} more chunks", conflicts.size() - kMostNamed);
  return std::make_exception_ptr(Error(ErrorCode::diverged, text));
}

}  // namespace onecast::together
