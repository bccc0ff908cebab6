#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/buffer.hpp"
#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"
#include "objects/virtual_datasets/virtual_transfer.hpp"

namespace onecast::virtual_datasets {

/// One write of selected elements.
class VirtualWrite : VirtualTransfer {
 public:
  VirtualWrite(const VirtualStorage& storage, const BoundSelection& wanted,
               const SourceWriter& writer)
      : VirtualTransfer(storage, wanted), writer_(writer) {}

  void check() {
    std::vector<bool> has_source(static_cast<std::size_t>(wanted_.element_count()));
    for_each_part([&](const Source& source, const Batch& batch, const Selection& selected) {
      writer_.check(*source.node, selected);
      for (const CommonRun& run : batch.runs) {
        const auto first = has_source.begin() + static_cast<std::ptrdiff_t>(run.first);
        std::fill(first, first + static_cast<std::ptrdiff_t>(run.count), true);
      }
    });
    const auto unmapped = std::ranges::count(has_source, false);
    if (unmapped != 0)
      throw argument_error("{}: write: {} of {} elements are mapped to no source", dataset_.where(),
                           unmapped, has_source.size());
  }

  void run(std::span<const std::byte> elements) {
    for_each_part([&](const Source& source, const Batch& batch, const Selection& selected) {
      const auto of_run = [&](const CommonRun& run) {
        return elements.subspan(static_cast<std::size_t>(run.first) * element_,
                                static_cast<std::size_t>(run.count) * element_);
      };
      if (batch.runs.size() == 1)
        return writer_.write(*source.node, selected, of_run(batch.runs.front()));
      Buffer packed(static_cast<std::size_t>(batch.elements) * element_);
      std::size_t done = 0;
      for (const CommonRun& run : batch.runs) {
        const auto bytes = of_run(run);
        std::memcpy(packed.data() + done, bytes.data(), bytes.size());
        done += bytes.size();
      }
      writer_.write(*source.node, selected, packed.span());
    });
  }

 private:
  /// Calls each(source, batch, selected) for the wanted elements of all sources.
  template <class F>
  void for_each_part(F&& each) {
    if (wanted_.element_count() == 0) return;
    const VirtualNesting level(dataset_, wanted_.element_count());
    for_each_piece([&](const Piece& piece, const BoundSelection& mapped) {
      const Source source = open_for_writing(piece);
      if (reaches_out(*piece.source, source.node->dataset().space))
        fail(source, "is smaller than what is mapped to it");
      const BoundSelection bound(source.node->dataset().space, *piece.source, *source.node);
      require_equal(source, bound, mapped);
      for_each_batch(
          source, *piece.source, bound, mapped, UINT64_MAX,
          [&](const Batch& batch, const Selection& selected) { each(source, batch, selected); });
    });
  }

  [[nodiscard]] Source open_for_writing(const Piece& piece) {
    const auto source = open(piece, For::writing);
    const std::string name = piece.mapping->dataset.of_block(piece.block);
    const std::string file = piece.mapping->file.of_block(piece.block);
    if (!source)
      throw Error(ErrorCode::not_found,
                  fmt::format("{}: write: source \"{}\" in file \"{}\" does not exist",
                              dataset_.where(), name, file),
                  ENOENT);
    if (source->file.get() != &file_of(dataset_) && file_of(dataset_).comm().size() > 1)
      throw unsupported_error(
          "{}: not supported: writing to a source in another file, \"{}\", "
          "from several ranks; that file can be opened on them",
          dataset_.where(), file);
    if (converts(*source) && info_.type.points_elsewhere())
      throw unsupported_error(
          "{}: not supported: converting values of variable length, or "
          "references, that are written to {}",
          dataset_.where(), source->node->where());
    return *source;
  }

  const SourceWriter& writer_;
};

void VirtualStorage::check_write(const BoundSelection& selection,
                                 const SourceWriter& writer) const {
  VirtualWrite(*this, selection, writer).check();
}

void VirtualStorage::write(const BoundSelection& selection, std::span<const std::byte> elements,
                           const SourceWriter& writer) const {
  check_write(selection, writer);
  VirtualWrite(*this, selection, writer).run(elements);
}

}  // namespace onecast::virtual_datasets
