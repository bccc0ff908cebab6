#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "objects/memory/packer.hpp"
#include "objects/storage/stored_elements.hpp"
#include "objects/storage/stored_extents.hpp"
#include "objects/storage/transfer.hpp"
#include "space/selection_parts.hpp"

namespace onecast::together {

/// What one rank of several asks for, of one dataset.
class SharedRead {
 public:
  /// `brings_all`: a small part of a small dataset may bring all of it to all ranks.
  /// `is_of_first_rank`: what is in memory may not be what the others have. `out` and `memory` are
  /// kept.
  SharedRead(Node& dataset, std::span<std::byte> out, const MemoryLayout* memory,
             const Selection& part, const std::optional<Datatype>& memory_type, bool brings_all,
             bool is_of_first_rank);

  [[nodiscard]] Node& dataset() const { return node_; }
  /// Equal for equal elements of one dataset.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] std::uint64_t bytes() const { return request_.packed_size(); }
  [[nodiscard]] bool wants_all() const {
    return request_.selection().element_count() == node_.dataspace().element_count();
  }
  /// Would a rank alone read anything from the file, or must it ask the first rank?
  [[nodiscard]] bool reads_the_file() const { return reads_the_file_; }

  /// Are there chunks to be decoded, which others may want, too?
  [[nodiscard]] bool decodes_chunks() const;
  [[nodiscard]] const BoundSelection& selection() const { return request_.selection(); }

  /// Looks where the elements lie: for reading them together with what others want.
  void find_extents();
  /// Those, if they lie in the file as they are, and none behind. Values of variable length lie
  /// elsewhere: a rank reads them when it looks at them.
  [[nodiscard]] const ExtentList* extents() const { return stored_ ? &stored_->extents : nullptr; }
  /// It is read for itself after all.
  void forget_extents() { stored_.reset(); }

  /// Does this rank convert, or arrange, more than a buffer takes? It goes by parts, then: through
  /// target(), and there is no room() for all of it.
  [[nodiscard]] bool by_parts() const { return by_parts_; }
  /// Where the elements go, as they are stored.
  [[nodiscard]] ElementTarget target();
  /// Room for a part of the extents, no more than converted_together(); and what was read there,
  /// from the element of number `first` on.
  [[nodiscard]] std::span<std::byte> room_for_part(std::size_t size);
  void take(std::uint64_t first, std::span<const std::byte> elements);

  /// Takes the memory that hear() and room() need: all ranks should know first that each has it.
  void prepare();

  void read_alone() const { request_.read(out_); }
  /// Rank 0 reads and broadcasts. `in_parts`: some rank goes by parts; the same on all ranks.
  /// @collective
  void hear(CommunicatorBackend& comm, bool in_parts);
  /// hear() for the reads of a list that read the file; small ones in common messages. `room`: of
  /// room_for() for the list. @collective
  static void hear(CommunicatorBackend& comm, std::span<SharedRead* const> reads,
                   std::span<std::byte> room, bool in_parts);
  /// How much memory hear() needs for small ones: no more than `most` bytes.
  static std::size_t room_for(std::span<SharedRead* const> reads, std::uint64_t most);
  /// Where the elements are to be read to, as they are stored.
  [[nodiscard]] std::span<std::byte> room();
  /// Where the extents are to be read to; between them is the fill value.
  [[nodiscard]] std::span<std::byte> room_for_extents();
  /// They have been.
  void unpack();

 private:
  [[nodiscard]] std::span<std::byte> ready(std::span<std::byte> bytes) const;
  [[nodiscard]] bool is_small() const;
  /// Is it heard in parts, if any rank asks for that?
  [[nodiscard]] bool is_large() const;
  /// The caller's memory takes the elements as they are stored, too.
  [[nodiscard]] bool is_in_place() const { return !has_values_ && request_.works_in_place(); }
  [[nodiscard]] std::size_t aligned_size() const;
  void hear_all(CommunicatorBackend& comm);
  void hear_in_parts(CommunicatorBackend& comm);
  [[nodiscard]] std::span<std::byte> place_of(const SelectionPart& part);
  /// `whole`: kept from one part to the next.
  void read_part(const SelectionPart& part, std::span<std::byte> bytes, Buffer& whole);
  void give(const SelectionPart& part, std::span<const std::byte> bytes);
  [[nodiscard]] std::size_t stored_bytes() const;
  [[nodiscard]] bool is_small_part() const;
  [[nodiscard]] std::size_t value_room() const;
  std::uint64_t read_into_room(Packer& values);
  void pack_values(ByteView elements, Packer& values) const;
  void take_values(CommunicatorBackend& comm, Packer& values, std::uint64_t size);

  Node& node_;
  std::span<std::byte> out_;
  Transfer request_;
  bool has_values_;
  bool reads_the_file_;
  bool brings_all_;  ///< to all ranks, whatever part is wanted
  bool by_parts_;
  std::uint64_t digest_;
  std::optional<StoredExtents> stored_;
  Buffer room_;
  Buffer window_;  ///< for a part
};

}  // namespace onecast::together
