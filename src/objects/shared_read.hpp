#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "collective/buffer_list.hpp"
#include "objects/packer.hpp"
#include "objects/shared_chunks.hpp"
#include "objects/stored_extents.hpp"
#include "objects/transfer.hpp"

namespace onecast {

/// What one rank of several asks for, of one dataset.
class SharedRead {
 public:
  /// `brings_all`: a small part of a small dataset may bring all of it to all ranks. `out` and
  /// `memory` are kept.
  SharedRead(Node& dataset, std::span<std::byte> out, const MemoryLayout* memory,
             const Selection& part, const std::optional<Datatype>& memory_type, bool brings_all);

  [[nodiscard]] Node& dataset() const { return node_; }
  /// The same for the same elements of the same dataset.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] std::uint64_t bytes() const { return request_.packed_size(); }
  [[nodiscard]] bool wants_all() const {
    return request_.selection().element_count() == node_.dataspace().element_count();
  }
  /// Would a rank alone read anything from the file?
  [[nodiscard]] bool reads_the_file() const { return reads_the_file_; }

  /// Looks where the elements lie: for reading them together with what others want.
  void find_extents();
  /// Those, if they lie in the file as they are, and none behind. Values of variable length lie
  /// elsewhere: a rank reads them when it looks at them.
  [[nodiscard]] const ExtentList* extents() const { return stored_ ? &stored_->extents : nullptr; }
  /// It is read for itself after all.
  void forget_extents() { stored_.reset(); }
  /// Filtered chunks that others may want, too; null: none.
  [[nodiscard]] const WantedChunks* chunks() const { return chunks_ ? &*chunks_ : nullptr; }
  /// Each of them is read once. `all`: what all ranks want. @collective
  void read_chunks(const AccessSummary& all, const std::exception_ptr& failure);

  /// Takes the memory that hear() and packed() need: all ranks should know first that each has it.
  void prepare();

  void read_alone() const { request_.read(out_); }
  /// The first rank reads, all hear. @collective
  void hear(CommunicatorBackend& comm);
  /// Where the extents are to be read to.
  [[nodiscard]] std::span<std::byte> packed();
  /// They have been.
  void unpack();

 private:
  [[nodiscard]] std::span<std::byte> room();
  void hear_all(CommunicatorBackend& comm);
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
  bool brings_all_;
  std::uint64_t digest_;
  std::optional<StoredExtents> stored_;
  std::optional<WantedChunks> chunks_;
  Buffer room_;
};

}  // namespace onecast
