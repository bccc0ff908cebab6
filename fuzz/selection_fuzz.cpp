// Encoded dataspace selections. The input is: rank, four extents of an array (16 bits each), the
// selection.
#include "fuzz/input.hpp"
#include "objects/codec/selection_codec.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

using namespace codec;

namespace {

/// A few steps of all walks.
void walk(const BoundSelection& selection, const Shape& cell) {
  struct Enough {};
  int left = 1000;
  const auto step = [&] {
    if (--left == 0) throw Enough{};
  };
  try {
    selection.for_each_run([&](std::uint64_t, std::uint64_t) { step(); });
    selection.for_each_cell(cell, [&](std::span<const std::uint64_t> start) {
      selection.for_each_run_in(start, cell,
                                [&](std::uint64_t, std::uint64_t, std::uint64_t) { step(); });
    });
  } catch (const Enough&) {  // NOLINT(bugprone-empty-catch): it would take long
  }
}

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const FileContext file{"input.h5", 8, 8};
    ByteReader in(bytes, Address{0}, file);
    const auto rank = static_cast<std::size_t>(in.uint(1, "rank") % 5);
    Shape shape;
    for (std::size_t d = 0; d < 4; ++d) shape.push_back(in.uint(2, "extent"));
    shape.resize(rank);
    const Selection selection = decode_selection(in, rank);
    const Selection again = decode_selection(encode_selection(selection), Address{0}, file, rank);
    // Regular ones of many blocks are written as they are, others as what they consist of.
    if (again != selection) __builtin_trap();
    if (!selection.is_unlimited() && selection.kind() != Selection::Kind::all)
      static_cast<void>(selection.bounding_box());
    const Selection inside = selection.clipped(shape);
    walk(BoundSelection(shape, inside, "input.h5"), Shape(rank, 7));
    walk(BoundSelection(shape, selection, "input.h5"), Shape(rank, 3));
  });
}

}  // namespace onecast
