#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/extent_list.hpp"
#include "objects/any_layout/stored_extents.hpp"
#include "objects/any_layout/transfer.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/digest.hpp"
#include "objects/together/overlapping_parts.hpp"
#include "objects/together/requests.hpp"
#include "onecast/objects/multi.hpp"

namespace onecast::together {

/// The flags that ranks send to each other. All ranks receive the union.
struct WriteNews {
  enum Flag : std::uint64_t {
    kCompact = 1,         ///< the rank writes compact data
    kNewChunks = 2,       ///< chunks that all ranks must know
    kPendingChunks = 4,   ///< chunks that are not settled yet
    kValues = 8,          ///< values for the heap
    kPendingValues = 16,  ///< values that are not settled yet
    kUnfilled = 32,       ///< some data is not filled yet
    kByParts = 64,        ///< the rank converts more than a buffer takes
  };
};

/// A call on this rank. Everything except the writes is equal on all ranks.
struct WriteCall {
  FileState& file;
  CallKind kind;
  std::span<const Write> writes;
  Datasets named;
  bool checks_bytes;  ///< all ranks must write equal bytes

  AskedTransfer asked = asked_transfer(file, TransferDirection::writing,
                                       checks_bytes ? Sharing::verify : Sharing::automatic);
};

/// One of the writes while the call works on it.
struct WritePart {
  enum class Kind : std::uint8_t { values, chunks, compact, plain };

  explicit WritePart(const Write& w)
      : write(w),
        request(Transfer::Direction::writing, *w.dataset, w.bytes, w.memory, *w.part, w.memory_type,
                w.stream) {}

  const Write& write;
  Transfer request;
  std::vector<std::byte> own;
  std::span<const std::byte> stored;
  bool by_parts = false;  ///< true: elements are made by parts, and `stored` is empty
  Kind kind = Kind::plain;
  bool is_in_place = false;  ///< true if the chunks have places that do not change
  bool is_done = false;      ///< written before the agreement
  std::optional<ExtentList> extents;

  [[nodiscard]] StoredElements elements() const {
    return by_parts ? StoredElements(request, write.bytes) : StoredElements(stored);
  }
  [[nodiscard]] const ExtentList* known_extents() const { return extents ? &*extents : nullptr; }
  [[nodiscard]] std::size_t element_size() const { return write.dataset->dataset().type.size(); }
};

/// Unlike a deque, an empty list takes no memory.
using WriteParts = std::list<WritePart>;

/// The writes of this rank, prepared before it knows of the other ranks.
struct PreparedWrite {
  explicit PreparedWrite(const WriteCall& call)
      : call_(call), checks_bytes_(call.checks_bytes && call.file.comm().size() > 1) {}

  /// Checks and packs the elements, and decides whether this rank waits for the others. If it does
  /// not, it writes what has its place. Does not communicate.
  void prepare();
  /// Adds a write without elements to a dataset that only other ranks name.
  WritePart& add_nothing(Node& dataset);

  WriteParts parts;
  CallSummary summary;  ///< what this rank tells the others
  ExtentList extents;   ///< what waits for the other ranks
  OutBuffers buffers;   ///< its elements

  [[nodiscard]] std::uint64_t bytes() const;

 private:
  void add(const Write& write);
  void add_stored(WritePart& part);
  void arrange();
  void write_at_once(WritePart& part);
  [[nodiscard]] ExtentList merged(bool with_parts);
  [[nodiscard]] OwnPart own_part(const ExtentList& all) const;
  void require_disjoint_parts() const;

  const WriteCall& call_;
  bool checks_bytes_;
  std::list<Write> of_others_;           ///< without elements
  std::size_t room_ = kConvertedAtOnce;  ///< the room for elements that are packed or converted
  Digest request_;                       ///< the elements
  Digest places_;                        ///< their selections and datasets
};

}  // namespace onecast::together
