#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/elements/packing.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::any_layout {

/// Returns the number of bytes of elements that are converted, or packed, at a time in a collective
/// transfer; equal on all ranks.
std::size_t converted_together(const FileState& file);

/// The rounds in which all ranks transfer their parts: as many bytes at a time as a buffer takes.
template <class Part>
class Rounds {
 public:
  struct Round {
    Part* part;              ///< null: this rank has finished, and takes part
    std::size_t first, end;  ///< in bytes; whole elements
  };

  explicit Rounds(FileState& file) : file_(file) {}

  void add(Part& part, std::size_t bytes, std::size_t element) {
    const std::size_t step =
        std::max<std::size_t>(1, converted_together(file_) / element) * element;
    for (std::size_t at = 0; at < bytes; at += step)
      rounds_.push_back({&part, at, std::min(at + step, bytes)});
  }
  /// Returns as many rounds as any rank has. @collective
  const std::vector<Round>& of_all_ranks() {
    std::uint64_t count = rounds_.size();
    file_.comm().all_reduce_max({&count, 1});
    rounds_.resize(static_cast<std::size_t>(count), {nullptr, 0, 0});
    return rounds_;
  }

 private:
  FileState& file_;
  std::vector<Round> rounds_;
};

/// A checked read or write of a dataset.
class Transfer : public Packing {
 public:
  using Packing::Packing;

  /// Reads from storage into the caller's memory.
  void read(std::span<std::byte> out) const;
  void read_packed(std::span<std::byte> packed) const { read_selected(node_, selection(), packed); }
  /// Returns the caller's elements, packed. `own` holds them if the caller's memory is not packed.
  [[nodiscard]] std::span<const std::byte> packed(std::span<const std::byte> bytes,
                                                  std::vector<std::byte>& own) const;
};

}  // namespace onecast::any_layout
