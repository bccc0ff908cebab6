#include "objects/together/settle_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "comm/agreement.hpp"
#include "objects/memory/packer.hpp"
#include "objects/storage/chunk_access.hpp"
#include "objects/storage/edited_chunks.hpp"
#include "objects/storage/piece_writer.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/writing_turns.hpp"
#include "onecast/base/error.hpp"
#include "pages/draft_allocator.hpp"

namespace onecast {
namespace {

/// A chunk that a rank has in memory.
struct Claim {
  int rank = 0;
  std::uint64_t size = 0;  ///< as it will be stored
  std::uint32_t filter_mask = 0;
  bool is_of_all = false;         ///< the rank keeps what all gave
  bool is_own = false;            ///< the rank wrote to it for itself
  Interval own{0, 0};             ///< then: all bytes that it wrote lie there
  std::uint64_t of_all_size = 0;  ///< if both: without what the rank wrote for itself
  std::uint32_t of_all_mask = 0;
  /// Neither: it is cut, as the dataset shrank.
  [[nodiscard]] bool is_only_cut() const { return !is_of_all && !is_own; }
};

class Settling {
 public:
  Settling(FileState& file, std::span<Node* const> datasets)
      : file_(file), comm_(file.comm()), edited_(datasets) {}

  std::exception_ptr run() {
    const std::vector<std::byte> mine = agree(comm_, [&] { return pack_mine(); });
    const auto gathered = comm_.all_gather(mine);
    if (may_lay_over(gathered)) {
      agree(comm_, [&] { merge(gathered); });
      if (!laid_over_.empty()) lay_over();
      agree(comm_, [&] { place(); });
    } else {
      agree(comm_, [&] {
        merge(gathered);
        place();
      });
    }
    const WritingTurns turns = writing_turns(parts_, static_cast<std::size_t>(comm_.size()));
    for (std::size_t turn = 0; !parts_.empty() && turn < turns.count; ++turn)
      agree(comm_, [&] {
        if (turns.of_rank[static_cast<std::size_t>(comm_.rank())] == turn) write_parts();
      });
    adopt();
    if (!conflicts_.empty()) set_conflict();
    if (any_failed_) tell_failure();
    if (conflict_) file_.heap().keep_dropped();
    return conflict_;
  }

 private:
  /// What of a pending chunk is stored.
  enum class Stored : std::uint8_t { pending, of_all, laid_over };
  struct Chunk {
    std::vector<Claim> claims;  ///< by rank; the first writes the whole chunk
    std::optional<ChunkSlot> slot;
    Stored stored = Stored::pending;
  };
  struct Dataset {
    Node* node;
    std::map<std::uint64_t, Chunk> chunks;
  };
  /// A chunk that all ranks gave, of the rank that has the first claim, and `rank` wrote to.
  struct LaidOver {
    const Dataset* dataset;
    std::uint64_t number;
    Chunk* chunk;
    int rank;
  };
  /// Two ranks wrote to it for themselves.
  struct Conflict {
    const Dataset* dataset;
    std::uint64_t number;
    std::array<int, 2> ranks;
  };
  static constexpr std::uint64_t kOfAll = 1;  ///< of what is sent of a claim
  static constexpr std::uint64_t kOwn = 2;
  static constexpr std::uint64_t kFailed =
      4;  ///< in front of all claims of a rank, with their kinds

  /// What cannot be encoded stays pending: all else is stored, and the next flush tries again.
  static bool cannot_be_encoded(const PendingChunk& chunk) { return chunk.is_decoded(); }

  void encode(EditedChunks& edited) {
    try {
      return edited.encode_all();
    } catch (...) {
      failure_ = failure_ ? failure_ : std::current_exception();
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
        failure_ = failure_ ? failure_ : std::current_exception();
      }
    }
  }

  void tell_failure() {
    try {
      agree(comm_, [&] {
        if (failure_) std::rethrow_exception(failure_);
      });
    } catch (const Error&) {
      if (!conflict_) conflict_ = std::current_exception();
    }
  }

  std::vector<std::byte> pack_mine() {
    Packer p;
    std::uint64_t kinds = 0;
    for (Node* node : edited_) {
      EditedChunks& edited = *node->edited_chunks;
      // Of a local dataset the others know nothing: its chunks are settled by the flush.
      if (node->is_local() || !edited.needs_settling()) continue;
      if (node->removed) {
        edited.forget_all_pending();
        continue;
      }
      pend_cut_by_me(edited);
      encode(edited);
      const auto ready =
          edited.pending().size() -
          static_cast<std::size_t>(std::ranges::count_if(
              edited.pending(), [](const auto& chunk) { return cannot_be_encoded(chunk.second); }));
      if (ready == 0) continue;
      p.number(node->is_new() ? 1 : 0);
      p.number(node->identity());
      p.number(ready);
      for (const auto& [number, chunk] : edited.pending()) {
        if (cannot_be_encoded(chunk)) continue;
        const bool is_own = !chunk.written.empty();
        p.number(number);
        p.number(chunk.stored.size());
        p.number(chunk.filter_mask);
        const std::uint64_t kind = (chunk.is_of_all ? kOfAll : 0) | (is_own ? kOwn : 0);
        p.number(kind);
        kinds |= kind;
        if (is_own) {
          p.number(chunk.written.front().first);
          p.number(chunk.written.back().end);
        }
        if (!chunk.is_of_all || !is_own) continue;
        p.number(chunk.of_all.size());
        p.number(chunk.of_all_mask);
      }
    }
    Packer all;
    all.number((failure_ ? kFailed : 0) | kinds);
    all.out.insert(all.out.end(), p.out.begin(), p.out.end());
    return std::move(all.out);
  }

  /// Chunks that shrinking cut are made pending, each by one rank.
  void pend_cut_by_me(EditedChunks& edited) const {
    std::vector<std::uint64_t> cut;
    const auto ranks = static_cast<std::uint64_t>(comm_.size());
    for (const auto& [number, extent] : edited.table().valid_extents())
      if (number % ranks == static_cast<std::uint64_t>(comm_.rank()) &&
          !edited.pending().contains(number))
        cut.push_back(number);
    for (const std::uint64_t number : cut) edited.pend(number);
  }

  /// May a rank have what another must lay over what all gave? Most of the time none has.
  static bool may_lay_over(const std::vector<std::vector<std::byte>>& gathered) {
    std::size_t of_all = 0;
    std::size_t own = 0;
    std::size_t both = 0;
    for (const std::vector<std::byte>& of_rank : gathered) {
      const std::uint64_t kinds = Unpacker(of_rank).number();
      of_all += (kinds & kOfAll) != 0 ? 1 : 0;
      own += (kinds & kOwn) != 0 ? 1 : 0;
      both += (kinds & kOfAll) != 0 && (kinds & kOwn) != 0 ? 1 : 0;
    }
    return of_all != 0 && own != 0 && of_all + own - both > 1;
  }

  void merge(const std::vector<std::vector<std::byte>>& gathered) {
    for (std::size_t r = 0; r < gathered.size(); ++r) {
      Unpacker u(gathered[r]);
      any_failed_ = (u.number() & kFailed) != 0 || any_failed_;
      while (!u.at_end()) {
        NodeId id;
        id.is_new = u.number() != 0;
        id.identity = u.number();
        Node& node = file_.nodes().of(id);
        edited_chunks(node);
        Dataset& dataset = datasets_.try_emplace(id.identity, Dataset{&node, {}}).first->second;
        for (std::uint64_t left = u.number(); left > 0; --left) {
          Chunk& chunk = dataset.chunks[u.number()];
          Claim& claim = chunk.claims.emplace_back();
          claim.rank = static_cast<int>(r);
          claim.size = u.number();
          claim.filter_mask = static_cast<std::uint32_t>(u.number());
          const std::uint64_t kind = u.number();
          claim.is_of_all = (kind & kOfAll) != 0;
          claim.is_own = (kind & kOwn) != 0;
          if (claim.is_own) claim.own = {u.number(), u.number()};
          if (!claim.is_of_all || !claim.is_own) continue;
          claim.of_all_size = u.number();
          claim.of_all_mask = static_cast<std::uint32_t>(u.number());
        }
      }
    }
    for (auto& [identity, dataset] : datasets_)
      for (auto& [number, chunk] : dataset.chunks) resolve(dataset, number, chunk);
  }

  void resolve(const Dataset& dataset, std::uint64_t number, Chunk& chunk) {
    auto& claims = chunk.claims;
    if (claims.size() > 1) {
      const Claim first = claims.front();
      std::erase_if(claims, [](const Claim& c) { return c.is_only_cut(); });
      if (claims.empty()) claims.push_back(first);
    }
    if (claims.size() < 2) return;
    if (dataset.node->dataset().filters.empty()) {
      for (const Claim& c : std::span(claims).subspan(1))
        parts_.push_back(
            {static_cast<std::size_t>(c.rank), {dataset.node->identity(), number}, {c.own}});
      return;
    }
    const auto of_all = std::ranges::find_if(claims, &Claim::is_of_all);
    if (std::ranges::count_if(claims, &Claim::is_own) == 1 && of_all != claims.end()) {
      std::rotate(claims.begin(), of_all, of_all + 1);
      laid_over_.push_back({&dataset, number, &chunk, claims[1].rank});
      chunk.stored = Stored::laid_over;
      return;
    }
    std::vector<int> own;
    for (const Claim& c : claims)
      if (c.is_own) own.push_back(c.rank);
    conflicts_.push_back({&dataset, number, {own[0], own[1]}});
    keep_of_all(chunk, of_all);
  }

  /// What all ranks gave is stored, and nothing of what ranks wrote for themselves.
  static void keep_of_all(Chunk& chunk, std::vector<Claim>::iterator of_all) {
    if (of_all == chunk.claims.end()) return chunk.claims.clear();
    Claim claim = *of_all;
    if (claim.is_own) {
      claim.size = claim.of_all_size;
      claim.filter_mask = claim.of_all_mask;
      chunk.stored = Stored::of_all;
    }
    chunk.claims = {claim};
  }

  void set_conflict() {
    constexpr std::size_t kMostNamed = 4;
    const auto where = [](const Conflict& c) {
      return where_is(*c.dataset->node, c.dataset->node->edited_chunks->table().grid(), c.number);
    };
    const Conflict& first = conflicts_.front();
    std::string text = fmt::format(
        "{}: ranks {} and {} wrote to it independently since the last flush; it stays "
        "unchanged",
        where(first), first.ranks[0], first.ranks[1]);
    for (std::size_t i = 1; i < std::min(conflicts_.size(), kMostNamed); ++i)
      text += fmt::format("; likewise {}: ranks {} and {}", where(conflicts_[i]),
                          conflicts_[i].ranks[0], conflicts_[i].ranks[1]);
    if (conflicts_.size() > kMostNamed)
      text += fmt::format("; and {} more chunks", conflicts_.size() - kMostNamed);
    conflict_ = std::make_exception_ptr(Error(ErrorCode::diverged, text));
  }

  // --- filtered chunks that all ranks gave, and one wrote to afterwards --------------------------
  /// That one sends its parts to the rank that has the chunk, which lays them over it.
  void lay_over() {
    std::vector<std::vector<std::byte>> to;
    agree(comm_, [&] { to = pack_own_parts(); });
    const auto received = comm_.exchange(to);
    std::vector<std::byte> sizes;
    agree(comm_, [&] { sizes = encode_laid_over(received); });
    const auto gathered = comm_.all_gather(sizes);
    std::vector<Unpacker> all(gathered.begin(), gathered.end());
    for (const LaidOver& chunk : laid_over_) {
      Claim& claim = chunk.chunk->claims.front();
      Unpacker& u = all[static_cast<std::size_t>(claim.rank)];
      claim.size = u.number();
      claim.filter_mask = static_cast<std::uint32_t>(u.number());
      chunk.chunk->claims.resize(1);
    }
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> pack_own_parts() const {
    std::vector<Packer> to(static_cast<std::size_t>(comm_.size()));
    for (const LaidOver& chunk : laid_over_) {
      if (chunk.rank != comm_.rank()) continue;
      const PendingChunk& pending = pending_of(*chunk.dataset, chunk.number);
      const Buffer image = chunk.dataset->node->edited_chunks->image(chunk.number);
      Packer& p = to[static_cast<std::size_t>(chunk.chunk->claims.front().rank)];
      p.number(pending.written.size());
      for (const Interval& part : pending.written) {
        p.number(part.first);
        p.block(image.span().subspan(static_cast<std::size_t>(part.first),
                                     static_cast<std::size_t>(part.end - part.first)));
      }
    }
    std::vector<std::vector<std::byte>> packed;
    packed.reserve(to.size());
    for (Packer& p : to) packed.push_back(std::move(p.out));
    return packed;
  }

  /// Returns how large this rank's are, in their order.
  std::vector<std::byte> encode_laid_over(const std::vector<std::vector<std::byte>>& received) {
    std::vector<Unpacker> parts(received.begin(), received.end());
    Packer sizes;
    for (const LaidOver& chunk : laid_over_) {
      if (chunk.chunk->claims.front().rank != comm_.rank()) continue;
      EditedChunks& edited = *chunk.dataset->node->edited_chunks;
      Buffer image = edited.image(chunk.number);
      Unpacker& u = parts[static_cast<std::size_t>(chunk.rank)];
      for (std::uint64_t left = u.number(); left > 0; --left) {
        const std::uint64_t at = u.number();
        const auto bytes = u.block();
        std::memcpy(image.data() + at, bytes.data(), bytes.size());
      }
      EditedChunks::Waiting whole = edited.waiting(edited.encode(chunk.number, image.span()));
      sizes.number(whole.bytes.size());
      sizes.number(whole.filter_mask);
      laid_over_bytes_.emplace(chunk.chunk, std::move(whole.bytes));
    }
    return std::move(sizes.out);
  }

  [[nodiscard]] const WaitingBytes& bytes_of(const Dataset& dataset, std::uint64_t number,
                                             const Chunk& chunk) const {
    if (chunk.stored == Stored::laid_over) return laid_over_bytes_.find(&chunk)->second;
    const PendingChunk& pending = pending_of(dataset, number);
    return chunk.stored == Stored::of_all ? pending.of_all : pending.stored;
  }

  void place() {
    give_places();
    write_first();
  }

  void give_places() {
    next_.emplace(file_.allocator());
    for (auto& [identity, dataset] : datasets_) {
      const bool filtered = !dataset.node->dataset().filters.empty();
      for (auto& [number, chunk] : dataset.chunks) {
        if (chunk.claims.empty()) continue;
        const Claim& first = chunk.claims.front();
        const auto known = dataset.node->edited_chunks->table().find(number);
        chunk.slot = ChunkSlot{{}, first.size, first.filter_mask, false};
        if (filtered) {
          chunk.slot->address = (*next_)->packed_raw_data(first.size);
        } else if (known && !is_cut(*dataset.node, number, *known)) {
          chunk.slot = *known;
        } else {
          chunk.slot->address = (*next_)->raw_data(first.size);
        }
      }
    }
  }

  /// The file on disk has it with elements that the flush cuts off: until then they stay.
  static bool is_cut(const Node& node, std::uint64_t number, const ChunkSlot& slot) {
    return slot.committed && node.edited_chunks->table().valid_extent(number) != nullptr;
  }

  void write_first() const {
    PieceWriter writer(file_);
    for (const auto& [identity, dataset] : datasets_)
      for (const auto& [number, chunk] : dataset.chunks)
        if (!chunk.claims.empty() && chunk.claims.front().rank == comm_.rank())
          bytes_of(dataset, number, chunk)
              .for_each_piece([&](std::uint64_t offset, std::span<const std::byte> bytes) {
                writer.add(chunk.slot->address + offset, bytes);
              });
    writer.finish();
  }

  /// Of chunks that several ranks wrote to, each adds what it wrote.
  void write_parts() const {
    PieceWriter writer(file_);
    for (const auto& [identity, dataset] : datasets_)
      for (const auto& [number, chunk] : dataset.chunks)
        for (std::size_t i = 1; i < chunk.claims.size(); ++i)
          if (chunk.claims[i].rank == comm_.rank()) {
            const PendingChunk& pending = pending_of(dataset, number);
            for (const Interval& part : pending.written)
              pending.stored.for_each_piece(
                  part.first, part.end - part.first,
                  [&](std::uint64_t offset, std::span<const std::byte> bytes) {
                    writer.add(chunk.slot->address + offset, bytes);
                  });
          }
    writer.finish();
  }

  static void forget_settled(EditedChunks& edited) {
    std::vector<std::uint64_t> settled;
    for (const auto& [number, chunk] : edited.pending())
      if (!cannot_be_encoded(chunk)) settled.push_back(number);
    for (const std::uint64_t number : settled) edited.forget_pending(number);
  }

  static const PendingChunk& pending_of(const Dataset& dataset, std::uint64_t number) {
    return dataset.node->edited_chunks->pending().find(number)->second;
  }

  void adopt() {
    next_->adopt();
    for (auto& [identity, dataset] : datasets_) {
      EditedChunks& edited = *dataset.node->edited_chunks;
      for (const auto& [number, chunk] : dataset.chunks) {
        if (!chunk.slot) continue;
        edited.set(number, *chunk.slot);
        const std::uint64_t end = chunk.slot->address.value + chunk.slot->size;
        file_.changes().file_end = std::max(file_.changes().file_end, end);
      }
      forget_settled(edited);
      if (edited.table().changed) dataset.node->edit();
    }
  }

  FileState& file_;
  CommunicatorBackend& comm_;
  std::span<Node* const> edited_;              ///< with edited chunks
  std::map<std::uint64_t, Dataset> datasets_;  ///< by Node::identity(): alike on all ranks
  std::vector<WrittenBox> parts_;  ///< of shared chunks, but for the ranks that write them whole
  std::vector<LaidOver> laid_over_;
  std::unordered_map<const Chunk*, WaitingBytes> laid_over_bytes_;  ///< this rank's
  std::vector<Conflict> conflicts_;
  std::exception_ptr conflict_;
  std::exception_ptr failure_;  ///< of this rank
  bool any_failed_ = false;     ///< any rank
  std::optional<DraftAllocator> next_;
};

}  // namespace

bool has_unsettled_chunks(const Node& dataset) {
  return dataset.edited_chunks && !dataset.removed && dataset.edited_chunks->needs_settling();
}

bool has_unsettled_chunks(const FileState& file) {
  return std::any_of(file.changes().edited_datasets.begin(), file.changes().edited_datasets.end(),
                     [](const Node* node) { return has_unsettled_chunks(*node); });
}

std::exception_ptr settle_chunks(FileState& file) {
  return Settling(file, file.changes().edited_datasets).run();
}

std::exception_ptr settle_chunks(FileState& file, std::span<Node* const> only) {
  std::vector<Node*> edited;
  std::unordered_set<const Node*> known;
  for (Node* node : only)
    if (node->edited_chunks && known.insert(node).second) edited.push_back(node);
  return Settling(file, edited).run();
}

}  // namespace onecast
