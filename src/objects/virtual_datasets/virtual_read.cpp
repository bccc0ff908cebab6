#include <algorithm>

#include "base/buffer.hpp"
#include "base/make_error.hpp"
#include "objects/any_layout/transfer.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "objects/virtual_datasets/virtual_transfer.hpp"
#include "space/selection_parts.hpp"

namespace onecast::virtual_datasets {
namespace {

/// The nesting of virtual datasets on this thread.
struct Nesting {
  unsigned depth = 0;
  std::uint64_t elements_left = 0;
  std::uint64_t pieces_left = 0;
};
thread_local Nesting nesting;

}  // namespace

VirtualNesting::VirtualNesting(const Node& dataset, std::uint64_t elements) {
  constexpr unsigned kMostDepth = 16;
  // Each level copies every element once, unless mappings overlap.
  constexpr std::uint64_t kMostCopies = 64;
  constexpr std::uint64_t kFree = std::uint64_t{4} << 20U;
  if (nesting.depth == kMostDepth)
    throw format_error("{}: virtual datasets are nested more than {} deep, or in a loop",
                       dataset.where(), kMostDepth);
  if (nesting.depth++ == 0) {
    if (__builtin_mul_overflow(elements, kMostCopies, &nesting.elements_left) ||
        __builtin_add_overflow(nesting.elements_left, kFree, &nesting.elements_left))
      nesting.elements_left = UINT64_MAX;
    nesting.pieces_left = kFree / 4;
  }
}

VirtualNesting::~VirtualNesting() { --nesting.depth; }

void VirtualNesting::spend(const Node& dataset, std::uint64_t elements) {
  const bool too_many =
      elements > nesting.elements_left || (nesting.depth > 1 && nesting.pieces_left-- == 0);
  if (too_many)
    throw Error(ErrorCode::unsupported,
                dataset.where() +
                    ": not supported: mappings of virtual datasets that overlap, or "
                    "lie in each other, many times over");
  nesting.elements_left -= elements;
}

/// One read of selected elements.
class VirtualRead : VirtualTransfer {
 public:
  VirtualRead(const VirtualStorage& storage, const BoundSelection& wanted, const ElementTarget& out)
      : VirtualTransfer(storage, wanted), out_(out) {}

  void run() {
    out_.fill(wanted_.element_count(), info_.fill_value, element_);
    if (wanted_.element_count() == 0) return;
    const VirtualNesting level(dataset_, wanted_.element_count());
    try {
      for_each_piece(
          [&](const Piece& piece, const BoundSelection& mapped) { read(piece, mapped); });
    } catch (const Error& error) {
      // The request is valid; the stored metadata is not, such as types without a conversion.
      if (error.code() != ErrorCode::invalid_argument) throw;
      throw format_error("{}: source: {}", dataset_.where(), error.what());
    }
  }

 private:
  /// The size of the parts of a read that can be divided without reading anything twice.
  static constexpr std::uint64_t kPartBytes = std::uint64_t{2} << 20U;
  static constexpr std::uint64_t kFew = std::uint64_t{1} << 16U;

  void read(const Piece& piece, const BoundSelection& mapped) {
    const auto source = open(piece, For::reading);
    if (!source) return;
    const Dataspace& space = source->node->dataset().space;
    if (reaches_out(*piece.source, space))
      return read_what_is_there(*source, *piece.source, mapped);
    read(*source, *piece.source, mapped);
  }

  /// Reads from a source that has shrunk: missing elements keep the fill value.
  void read_what_is_there(const Source& source, const Selection& part,
                          const BoundSelection& mapped) {
    Shape shape = source.node->dataset().space.shape();
    const Selection inside = part.clipped(shape);
    const Shape end = part.bounding_box().end;
    for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = std::max(shape[d], end[d]);
    const BoundSelection all(bounds(source, shape), part, *source.node);
    require_equal(source, all, mapped);
    const BoundSelection there(bounds(source, shape), inside, *source.node);
    std::vector<Interval> numbers;
    for_each_common_run(there, all, shape, [&](const CommonRun& run) {
      if (numbers.size() == kMostRuns)
        throw unsupported_error(
            "{}: not supported: a mapping of many pieces to {}, which is "
            "smaller than the mapping",
            dataset_.where(), source.node->where());
      numbers.push_back({run.second, run.second + run.count});
      return true;
    });
    const Selection part_of_mapped = elements_at(mapped, info_.space.shape(), numbers);
    read(source, inside, BoundSelection(info_.space, part_of_mapped, dataset_));
  }

  [[nodiscard]] Dataspace bounds(const Source& source, const Shape& shape) const {
    try {
      Dataspace space(shape);
      static_cast<void>(space.element_count());
      return space;
    } catch (const Error&) {
      fail(source, "what is selected reaches far beyond it");
    }
  }

  void read(const Source& source, const Selection& part, const BoundSelection& mapped) {
    const BoundSelection bound(source.node->dataset().space, part, *source.node);
    require_equal(source, bound, mapped);
    if (goes_straight(source) || !read_parts(source, bound, mapped))
      read_batches(source, part, bound, mapped);
  }

  /// Returns true if elements of the source are read directly into the target.
  [[nodiscard]] bool goes_straight(const Source& source) const {
    return out_.is_direct() && !converts(source);
  }

  /// Reads a few MiB at a time, in whole chunks if they are filtered, so that none is decoded
  /// twice. Returns false if the read cannot be divided like this, or need not be.
  bool read_parts(const Source& source, const BoundSelection& bound, const BoundSelection& mapped) {
    const DatasetInfo& theirs = source.node->dataset();
    const std::uint64_t widest = std::max(element_, theirs.type.size());
    const std::uint64_t most = std::clamp<std::uint64_t>(kPartBytes / widest, 1, kMostRuns);
    if (std::min(wanted_.element_count(), mapped.element_count()) <= kFew) return false;
    const auto there = corresponding_product(wanted_, mapped, bound);
    const auto here = corresponding_product(wanted_, mapped, mapped);
    if (!there || !here) return false;
    const BoundSelection from(theirs.space, *there, *source.node);
    const BoundSelection to(info_.space, *here, dataset_);
    for_each_part(from, decoded_at_once(theirs), most, [&](const SelectionPart& part) {
      const Selection some = from.within(part.box);
      const BoundSelection there_some(theirs.space, some, *source.node);
      const BoundSelection here_some(info_.space, corresponding(there_some, from, part, to),
                                     dataset_);
      if (part.count > kMostBytes / widest)  // a part of one large chunk
        read_batches(source, some, there_some, here_some);
      else
        read_part(source, some, here_some);
    });
    return true;
  }

  void read_part(const Source& source, const Selection& selected, const BoundSelection& mapped) {
    VirtualNesting::spend(dataset_, mapped.element_count());
    Buffer packed(static_cast<std::size_t>(mapped.element_count()) * element_);
    if (converts(source)) fill(packed.span(), info_.fill_value);
    transfer(source, selected, packed.span());
    for_each_common_run(wanted_, mapped, info_.space.shape(), [&](const CommonRun& run) {
      give(run.first, packed.span().subspan(static_cast<std::size_t>(run.second) * element_,
                                            static_cast<std::size_t>(run.count) * element_));
      return true;
    });
  }

  void give(std::uint64_t first, std::span<const std::byte> elements) const {
    out_.take(first, elements, element_);
  }

  /// Returns the elements of `to` that correspond to those of a part of `from`.
  [[nodiscard]] Selection corresponding(const BoundSelection& some, const BoundSelection& from,
                                        const SelectionPart& part, const BoundSelection& to) const {
    if (auto product = corresponding_product(some, from, to)) return *product;
    std::vector<Interval> numbers;
    for_each_run_of_part(from, part, [&](std::uint64_t first, std::uint64_t, std::uint64_t count) {
      numbers.push_back({first, first + count});
    });
    return elements_at(to, info_.space.shape(), numbers);
  }

  void read_batches(const Source& source, const Selection& part, const BoundSelection& bound,
                    const BoundSelection& mapped) {
    const std::uint64_t widest = std::max(element_, source.node->dataset().type.size());
    // Elements that are converted or passed on pass through a buffer.
    const std::uint64_t longest =
        goes_straight(source) ? UINT64_MAX : std::max(std::uint64_t{1}, kMostBytes / widest);
    for_each_batch(source, part, bound, mapped, longest,
                   [&](const Batch& batch, const Selection& selected) {
                     read_batch(source, batch, selected);
                   });
  }

  void read_batch(const Source& source, const Batch& batch, const Selection& selected) {
    const std::size_t size = static_cast<std::size_t>(batch.elements) * element_;
    if (batch.runs.size() == 1 && out_.is_direct())
      return transfer(source, selected, out_.bytes().subspan(batch.runs[0].first * element_, size));
    Buffer packed(size);
    // Members of compounds that the source lacks have the fill value, too.
    if (converts(source)) fill(packed.span(), info_.fill_value);
    transfer(source, selected, packed.span());
    std::size_t done = 0;
    for (const CommonRun& run : batch.runs) {
      const std::size_t bytes = static_cast<std::size_t>(run.count) * element_;
      give(run.first, packed.span().subspan(done, bytes));
      done += bytes;
    }
  }

  void transfer(const Source& source, const Selection& selected, std::span<std::byte> out) const {
    std::optional<Datatype> converted;
    if (converts(source)) converted = info_.type;
    Transfer(Transfer::Direction::reading, *source.node, out, nullptr, selected, converted)
        .read(out);
  }

  const ElementTarget& out_;
};

void VirtualStorage::read(const BoundSelection& selection, const ElementTarget& out) const {
  VirtualRead(*this, selection, out).run();
}

}  // namespace onecast::virtual_datasets
