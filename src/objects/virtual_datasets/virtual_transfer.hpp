#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "objects/nodes/node.hpp"
#include "objects/virtual_datasets/virtual_storage.hpp"
#include "space/corresponding.hpp"

namespace onecast::virtual_datasets {

/// The common part of a read and a write of a virtual dataset: finds the source of each of the
/// wanted elements, and their places in it.
class VirtualTransfer {
 protected:
  using Piece = VirtualStorage::Piece;
  using Source = VirtualStorage::Source;
  using For = VirtualStorage::For;

  /// The elements of one source that are transferred at once.
  struct Batch {
    std::vector<CommonRun> runs;  ///< the runs of elements that are both wanted and mapped
    std::uint64_t elements = 0;
    bool is_all = true;  ///< true if no batch came before
  };
  static constexpr std::size_t kMostRuns = std::size_t{1} << 20U;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20U;

  VirtualTransfer(const VirtualStorage& storage, const BoundSelection& wanted);

  /// Calls each(piece, mapped) for all pieces that have wanted elements.
  template <class F>
  void for_each_piece(F&& each) const {
    for (const std::size_t i : storage_.boxes_.find(wanted_.bounding_box())) {
      const Piece& piece = storage_.pieces_[i];
      const BoundSelection mapped(info_.space, *piece.mapped, dataset_);
      if (touches(mapped)) each(piece, mapped);
    }
  }
  /// Returns nothing if the source does not exist.
  [[nodiscard]] std::optional<Source> open(const Piece& piece, For use);
  [[noreturn]] void fail(const Source& source, const std::string& what) const;
  void require_equal(const Source& source, const BoundSelection& part,
                     const BoundSelection& mapped) const;
  [[nodiscard]] bool converts(const Source& source) const {
    return source.node->dataset().type != info_.type;
  }
  static bool reaches_out(const Selection& part, const Dataspace& space);

  /// Calls each(batch, selected) for the wanted elements of a source, of which `selected` is the
  /// selection there; runs have at most `longest` elements.
  void for_each_batch(
      const Source& source, const Selection& part, const BoundSelection& bound,
      const BoundSelection& mapped, std::uint64_t longest,
      const std::function<void(const Batch& batch, const Selection& selected)>& each) const;

  const VirtualStorage& storage_;
  Node& dataset_;
  const DatasetInfo& info_;
  const BoundSelection& wanted_;
  std::size_t element_;

 private:
  [[nodiscard]] bool touches(const BoundSelection& mapped) const;
  /// Returns the elements of the source that the batch needs.
  [[nodiscard]] Selection select(const Source& source, const Selection& part,
                                 const BoundSelection& bound, const BoundSelection& mapped,
                                 const Batch& batch, bool last) const;

  std::string missing_file_;
};

}  // namespace onecast::virtual_datasets
