#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/interval_set.hpp"
#include "base/namespaces.hpp"
#include "filters/filters.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/nodes/node.hpp"
#include "pages/waiting_bytes.hpp"

namespace onecast::chunks {

/// A chunk in its stored form, which waits for the flush.
struct WaitingChunk {
  WaitingBytes bytes;
  std::uint32_t filter_mask = 0;
};

/// A chunk that this rank has changed and that is not in the file yet: decoded in memory for a
/// while, or in stored form.
struct PendingChunk {
  Buffer decoded;       ///< filtered data; empty: see `stored`
  WaitingChunk stored;  ///< empty: see `decoded`
  /// The bytes that this rank wrote independently, in a chunk that waits for the flush. Other ranks
  /// may have written the others.
  IntervalSet written;
  /// True if it has elements that all ranks gave and that this rank keeps for all.
  bool is_of_all = false;
  /// Filtered data: the chunk with the elements that all ranks gave, without this rank's
  /// independent writes. Empty: the chunk has no independent writes.
  WaitingChunk of_all;
  bool is_held = false;  ///< true if it gets its place at the flush and not before
  std::list<std::uint64_t>::iterator use{};  ///< its position in the order of use, if decoded

  [[nodiscard]] bool is_decoded() const { return !decoded.empty(); }
};

/// The chunks of a dataset that is written: their places, and this rank's writes that are not in
/// the file yet.
class EditedChunks final : public WrittenStorage {
 public:
  using Pending = std::map<std::uint64_t, PendingChunk>;

  /// Reads the index.
  explicit EditedChunks(Node& dataset);
  EditedChunks(const EditedChunks&) = delete;
  EditedChunks& operator=(const EditedChunks&) = delete;
  ~EditedChunks() override { forget_all_pending(); }

  /// Finds the existing chunks that hold selected elements; returns the number of all chunks that
  /// hold any. `in_memory` gets those that must be read by image().
  std::uint64_t locate(const BoundSelection& selection, std::vector<ChunkPlace>& found,
                       std::vector<std::uint64_t>& in_memory) const;
  /// Returns a whole chunk as this rank sees it, with the fill value where nothing was written.
  [[nodiscard]] Buffer image(std::uint64_t number) const;
  /// Returns a whole chunk as all ranks see it, without pending changes.
  [[nodiscard]] Buffer stored_image(std::uint64_t number) const;

  /// Calls `read`, which finds the chunks as all ranks see them, and changes none.
  template <class F>
  void without_pending(F&& read) {
    struct Aside {
      explicit Aside(Pending& all) : pending(all) { pending.swap(kept); }
      ~Aside() { pending.swap(kept); }
      Aside(const Aside&) = delete;
      Aside& operator=(const Aside&) = delete;
      Pending& pending;
      Pending kept;
    } const aside(pending_);
    std::forward<F>(read)();
  }

  /// Returns a pending chunk of filtered data, decoded. A chunk that is not pending yet is created
  /// from its image.
  PendingChunk& decoded(std::uint64_t number);
  /// Returns a pending chunk of unfiltered data. A chunk that is not pending yet is created from
  /// its image. Throws Error (io) if there is no room for it.
  PendingChunk& unfiltered(std::uint64_t number);
  /// Makes a chunk pending without a change.
  void pend(std::uint64_t number) {
    if (dataset_.dataset().filters.empty())
      unfiltered(number);
    else
      decoded(number);
  }
  /// Throws Error (io) if there is no room for it.
  [[nodiscard]] WaitingChunk waiting(const EncodedChunk& encoded) const;
  /// Keeps the chunk until the flush.
  void keep(std::uint64_t number, WaitingChunk encoded, bool held);
  /// Keeps a filtered chunk that this rank alone has written completely.
  void keep_own(std::uint64_t number, WaitingChunk encoded);
  /// Keeps, for all ranks, a filtered chunk that all ranks have written completely.
  void keep_of_all(std::uint64_t number, WaitingChunk encoded);
  /// Prepares an independent write to a filtered chunk: keeps a copy of the elements that all ranks
  /// gave, if this rank keeps such. Throws Error (io) if there is no room for it.
  void set_apart(std::uint64_t number);
  /// Returns a pending filtered chunk without this rank's independent writes.
  [[nodiscard]] Buffer image_of_all(const PendingChunk& chunk, std::uint64_t number) const;
  void forget_pending(std::uint64_t number);
  void forget_all_pending();
  /// Forgets the pending chunks; the space of the others is free after the flush.
  void drop() override;

  /// Encodes decoded chunks, the least recently used first, while the file keeps more decoded bytes
  /// than its option allows; the chunk used last stays decoded. `place` writes those that need not
  /// wait for the flush. If it is empty, all wait; if they are far above the limit, the chunks that
  /// other datasets have used last are encoded as well.
  using Allocate =
      std::function<void(std::span<const std::uint64_t>, std::span<const EncodedChunk>)>;
  void make_room(const Allocate& allocate);
  /// Encodes all pending chunks.
  void encode_all();

  /// Filters the chunk, or copies it.
  [[nodiscard]] EncodedChunk encode(std::uint64_t number, std::span<const std::byte> chunk) const;
  /// Notes the chunk's new place.
  void set(std::uint64_t number, const ChunkSlot& slot);

  /// @same on all ranks
  void resize(const ChunkGrid& grid);

  /// Returns true if this rank has pending chunks or valid extents that the flush must handle.
  [[nodiscard]] bool needs_settling() const override {
    return !pending_.empty() || !table_.valid_extents().empty();
  }
  /// Returns true if the flush has nothing to do. The dataset then leaves the flush's list until
  /// edited_chunks() is called again.
  [[nodiscard]] bool is_settled() { return !(is_listed = needs_settling()); }
  bool is_listed = false;  ///< true if Changes::edited_datasets has the dataset
  [[nodiscard]] Node& dataset() const { return dataset_; }
  [[nodiscard]] ChunkTable& table() { return table_; }
  [[nodiscard]] const ChunkTable& table() const { return table_; }
  [[nodiscard]] const Pending& pending() const { return pending_; }

 private:
  void decode(const WaitingChunk& stored, std::uint64_t number, std::span<std::byte> out) const;
  [[nodiscard]] std::vector<EncodedChunk> encode_some(std::span<const std::uint64_t> numbers) const;
  void keep_some(std::span<const std::uint64_t> numbers, std::span<const EncodedChunk> encoded);
  void set_decoded(std::uint64_t number, PendingChunk& chunk, Buffer bytes);
  void drop_decoded(PendingChunk& chunk);
  void release(const std::vector<ChunkSlot>& freed);
  void resize_pending(const ChunkGrid& before, const ChunkGrid& next);

  Node& dataset_;
  ChunkTable table_;
  Pending pending_;
  std::list<std::uint64_t> uses_;  ///< the decoded pending chunks, the most recently used last
};

/// Returns the editable chunks of a dataset, or null if edited_chunks() has not created them.
inline EditedChunks* known_edited_chunks(const Node& dataset) {
  WrittenStorage* const written = dataset.written.get();
  const bool has_chunks = written != nullptr && written->kind() == WrittenStorage::Kind::chunks;
  return has_chunks ? static_cast<EditedChunks*>(written) : nullptr;
}
/// Returns the editable chunks of a dataset, created by the first call. Throws Error (unsupported)
/// if the dataset's structure cannot be changed.
EditedChunks& edited_chunks(Node& dataset);

}  // namespace onecast::chunks
