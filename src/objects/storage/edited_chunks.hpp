#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "filters/filters.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/storage/chunk_storage.hpp"
#include "objects/tree/node.hpp"
#include "pages/waiting_bytes.hpp"

namespace onecast::storage {

/// A chunk that this rank changed and that is not in the file yet: decoded in memory, for a while,
/// or as it will be stored.
struct PendingChunk {
  Buffer decoded;       ///< of filtered data; empty: there is `stored`
  WaitingBytes stored;  ///< empty: it is decoded
  std::uint32_t filter_mask = 0;
  /// Which bytes this rank wrote for itself, if it waits for the flush. Other ranks may have
  /// written the others.
  std::vector<Interval> written;
  bool is_of_all = false;  ///< has elements that all ranks gave, and this one keeps for them
  /// Of filtered data: the chunk with what all ranks gave, but without what this rank wrote for
  /// itself. Empty: the chunk is that.
  WaitingBytes of_all;
  std::uint32_t of_all_mask = 0;
  bool is_held = false;                      ///< gets its place at flush, not before
  std::list<std::uint64_t>::iterator use{};  ///< its place in the order of use, if decoded

  [[nodiscard]] bool is_decoded() const { return !decoded.empty(); }
};

/// The chunks of a dataset that is written to: where they lie, and what this rank wrote that is not
/// in the file yet.
class EditedChunks {
 public:
  using Pending = std::map<std::uint64_t, PendingChunk>;

  /// Reads the index.
  explicit EditedChunks(Node& dataset);
  EditedChunks(const EditedChunks&) = delete;
  EditedChunks& operator=(const EditedChunks&) = delete;
  ~EditedChunks() { forget_all_pending(); }

  /// The chunks that exist, of those that hold selected elements; returns how many those are.
  /// `in_memory`: those that image() must be asked for.
  std::uint64_t locate(const BoundSelection& selection, std::vector<ChunkPlace>& found,
                       std::vector<std::uint64_t>& in_memory) const;
  /// A whole chunk as it is for this rank; fill value where nobody wrote.
  [[nodiscard]] Buffer image(std::uint64_t number) const;
  /// A whole chunk as all ranks see it, without what is pending.
  [[nodiscard]] Buffer stored_image(std::uint64_t number) const;

  /// The pending chunk of filtered data, decoded; made of the image if it is not pending yet.
  PendingChunk& decoded(std::uint64_t number);
  /// The pending chunk of unfiltered data; made of the image if it is not pending yet. Throws
  /// Error (io) if there is no room for it.
  PendingChunk& unfiltered(std::uint64_t number);
  /// Makes it pending, as it is.
  void pend(std::uint64_t number) {
    if (dataset_.dataset().filters.empty())
      unfiltered(number);
    else
      decoded(number);
  }
  /// A chunk as it will be stored, ready to wait for the flush. Throws Error (io) if there is no
  /// room for it.
  struct Waiting {
    WaitingBytes bytes;
    std::uint32_t filter_mask;
  };
  [[nodiscard]] Waiting waiting(const EncodedChunk& encoded) const;
  /// Keeps it until flush.
  void keep(std::uint64_t number, Waiting encoded, bool held);
  /// This rank alone has written all of a filtered chunk.
  void keep_own(std::uint64_t number, Waiting encoded);
  /// All of a filtered chunk has what all ranks gave, for whom this one keeps it.
  void keep_of_all(std::uint64_t number, Waiting encoded);
  /// This rank is about to write for itself to a filtered chunk: if it keeps what all ranks gave,
  /// that stays beside. Throws Error (io) if there is no room for it.
  void set_apart(std::uint64_t number);
  /// Filtered: a pending chunk without what this rank wrote for itself.
  [[nodiscard]] Buffer image_of_all(const PendingChunk& chunk, std::uint64_t number) const;
  void forget_pending(std::uint64_t number);
  void forget_all_pending();
  /// The dataset is gone: what waits is forgotten, the space of the rest is free after the flush.
  void drop();

  /// Encodes decoded chunks, those used least recently first, as long as the file keeps more
  /// decoded bytes than its option says; the one used last stays. Those that need not wait for the
  /// flush get their place and are written, where `may_place`. Where all wait, and are far more
  /// than that, the chunks that other datasets have used last are encoded as well.
  void make_room(bool may_place);
  /// All pending chunks as they will be stored.
  void encode_all();

  /// Filters the chunk, or copies it.
  [[nodiscard]] EncodedChunk encode(std::uint64_t number, std::span<const std::byte> chunk) const;
  /// Gives chunks their places, in this order, and writes them. For one rank alone.
  void place(std::span<const std::uint64_t> numbers, std::span<const EncodedChunk> chunks);
  /// The chunk lies there from now on.
  void set(std::uint64_t number, const ChunkSlot& slot);

  /// @same on all ranks
  void resize(const ChunkGrid& grid);

  /// Has this rank something that flush must see to?
  [[nodiscard]] bool needs_settling() const {
    return !pending_.empty() || !table_.valid_extents().empty();
  }
  /// If flush has nothing to see to, it need not look until somebody asks for these again.
  [[nodiscard]] bool is_settled() { return !(is_listed = needs_settling()); }
  bool is_listed = false;  ///< in Changes::edited_datasets
  [[nodiscard]] ChunkTable& table() { return table_; }
  [[nodiscard]] const ChunkTable& table() const { return table_; }
  [[nodiscard]] const Pending& pending() const { return pending_; }

 private:
  void decode(const WaitingBytes& stored, std::uint32_t filter_mask, std::uint64_t number,
              std::span<std::byte> out) const;
  [[nodiscard]] std::vector<EncodedChunk> encode_some(std::span<const std::uint64_t> numbers) const;
  void keep_some(std::span<const std::uint64_t> numbers, std::span<const EncodedChunk> encoded);
  void set_decoded(std::uint64_t number, PendingChunk& chunk, Buffer bytes);
  void drop_decoded(PendingChunk& chunk);
  void release(const std::vector<ChunkSlot>& freed);
  void resize_pending(const ChunkGrid& before, const ChunkGrid& next);

  Node& dataset_;
  ChunkTable table_;
  Pending pending_;
  std::list<std::uint64_t> uses_;  ///< decoded pending chunks, the one used last behind
};

/// The editable chunks of a dataset, made at the first call. Throws Error (unsupported) if the
/// dataset's structure cannot be changed.
EditedChunks& edited_chunks(Node& dataset);

}  // namespace onecast::storage
