#include "objects/together/settle_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "comm/agreement.hpp"
#include "objects/chunks/new_chunks.hpp"
#include "objects/elements/piece_writer.hpp"
#include "objects/memory/packer.hpp"
#include "objects/together/chunk_claims.hpp"
#include "objects/values/heap_writer.hpp"
#include "onecast/base/error.hpp"

namespace onecast::together {
namespace {

class Settling {
 public:
  Settling(FileState& file, std::span<Node* const> datasets)
      : file_(file), comm_(file.comm()), edited_(datasets) {}

  std::exception_ptr run() {
    const OwnClaims mine = agree(comm_, [&] { return claim_chunks(file_, edited_); });
    const auto gathered = comm_.all_gather(mine.packed);
    if (may_lay_over(gathered)) {
      agree(comm_, [&] { claims_ = merge_claims(file_, gathered); });
      if (!claims_.laid_over.empty()) lay_over();
      agree(comm_, [&] { allocate(); });
    } else {
      agree(comm_, [&] {
        claims_ = merge_claims(file_, gathered);
        allocate();
      });
    }
    const WritingTurns turns = writing_turns(claims_.parts, static_cast<std::size_t>(comm_.size()));
    for (std::size_t turn = 0; !claims_.parts.empty() && turn < turns.count; ++turn)
      agree(comm_, [&] {
        if (turns.of_rank[static_cast<std::size_t>(comm_.rank())] == turn) write_parts();
      });
    places_->enter_written();
    for (const auto& [identity, dataset] : claims_.datasets)
      forget_settled(*known_edited_chunks(*dataset.node));
    std::exception_ptr error = error_of(claims_.conflicts);
    if (claims_.any_failed) {
      const std::exception_ptr failure = error_of_all(mine.failure);
      if (!error) error = failure;
    }
    if (error) heap_of(file_).keep_dropped();
    return error;
  }

 private:
  [[nodiscard]] std::exception_ptr error_of_all(const std::exception_ptr& mine) {
    try {
      agree(comm_, [&] {
        if (mine) std::rethrow_exception(mine);
      });
    } catch (const Error&) {
      return std::current_exception();
    }
    return nullptr;
  }

  // --- filtered chunks that all ranks gave, and one wrote to afterwards --------------------------
  /// Sends the parts of the rank that wrote afterwards to the rank that has the chunk, which lays
  /// them over it.
  void lay_over() {
    std::vector<std::vector<std::byte>> to;
    agree(comm_, [&] { to = pack_own_parts(); });
    const auto received = comm_.exchange(to);
    std::vector<std::byte> sizes;
    agree(comm_, [&] { sizes = encode_laid_over(received); });
    const auto gathered = comm_.all_gather(sizes);
    std::vector<Unpacker> all(gathered.begin(), gathered.end());
    for (const ChunkClaims::LaidOver& chunk : claims_.laid_over) {
      Claim& claim = chunk.chunk->claims.front();
      Unpacker& u = all[static_cast<std::size_t>(claim.rank)];
      claim.form = unpack_form(u);
      chunk.chunk->claims.resize(1);
    }
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> pack_own_parts() const {
    std::vector<Packer> to(static_cast<std::size_t>(comm_.size()));
    for (const ChunkClaims::LaidOver& chunk : claims_.laid_over) {
      if (chunk.rank != comm_.rank()) continue;
      const PendingChunk& pending = pending_of(*chunk.dataset, chunk.number);
      const Buffer image = known_edited_chunks(*chunk.dataset->node)->image(chunk.number);
      Packer& p = to[static_cast<std::size_t>(chunk.chunk->claims.front().rank)];
      p.number(pending.written.intervals().size());
      for (const auto& [first, end] : pending.written.intervals()) {
        p.number(first);
        p.block(image.span().subspan(static_cast<std::size_t>(first),
                                     static_cast<std::size_t>(end - first)));
      }
    }
    return taken(to);
  }

  /// Returns the sizes of this rank's chunks, in their order.
  std::vector<std::byte> encode_laid_over(const std::vector<std::vector<std::byte>>& received) {
    std::vector<Unpacker> parts(received.begin(), received.end());
    Packer sizes;
    for (const ChunkClaims::LaidOver& chunk : claims_.laid_over) {
      if (chunk.chunk->claims.front().rank != comm_.rank()) continue;
      EditedChunks& edited = *known_edited_chunks(*chunk.dataset->node);
      Buffer image = edited.image(chunk.number);
      Unpacker& u = parts[static_cast<std::size_t>(chunk.rank)];
      for (std::uint64_t left = u.number(); left > 0; --left) {
        const std::uint64_t at = u.number();
        const auto bytes = u.block();
        std::memcpy(image.data() + at, bytes.data(), bytes.size());
      }
      WaitingChunk whole = edited.waiting(edited.encode(chunk.number, image.span()));
      pack(sizes, whole);
      laid_over_bytes_.emplace(chunk.chunk, std::move(whole.bytes));
    }
    return std::move(sizes.out);
  }

  [[nodiscard]] const WaitingBytes& bytes_of(const ClaimedDataset& dataset, std::uint64_t number,
                                             const ClaimedChunk& chunk) const {
    if (chunk.stored == ClaimedChunk::Stored::laid_over)
      return laid_over_bytes_.find(&chunk)->second;
    const PendingChunk& pending = pending_of(dataset, number);
    return (chunk.stored == ClaimedChunk::Stored::of_all ? pending.of_all : pending.stored).bytes;
  }

  void allocate() {
    give_places();
    write_first();
  }

  void give_places() {
    places_.emplace(file_);
    for (auto& [identity, dataset] : claims_.datasets) {
      EditedChunks& edited = *known_edited_chunks(*dataset.node);
      for (auto& [number, chunk] : dataset.chunks) {
        if (chunk.claims.empty()) continue;
        const Claim& first = chunk.claims.front();
        const auto known = edited.table().find(number);
        const bool stays = dataset.node->dataset().filters.empty() && known &&
                           !is_cut(*dataset.node, number, *known);
        chunk.place =
            stays ? places_->add_allocated(edited, number, *known).address
                  : places_->add(edited, number, first.form.size, first.form.filter_mask).address;
      }
    }
  }

  /// Returns true if the chunk in the file has elements that the flush cuts off: until then they
  /// stay.
  static bool is_cut(const Node& node, std::uint64_t number, const ChunkSlot& slot) {
    return slot.committed && known_edited_chunks(node)->table().valid_extent(number) != nullptr;
  }

  void write_first() const {
    PieceWriter writer(file_);
    for (const auto& [identity, dataset] : claims_.datasets)
      for (const auto& [number, chunk] : dataset.chunks)
        if (!chunk.claims.empty() && chunk.claims.front().rank == comm_.rank())
          bytes_of(dataset, number, chunk)
              .for_each_piece([&](std::uint64_t offset, std::span<const std::byte> bytes) {
                writer.add(chunk.place + offset, bytes);
              });
    writer.finish();
  }

  /// Writes this rank's parts of the chunks that several ranks wrote to.
  void write_parts() const {
    PieceWriter writer(file_);
    for (const auto& [identity, dataset] : claims_.datasets)
      for (const auto& [number, chunk] : dataset.chunks)
        for (std::size_t i = 1; i < chunk.claims.size(); ++i)
          if (chunk.claims[i].rank == comm_.rank()) {
            const PendingChunk& pending = pending_of(dataset, number);
            for (const auto& [first, end] : pending.written.intervals())
              pending.stored.bytes.for_each_piece(
                  first, end - first, [&](std::uint64_t offset, std::span<const std::byte> bytes) {
                    writer.add(chunk.place + offset, bytes);
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

  static const PendingChunk& pending_of(const ClaimedDataset& dataset, std::uint64_t number) {
    return known_edited_chunks(*dataset.node)->pending().find(number)->second;
  }

  FileState& file_;
  CommunicatorBackend& comm_;
  std::span<Node* const> edited_;  ///< the datasets with edited chunks
  ChunkClaims claims_;
  std::unordered_map<const ClaimedChunk*, WaitingBytes> laid_over_bytes_;  ///< those of this rank
  std::optional<NewChunks> places_;
};

}  // namespace

bool has_unsettled_chunks(const Node& dataset) {
  const EditedChunks* const chunks = known_edited_chunks(dataset);
  return chunks != nullptr && !dataset.removed && chunks->needs_settling();
}

std::exception_ptr settle_chunks(FileState& file) {
  return Settling(file, file.changes().edited_datasets).run();
}

std::exception_ptr settle_chunks(FileState& file, std::span<Node* const> only) {
  std::vector<Node*> edited;
  std::unordered_set<const Node*> known;
  for (Node* node : only)
    if (known_edited_chunks(*node) != nullptr && known.insert(node).second) edited.push_back(node);
  return Settling(file, edited).run();
}

}  // namespace onecast::together
