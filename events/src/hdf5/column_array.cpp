#include "hdf5/column_array.hpp"

#include <algorithm>
#include <utility>

#include "hdf5/encode_events.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::events::hdf5 {
namespace {

/// Applies the shuffle filter: the first bytes of all elements, then the second bytes, and so on.
std::vector<std::byte> shuffled(const std::vector<std::byte>& elements, std::size_t element_bytes) {
  const std::size_t count = elements.size() / element_bytes;
  std::vector<std::byte> out(elements.size());
  for (std::size_t b = 0; b < element_bytes; ++b)
    for (std::size_t i = 0; i < count; ++i) out[b * count + i] = elements[i * element_bytes + b];
  return out;
}

}  // namespace

ColumnArray::ColumnArray(std::string name, Datatype type, const Compression& compression,
                         std::uint64_t chunk)
    : name_(std::move(name)),
      type_(std::move(type)),
      compression_(compression),
      chunk_(std::max<std::uint64_t>(chunk, 1)) {}

void ColumnArray::append(std::uint64_t count, int rank, SharedBytes bytes) {
  if (count == 0) return;
  has_rest_ = false;
  ArrayPiece* last = pieces_.empty() ? nullptr : &pieces_.back();
  // Small batches extend a piece, so that there are few pieces; they do so equally on all ranks.
  const bool is_added = last != nullptr && last->is_open && !last->counts && last->rank == rank &&
                        last->end - last->begins < chunk_;
  if (is_added) {
    last->end += count;
    if (bytes) last->bytes->insert(last->bytes->end(), bytes->begin(), bytes->end());
  } else {
    pieces_.push_back({.first = total_,
                       .end = total_ + count,
                       .rank = rank,
                       .bytes = std::move(bytes),
                       .begins = total_});
  }
  total_ += count;
}

void ColumnArray::append_counting(std::uint64_t count) {
  if (count == 0) return;
  has_rest_ = false;
  pieces_.push_back({.first = total_, .end = total_ + count, .counts = true});
  total_ += count;
}

std::vector<ArrayPiece> ColumnArray::pieces(std::uint64_t first, std::uint64_t end) const {
  std::vector<ArrayPiece> found;
  auto at = std::ranges::upper_bound(pieces_, first, {}, &ArrayPiece::end);
  for (; at != pieces_.end() && at->first < end; ++at) {
    ArrayPiece& piece = found.emplace_back(*at);
    piece.first = std::max(piece.first, first);
    piece.end = std::min(piece.end, end);
  }
  return found;
}

void ColumnArray::take_full(std::size_t array, int owner, std::vector<ChunkWork>& works) {
  for (; total_ - full_ > chunk_; full_ += chunk_)
    works.push_back({.array = array,
                     .first = full_,
                     .end = full_ + chunk_,
                     .owner = owner,
                     .pieces = pieces(full_, full_ + chunk_)});
}

void ColumnArray::take_rest(std::size_t array, int owner, std::vector<ChunkWork>& works) {
  const bool is_needed = total_ != full_ || total_ == 0;
  if (!is_needed || has_rest_) return;
  works.push_back({.array = array,
                   .first = full_,
                   .end = total_,
                   .is_rest = true,
                   .owner = owner,
                   .pieces = pieces(full_, total_)});
  has_rest_ = true;
}

ColumnArray ColumnArray::copy(std::string name) {
  for (ArrayPiece& piece : pieces_) piece.is_open = false;  // the copy has it, too
  ColumnArray own(std::move(name), type_, compression_, chunk_);
  own.total_ = total_;
  own.full_ = full_;
  own.pieces_ = pieces_;
  return own;
}

std::exception_ptr ColumnArray::copy_chunks(Group& group, const ColumnArray& from, bool writes) {
  if (from.full_ == 0) return {};
  std::exception_ptr failure;
  create(group, from.full_, true);
  for (std::uint64_t first = 0; first < from.full_; first += chunk_) {
    const auto chunk = find_stored_chunk(*from.dataset_, {first});
    allocate_chunk(first, chunk ? chunk->size : 0);
    if (!writes || failure) continue;
    try {
      const auto bytes = read_stored_chunk(*from.dataset_, {first}).bytes;
      write({.first = first, .end = first + chunk_, .stored = bytes});
    } catch (...) {
      failure = std::current_exception();  // all ranks place all chunks
    }
  }
  return failure;
}

ColumnArray::State ColumnArray::state() {
  std::erase_if(pieces_, [this](const ArrayPiece& piece) { return piece.end <= full_; });
  return {total_, full_};
}

void ColumnArray::restore(const State& state) {
  total_ = state.total;
  full_ = state.full;
  has_rest_ = false;
  std::erase_if(pieces_, [this](const ArrayPiece& piece) { return piece.first >= total_; });
  if (pieces_.empty()) return;
  pieces_.back().end = std::min(pieces_.back().end, total_);
  pieces_.back().is_open = false;
}

void ColumnArray::remove(Group& group) {
  if (!dataset_) return;
  dataset_.reset();
  group.remove(name_);
}

void ColumnArray::create(Group& group, std::uint64_t elements, bool grows) {
  remove(group);
  grows_ = grows;
  stored_ = elements;
  DatasetOptions how;
  if (elements != 0) {
    how.layout = Layout::chunked;
    how.chunk = {grows ? chunk_ : elements};
    how.filters = filters_of(compression_, type_.size());
  }
  const Dataspace space =
      grows ? Dataspace(Shape{elements}, Shape{Dataspace::kUnlimited}) : Dataspace(Shape{elements});
  dataset_ = group.create_dataset(name_, {.type = type_, .space = space, .options = how});
}

void ColumnArray::allocate_chunk(std::uint64_t first, std::uint64_t bytes) {
  allocate_chunks(*dataset_,
                  std::vector<NewChunk>{{.start = {first}, .size = bytes, .is_whole = true}});
}

void ColumnArray::place(Group& group, const ChunkWork& work) {
  // A single chunk is in a dataset of its size, which a larger one replaces.
  const bool grows = work.first != 0 || !work.is_rest;
  if (!dataset_ || !grows || !grows_) {
    create(group, work.end, grows);
  } else {
    if (stored_ > work.first) dataset_->resize({work.first});
    dataset_->resize({work.end});
    stored_ = work.end;
  }
  if (work.end != work.first) allocate_chunk(work.first, work.stored_bytes);
}

void ColumnArray::write(const ChunkWork& work) {
  if (work.first != work.end) write_allocated_chunk(*dataset_, {work.first}, work.stored);
}

std::vector<std::byte> ColumnArray::encoded(const ChunkWork& work,
                                            std::vector<std::byte> elements) const {
  if (elements.empty()) return elements;
  const bool is_only = work.first == 0 && work.is_rest;
  const std::uint64_t bytes = (is_only ? work.end : chunk_) * type_.size();
  elements.resize(static_cast<std::size_t>(bytes));
  if (!compression_.is_on()) return elements;
  if (type_.size() > 1) elements = shuffled(elements, type_.size());
  return std::move(encode_chunks(compression_, elements, bytes).front());
}

}  // namespace onecast::events::hdf5
