#include "objects/codec/selection_codec.hpp"

#include <algorithm>

#include "format/objects/dataspace_selection.hpp"
#include "onecast/base/error.hpp"
#include "space/hyperslab.hpp"

namespace onecast::codec {
namespace {

constexpr std::uint64_t kMost32 = 0xffffffff;

/// "Unlimited" is all bits set, whatever the number of bytes.
std::uint64_t widen(std::uint64_t count, unsigned width) {
  return width < 8 && count == (std::uint64_t{1} << 8 * width) - 1 ? Dataspace::kUnlimited : count;
}

Selection regular(const DataspaceSelection& record, ByteReader& in) {
  const std::size_t rank = record.rank;
  Hyperslab part{Shape(rank), Shape(rank), Shape(rank), Shape(rank)};
  for (std::size_t d = 0; d < rank; ++d) {
    const auto number = [&](std::size_t i) { return record.numbers[4 * d + i]; };
    part.start[d] = number(0);
    part.stride[d] = number(1);
    part.count[d] = widen(number(2), record.encode_size);
    part.block[d] = widen(number(3), record.encode_size);
    const HyperslabSide side = side_of(part, d);
    std::uint64_t end = 0;
    if (side.is_empty()) continue;
    if (side.overlaps()) in.fail("Stride #n", "is below Block #n: blocks overlap");
    if (!side.is_unlimited() && !side.end(end)) in.fail("Count #n", "reaches beyond 2^64");
  }
  return part;
}

Selection irregular(const DataspaceSelection& record, ByteReader& in) {
  const std::size_t rank = record.rank;
  std::vector<Interval> blocks;
  blocks.reserve(record.numbers.size() / 2);
  for (std::size_t at = 0; at < record.numbers.size(); at += 2 * rank)
    for (std::size_t d = 0; d < rank; ++d) {
      const std::uint64_t first = record.numbers[at + d];
      const std::uint64_t last = record.numbers[at + rank + d];
      if (first > last || last == UINT64_MAX)
        in.fail("Ending Offset", "lies before the Starting Offset, or at 2^64");
      blocks.push_back({first, last + 1});
    }
  if (blocks.size() == rank) {  // the most common case, handled directly
    Hyperslab part{Shape(rank), Shape(rank, 1), Shape(rank, 1), Shape(rank)};
    for (std::size_t d = 0; d < rank; ++d) {
      part.start[d] = blocks[d].first;
      part.block[d] = blocks[d].end - blocks[d].first;
    }
    return part;
  }
  try {
    return Selection::blocks(rank, blocks);
  } catch (const Error& error) {
    in.refuse("Num Blocks", error.what());
  }
}

/// Returns the number of blocks of a hyperslab, at most `most` + 1.
std::uint64_t count_blocks(const Hyperslab& part, std::uint64_t most) {
  std::uint64_t blocks = 1;
  for (std::size_t d = 0; d < part.start.size(); ++d) {
    const HyperslabSide side = side_of(part, d).normal();
    blocks = side.count > most ? most + 1 : std::min(blocks * side.count, most + 1);
  }
  return blocks;
}

}  // namespace

DataspaceSelection to_record(const Selection& selection) {
  using Kind = Selection::Kind;
  DataspaceSelection record;
  record.rank = static_cast<std::uint32_t>(selection.rank());
  // Old libraries read only lists of blocks, so short lists are readable by all.
  constexpr std::uint64_t kShortList = 32;
  if (selection.kind() == Kind::none) {
    record.type = SelectionType::none;
  } else if (selection.kind() == Kind::points) {
    record.type = SelectionType::points;
    record.numbers = selection.coordinates();
    if (std::ranges::any_of(record.numbers, [](std::uint64_t n) { return n > kMost32; }) ||
        record.numbers.size() / selection.rank() > kMost32) {
      record.version = 2;
      record.encode_size = 8;
    }
  } else if (selection.kind() != Kind::all) {
    record.type = SelectionType::hyperslabs;
    const bool regular =
        selection.kind() == Kind::hyperslab &&
        (selection.is_unlimited() || count_blocks(selection.hyperslab(), kShortList) > kShortList);
    if (regular) {
      record.version = 2;
      record.flags = DataspaceSelection::kRegular;
      record.encode_size = 8;
      for (std::size_t d = 0; d < selection.rank(); ++d) {
        const HyperslabSide side = side_of(selection.hyperslab(), d);
        record.numbers.insert(record.numbers.end(),
                              {side.start, side.stride, side.count, side.block});
      }
    } else {
      std::uint64_t largest = 0;
      selection.for_each_block([&](std::span<const Interval> block) {
        for (const Interval& side : block) record.numbers.push_back(side.first);
        for (const Interval& side : block) record.numbers.push_back(side.end - 1);
        for (const Interval& side : block) largest = std::max(largest, side.end - 1);
      });
      // Old libraries fail to read a list without blocks.
      if (record.numbers.empty()) return to_record(Selection::none());
      if (largest > kMost32) {
        record.version = 3;
        record.encode_size = 8;
      }
    }
  }
  record.length = static_cast<std::uint32_t>((record.is_regular() ? 4U : 8U) +
                                             record.numbers.size() * record.encode_size);
  return record;
}

Selection to_selection(DataspaceSelection record, ByteReader& in) {
  switch (record.type) {
    case SelectionType::none:
      return Selection::none();
    case SelectionType::all:
      return {};
    case SelectionType::points:
      if (std::ranges::count(record.numbers, UINT64_MAX) != 0)
        in.fail("Point #n: coordinate #u", "lies at 2^64");
      return Selection::points(record.rank, std::move(record.numbers));
    case SelectionType::hyperslabs:
      break;
  }
  return record.is_regular() ? regular(record, in) : irregular(record, in);
}

Selection decode_selection(ByteReader& in, std::size_t rank) {
  auto record = decode<DataspaceSelection>(in);
  const char* outer = in.record();
  in.set_record(DataspaceSelection::kTitle);
  const bool any_rank = record.type == SelectionType::none || record.type == SelectionType::all;
  if (!any_rank && record.rank != rank) in.fail("Rank", "is not that of the dataspace");
  Selection selection = to_selection(std::move(record), in);
  in.set_record(outer);
  return selection;
}

Selection decode_selection(ByteView bytes, Address where, const FileContext& file,
                           std::size_t rank) {
  ByteReader in(bytes, where, file);
  return decode_selection(in, rank);
}

std::vector<std::byte> encode_selection(const Selection& selection) {
  const FileContext file;
  const DataspaceSelection record = to_record(selection);
  std::vector<std::byte> bytes(encoded_size(file, record));
  ByteWriter out(bytes);
  encode(out, file, record);
  return bytes;
}

}  // namespace onecast::codec
