#include "collective/extent_list.hpp"

#include <limits>
#include <utility>

#include "base/make_error.hpp"

namespace onecast::collective {
namespace {

constexpr std::uint64_t kLargestFile = std::numeric_limits<std::int64_t>::max();

void put(std::vector<std::byte>& out, std::uint64_t value) {
  constexpr std::uint64_t kMore = 0x80;
  for (; value >= kMore; value >>= 7U) out.push_back(static_cast<std::byte>(value | kMore));
  out.push_back(static_cast<std::byte>(value));
}

[[noreturn]] void fail_decoding() {
  throw Error(ErrorCode::diverged, "collective transfer: another rank's extents make no sense");
}

std::uint64_t get(std::span<const std::byte>& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (in.empty()) fail_decoding();
    const auto byte = std::to_integer<std::uint64_t>(in.front());
    in = in.subspan(1);
    value |= (byte & 0x7FU) << shift;
    if (byte < 0x80U) return value;
  }
  fail_decoding();
}

/// True if `next` continues `run` one level up.
bool continues(const StridedRun& run, const StridedRun& next) {
  return next.outer_count == 1 && run.length == next.length && run.count == next.count &&
         run.stride == next.stride && next.position == run.position + run.bytes() &&
         (run.outer_count == 1 || next.offset == run.offset + run.outer_count * run.outer_stride);
}

}  // namespace

std::uint64_t StridedRun::first_piece_behind(std::uint64_t at) const {
  if (at < offset) return 0;
  std::uint64_t rest = at - offset;
  std::uint64_t outer = 0;
  std::uint64_t inner = 0;
  if (outer_count > 1) {
    outer = std::min(rest / outer_stride, outer_count - 1);
    rest -= outer * outer_stride;
  }
  if (count > 1) inner = std::min(rest / stride, count - 1);
  const std::uint64_t n = outer * count + inner;
  return piece_offset(n) + length > at ? n : n + 1;
}

std::vector<StridedRun>::const_iterator ExtentList::run_behind(std::uint64_t offset) const {
  return std::partition_point(runs_.begin(), runs_.end(),
                              [&](const StridedRun& run) { return run.end() <= offset; });
}

std::uint64_t ExtentList::pieces() const {
  std::uint64_t sum = 0;
  for (const StridedRun& run : runs_) sum += run.pieces();
  return sum;
}

std::uint64_t ExtentList::stretches() const {
  std::uint64_t sum = pieces();
  for (std::size_t i = 1; i < runs_.size(); ++i)
    if (runs_[i].offset == runs_[i - 1].end()) --sum;
  return sum;
}

bool ExtentList::is_packed() const {
  return std::all_of(runs_.begin(), runs_.end(),
                     [](const StridedRun& run) { return run.position == run.bytes_before; });
}

std::uint64_t ExtentList::buffer_size() const {
  std::uint64_t size = 0;
  for (const StridedRun& run : runs_) size = std::max(size, run.position + run.bytes());
  return size;
}

std::uint64_t ExtentList::bytes_below(std::uint64_t offset) const {
  const auto run = run_behind(offset);
  if (run == runs_.end()) return bytes();
  const std::uint64_t n = run->first_piece_behind(offset);
  const std::uint64_t piece = run->piece_offset(n);
  return run->bytes_before + n * run->length + (offset > piece ? offset - piece : 0);
}

std::optional<std::uint64_t> ExtentList::next_from(std::uint64_t offset) const {
  const auto run = run_behind(offset);
  if (run == runs_.end()) return {};
  return std::max(offset, run->piece_offset(run->first_piece_behind(offset)));
}

std::optional<std::int64_t> ExtentList::distance_from(const ExtentList& other) const {
  if (runs_.size() != other.runs_.size()) return {};
  const std::uint64_t distance = begin() - other.begin();  // modulo 2^64
  const auto is_moved = [&](StridedRun theirs, const StridedRun& mine) {
    theirs.offset += distance;
    return theirs == mine;
  };
  if (!std::equal(other.runs_.begin(), other.runs_.end(), runs_.begin(), is_moved)) return {};
  return static_cast<std::int64_t>(distance);
}

ExtentList ExtentList::merge(std::span<const ExtentList> lists,
                             std::span<const std::uint64_t> positions) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lists.size(); ++i)
    if (!lists[i].empty()) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return lists[a].begin() < lists[b].begin(); });
  const auto overlaps = [&](std::size_t a, std::size_t b) {
    return lists[a].end() > lists[b].begin();
  };
  if (std::adjacent_find(order.begin(), order.end(), overlaps) == order.end()) {
    ExtentList all;
    for (const std::size_t i : order)
      for (StridedRun run : lists[i].runs_) {
        run.position += positions[i];
        all.push(run);
      }
    return all;
  }
  // The pieces of the lists interleave.
  struct Piece {
    std::uint64_t offset, length, position;
  };
  std::vector<Piece> pieces;
  for (const std::size_t i : order)
    lists[i].for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
      pieces.push_back({offset, length, position + positions[i]});
    });
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.offset < b.offset; });
  ExtentListBuilder builder;
  for (const Piece& piece : pieces) builder.add(piece.offset, piece.length, piece.position);
  return builder.take();
}

ExtentList ExtentList::at_positions(std::uint64_t first, std::uint64_t end) const {
  ExtentListBuilder builder;
  for (const StridedRun& run : runs_) {
    if (run.position >= end || run.position + run.bytes() <= first) continue;
    std::uint64_t n = first <= run.position ? 0 : (first - run.position) / run.length;
    for (; n < run.pieces(); ++n) {
      const std::uint64_t position = run.position + n * run.length;
      if (position >= end) break;
      const std::uint64_t from = std::max(position, first);
      const std::uint64_t to = std::min(position + run.length, end);
      builder.add(run.piece_offset(n) + (from - position), to - from, from - first);
    }
  }
  return builder.take();
}

void ExtentList::push(StridedRun run) {
  run.bytes_before = bytes();
  runs_.push_back(run);
}

/// Encodes each run as: its offset less that of the previous run, length, count, stride if count >
/// 1, and count and stride of the outer level, each with seven bits to a byte.
std::vector<std::byte> ExtentList::encode() const {
  std::vector<std::byte> out;
  std::uint64_t before = 0;
  for (const StridedRun& run : runs_) {
    put(out, run.offset - std::exchange(before, run.offset));
    put(out, run.length);
    put(out, run.count);
    if (run.count > 1) put(out, run.stride);
    put(out, run.outer_count);
    if (run.outer_count > 1) put(out, run.outer_stride);
  }
  return out;
}

ExtentList ExtentList::decode(std::span<const std::byte> bytes) {
  ExtentList list;
  std::uint64_t offset = 0;
  while (!bytes.empty()) {
    StridedRun run;
    offset += get(bytes);
    run.offset = offset;
    run.length = get(bytes);
    run.count = get(bytes);
    if (run.count > 1) run.stride = get(bytes);
    run.outer_count = get(bytes);
    if (run.outer_count > 1) run.outer_stride = get(bytes);
    run.position = list.bytes();
    if (run.length == 0 || run.count == 0 || run.outer_count == 0 || run.offset < list.end() ||
        (run.count > 1 && run.stride < run.length) ||
        (run.outer_count > 1 && run.outer_stride < run.length))
      fail_decoding();
    list.push(run);
  }
  return list;
}

void ExtentListBuilder::check(std::uint64_t offset, std::uint64_t length) const {
  if (offset > kLargestFile || length > kLargestFile - offset)
    throw argument_error("{} bytes at offset {} are beyond the largest file", length, offset);
  if (offset < end_)
    throw argument_error("the bytes at offset {} begin before the end of the piece before, {}",
                         offset, end_);
}

void ExtentListBuilder::add_series(std::uint64_t offset, std::uint64_t length, std::uint64_t stride,
                                   std::uint64_t count) {
  if (length == 0 || count == 0) return;
  if (stride == length || count == 1) return add(offset, length * count);
  check(offset, (count - 1) * stride + length);
  close_piece();
  close_run();
  run_.offset = offset;
  run_.length = length;
  run_.stride = stride;
  run_.count = count;
  run_.position = next_position_;
  end_ = run_.end();
  next_position_ += run_.bytes();
}

void ExtentListBuilder::add(std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
  if (length == 0) return;
  check(offset, length);
  if (piece_.length != 0 && offset == end_ && position == piece_.position + piece_.length) {
    piece_.length += length;
  } else {
    close_piece();
    piece_.offset = offset;
    piece_.length = length;
    piece_.position = position;
  }
  end_ = offset + length;
  next_position_ = position + length;
}

void ExtentListBuilder::close_piece() {
  const StridedRun piece = std::exchange(piece_, {});
  if (piece.length == 0) return;
  if (run_.length == piece.length && piece.position == run_.position + run_.bytes() &&
      (run_.count == 1 || piece.offset == run_.offset + run_.count * run_.stride)) {
    if (run_.count == 1) run_.stride = piece.offset - run_.offset;
    ++run_.count;
    return;
  }
  close_run();
  run_ = piece;
}

void ExtentListBuilder::close_run() {
  const StridedRun run = std::exchange(run_, {});
  if (run.length == 0) return;
  auto& runs = list_.runs_;
  if (!runs.empty() && continues(runs.back(), run)) {
    if (runs.back().outer_count == 1) runs.back().outer_stride = run.offset - runs.back().offset;
    ++runs.back().outer_count;
    return;
  }
  list_.push(run);
}

ExtentList ExtentListBuilder::take() {
  close_piece();
  close_run();
  end_ = next_position_ = 0;
  return std::exchange(list_, {});
}

}  // namespace onecast::collective
