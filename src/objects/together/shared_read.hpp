#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "objects/any_layout/stored_extents.hpp"
#include "objects/any_layout/transfer.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/memory/packer.hpp"
#include "objects/together/requests.hpp"
#include "space/selection_parts.hpp"

namespace onecast::together {

/// One rank's request for elements of one dataset in a collective read.
class SharedRead {
 public:
  /// `brings_all`: a small part of a small dataset may bring all of it to all ranks.
  /// `is_of_first_rank`: this rank's memory may differ from that of the others.
  SharedRead(const Read& read, bool brings_all, bool is_of_first_rank);

  [[nodiscard]] Node& dataset() const { return node_; }
  /// Equal for equal elements of one dataset.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] std::uint64_t bytes() const { return request_.packed_size(); }
  [[nodiscard]] bool wants_all() const {
    return request_.selection().element_count() == node_.dataspace().element_count();
  }
  /// Returns true if a rank alone would read anything from the file, or must ask rank 0.
  [[nodiscard]] bool reads_the_file() const { return reads_the_file_; }

  /// Returns true if there are chunks to decode, which other ranks may want, too.
  [[nodiscard]] bool decodes_chunks() const;
  [[nodiscard]] const BoundSelection& selection() const { return request_.selection(); }

  /// Looks up the extents of the elements, to read them together with those of other ranks.
  void find_extents();
  /// Returns the extents if all elements are directly stored. Values of variable length are not
  /// included: a rank reads them when it looks them up.
  [[nodiscard]] const ExtentList* extents() const { return stored_ ? &stored_->extents : nullptr; }
  /// Makes the request be read separately after all.
  void forget_extents() { stored_.reset(); }

  /// Returns true if this rank converts, or rearranges, more than a buffer takes. It then reads by
  /// parts through target(), and there is no room() for all elements.
  [[nodiscard]] bool by_parts() const { return by_parts_; }
  /// Returns the target of the elements in stored form.
  [[nodiscard]] ElementTarget target();
  /// Returns memory for a part of the extents, at most converted_together(). take() takes what was
  /// read there, from the element with index `first` on.
  [[nodiscard]] std::span<std::byte> room_for_part(std::size_t size);
  void take(std::uint64_t first, std::span<const std::byte> elements);

  /// Allocates the memory that hear() and room() need: all ranks should know first that each has
  /// it.
  void prepare();

  void read_alone() const { request_.read(out_); }
  /// Rank 0 reads and broadcasts. `in_parts` is true if some rank goes by parts; equal on all
  /// ranks. @collective
  void hear(CommunicatorBackend& comm, bool in_parts);
  /// Does what hear() does for the reads of a list that read the file, small ones in common
  /// messages. `room` has the size of room_for() for the list. @collective
  static void hear(CommunicatorBackend& comm, std::span<SharedRead* const> reads,
                   std::span<std::byte> room, bool in_parts);
  /// Returns the memory that hear() needs for small reads: at most `most` bytes.
  static std::size_t room_for(std::span<SharedRead* const> reads, std::uint64_t most);
  /// Returns the memory into which the elements are read in stored form.
  [[nodiscard]] std::span<std::byte> room();
  /// Returns the memory into which the extents are read, filled with the fill value in between.
  [[nodiscard]] std::span<std::byte> room_for_extents();
  /// Unpacks the elements after they were read.
  void unpack();
  /// Returns true if the elements go to memory of a device.
  [[nodiscard]] bool is_in_device() const { return request_.place().has_value(); }
  /// Returns why the caller's memory did not take elements that this rank has got, or null. Other
  /// ranks do not know of this.
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

 private:
  /// Unpacks elements into the caller's memory, or notes the failure: this rank goes on with the
  /// others.
  void hand_over(std::span<const std::byte> packed);
  [[nodiscard]] std::span<std::byte> ready(std::span<std::byte> bytes) const;
  [[nodiscard]] bool is_small() const;
  /// Returns true if it is broadcast in parts when any rank asks for that.
  [[nodiscard]] bool is_large() const;
  /// Returns true if the caller's memory can also take the elements in stored form.
  [[nodiscard]] bool is_in_place() const { return !has_values_ && request_.works_in_place(); }
  [[nodiscard]] std::size_t aligned_size() const;
  void hear_all(CommunicatorBackend& comm);
  void hear_in_parts(CommunicatorBackend& comm);
  [[nodiscard]] std::span<std::byte> memory_of(const SelectionPart& part);
  /// `whole` is kept from one part to the next.
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
  bool brings_all_;  ///< true if all ranks get the whole dataset, whatever part is wanted
  bool by_parts_;
  std::uint64_t digest_;
  std::optional<StoredExtents> stored_;
  Buffer room_;
  Buffer window_;  ///< holds a part
  std::exception_ptr failure_;
};

}  // namespace onecast::together
