#include "objects/together/settle_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "comm/agreement.hpp"
#include "objects/memory/packer.hpp"
#include "objects/storage/chunk_access.hpp"
#include "objects/storage/edited_chunks.hpp"
#include "objects/storage/piece_writer.hpp"
#include "onecast/base/error.hpp"
#include "pages/draft_allocator.hpp"

namespace onecast {
namespace {

/// A chunk that a rank has in memory.
struct Claim {
  int rank;
  std::uint64_t size;  ///< as it will be stored
  std::uint32_t filter_mask;
  bool only_cut;  ///< not written, but the dataset shrank
};

class Settling {
 public:
  Settling(FileState& file, std::span<Node* const> datasets)
      : file_(file), comm_(file.comm()), edited_(datasets) {}

  std::exception_ptr run() {
    const std::vector<std::byte> mine = agree(comm_, [&] { return pack_mine(); });
    const auto gathered = comm_.all_gather(mine);
    agree(comm_, [&] {
      merge(gathered);
      give_places();
      write_first();
    });
    if (shared_) agree(comm_, [&] { write_parts(); });
    adopt();
    if (any_failed_) tell_failure();
    return conflict_;
  }

 private:
  struct Chunk {
    std::vector<Claim> claims;  ///< by rank; the first writes the whole chunk
    std::optional<ChunkSlot> slot;
  };
  struct Dataset {
    Node* node;
    std::map<std::uint64_t, Chunk> chunks;
  };

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
    for (Node* node : edited_) {
      EditedChunks& edited = *node->edited_chunks;
      // Of a local dataset the others know nothing: its chunks are settled by the flush.
      if (node->is_local() || !edited.needs_settling()) continue;
      if (node->removed) {
        edited.forget_all_pending();
        continue;
      }
      const std::vector<std::uint64_t> cut = cut_by_me(edited);
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
        p.number(number);
        p.number(chunk.stored.size());
        p.number(chunk.filter_mask);
        p.number(std::binary_search(cut.begin(), cut.end(), number) ? 1 : 0);
      }
    }
    Packer all;
    all.number(failure_ ? 1 : 0);
    all.out.insert(all.out.end(), p.out.begin(), p.out.end());
    return std::move(all.out);
  }

  /// Chunks that shrinking cut are made pending, each by one rank.
  std::vector<std::uint64_t> cut_by_me(EditedChunks& edited) const {
    std::vector<std::uint64_t> cut;
    const auto ranks = static_cast<std::uint64_t>(comm_.size());
    for (const auto& [number, extent] : edited.table().valid_extents())
      if (number % ranks == static_cast<std::uint64_t>(comm_.rank()) &&
          !edited.pending().contains(number))
        cut.push_back(number);
    for (const std::uint64_t number : cut) edited.pend(number);
    return cut;
  }

  void merge(const std::vector<std::vector<std::byte>>& gathered) {
    for (std::size_t r = 0; r < gathered.size(); ++r) {
      Unpacker u(gathered[r]);
      any_failed_ = u.number() != 0 || any_failed_;
      while (!u.at_end()) {
        NodeId id;
        id.is_new = u.number() != 0;
        id.identity = u.number();
        Node& node = file_.node_of(id);
        edited_chunks(node);
        Dataset& dataset = datasets_.try_emplace(id.identity, Dataset{&node, {}}).first->second;
        for (std::uint64_t left = u.number(); left > 0; --left) {
          Chunk& chunk = dataset.chunks[u.number()];
          Claim claim{static_cast<int>(r), u.number(), 0, false};
          claim.filter_mask = static_cast<std::uint32_t>(u.number());
          claim.only_cut = u.number() != 0;
          chunk.claims.push_back(claim);
        }
      }
    }
    for (auto& [identity, dataset] : datasets_)
      for (auto& [number, chunk] : dataset.chunks) resolve(*dataset.node, number, chunk);
  }

  void resolve(Node& node, std::uint64_t number, Chunk& chunk) {
    auto& claims = chunk.claims;
    if (claims.size() > 1) std::erase_if(claims, [](const Claim& c) { return c.only_cut; });
    if (claims.size() < 2) return;
    if (node.dataset().filters.empty()) {
      shared_ = true;
      return;
    }
    if (!conflict_)
      conflict_ = std::make_exception_ptr(
          Error(ErrorCode::diverged,
                fmt::format("{}: ranks {} and {} wrote to it independently since the last flush; "
                            "it stays as it was before",
                            where_is(node, node.edited_chunks->table().grid(), number),
                            claims[0].rank, claims[1].rank)));
    claims.clear();
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
          pending_of(dataset, number)
              .stored.for_each_piece([&](std::uint64_t offset, std::span<const std::byte> bytes) {
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
  bool shared_ = false;
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
