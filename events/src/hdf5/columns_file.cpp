#include "hdf5/columns_file.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "execution/executor.hpp"
#include "hdf5/encode_events.hpp"
#include "hdf5/event_layout.hpp"
#include "hdf5/rounds.hpp"
#include "model/entry_order.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::events::hdf5 {
namespace {

constexpr std::uint64_t kIndexChunk = 4096;  // entries
// The most chunks without a flush. The file would flush by itself if their places took much memory,
// and places that are not written yet would be lost.
constexpr std::uint64_t kMostPlaced = 65536;
constexpr std::uint64_t kIndexPart = 16 * kIndexChunk;
constexpr std::uint64_t kIndexUnfiltered = 16;  // up to so many entries are not chunked

Datatype index_type() {
  std::vector<CompoundMember> members = identity_type().members();
  members.push_back({"entry", offsetof(IndexEntry, entry), Datatype::of<std::uint64_t>()});
  return Datatype::compound(sizeof(IndexEntry), members);
}

Bytes bytes_of(const ArrayPiece& piece, std::size_t element_bytes) {
  return Bytes(*piece.bytes)
      .subspan(static_cast<std::size_t>(piece.first - piece.begins) * element_bytes,
               static_cast<std::size_t>(piece.end - piece.first) * element_bytes);
}

/// Returns the elements of a chunk whose pieces are all on this rank.
std::vector<std::byte> assembled(const ChunkWork& work, std::size_t element_bytes) {
  std::vector<std::byte> all;
  all.reserve(static_cast<std::size_t>(work.end - work.first) * element_bytes);
  for (const ArrayPiece& piece : work.pieces) {
    if (!piece.counts) {
      const Bytes bytes = bytes_of(piece, element_bytes);
      all.insert(all.end(), bytes.begin(), bytes.end());
      continue;
    }
    for (std::uint64_t place = piece.first; place < piece.end; ++place) {
      const auto bytes = std::as_bytes(std::span(&place, 1));
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
  }
  return all;
}

/// Calls each for 0 to count - 1, in threads, or in this thread if there is little to do. Returns a
/// failure.
std::exception_ptr in_threads(std::size_t threads, std::size_t count, bool is_little,
                              const std::function<void(std::size_t)>& each) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto call = [&](std::size_t i) {
    try {
      each(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  if (is_little) {
    for (std::size_t i = 0; i < count; ++i) call(i);
  } else {
    const auto executor = computing_threads(threads);  // ends when all calls have returned
    for (std::size_t i = 0; i < count; ++i) executor->spawn([&call, i] { call(i); });
  }
  return failure;
}

}  // namespace

ColumnsFile::ColumnsFile(std::string path, std::shared_ptr<Team> team, ColumnPlan plan,
                         const ColumnStorage& storage)
    : path_(std::move(path)),
      team_(std::move(team)),
      plan_(std::move(plan)),
      storage_(storage),
      file_(File::create(path_, team_->communicator(), {.profile = Profile::latest})),
      group_(file_.root().create_group(kGroup)),
      arrays_(group_, plan_, storage),
      by_stripes_(team_->size() > 1 && file_.metadata_report().stripe_size != 0) {
  if (team_->rank() == 0) spare_ = SpareSpace(path_);
}

std::exception_ptr ColumnsFile::append(const std::vector<RankBatch>& batches, std::size_t threads) {
  before_ = {arrays_.state(), is_ascending_, has_identities_, last_};
  std::exception_ptr failure;
  std::vector<Step> steps;
  for (const RankBatch& batch : batches) {
    if (arrays_.parts_company(batch.shape)) {
      if (!run(steps, threads, failure) || !all_have_written(*team_, failure)) return failure;
      steps.clear();
      failure = arrays_.part_company(batch.shape, team_->rank() == 0);
    }
    steps.push_back(step_of(batch));
  }
  run(steps, threads, failure);
  return failure;
}

ColumnsFile::Step ColumnsFile::step_of(const RankBatch& batch) {
  const ColumnsShape& shape = batch.shape;
  is_ascending_ =
      is_ascending_ && shape.is_ascending && (arrays_.events() == 0 || last_ <= shape.first);
  has_identities_ = has_identities_ && shape.has_identities;
  last_ = shape.last;
  Step step;
  arrays_.add(shape, batch.rank, batch.mine, step.works);
  if (!batch.flushes) return step;
  arrays_.add_rest(batch.rank, team_->size(), step.works);
  step.flushed = description();
  return step;
}

bool ColumnsFile::run(std::vector<Step>& steps, std::size_t threads, std::exception_ptr& failure) {
  exchange_pieces(steps);
  agree_on_sizes(steps, encode(steps, threads));
  std::vector<ChunkWork*> waiting;
  const auto flushed = [&](const std::function<void()>& describes) {
    write(std::exchange(waiting, {}), failure);
    if (!all_have_written(*team_, failure)) return false;
    describes();
    file_.flush();
    placed_ = 0;
    return true;
  };
  for (Step& step : steps) {
    for (ChunkWork& work : step.works) {
      if (placed_ == kMostPlaced && !flushed([] {})) return false;
      arrays_.array(work.array).place(group_, work);
      waiting.push_back(&work);
      ++placed_;
    }
    if (step.flushed && !flushed([&] { describe(std::move(*step.flushed), true); })) return false;
  }
  write(waiting, failure);
  return true;
}

void ColumnsFile::exchange_pieces(std::vector<Step>& steps) {
  if (team_->size() == 1) return;
  const int rank = team_->rank();
  const auto each = [&](auto&& visit) {
    for (Step& step : steps)
      for (ChunkWork& work : step.works)
        for (ArrayPiece& piece : work.pieces)
          if (!piece.counts && piece.rank != work.owner) visit(work, piece);
  };
  std::vector<std::vector<std::byte>> to(static_cast<std::size_t>(team_->size()));
  each([&](const ChunkWork& work, const ArrayPiece& piece) {
    if (piece.rank != rank) return;
    const Bytes bytes = bytes_of(piece, arrays_.array(work.array).element_bytes());
    auto& all = to[static_cast<std::size_t>(work.owner)];
    all.insert(all.end(), bytes.begin(), bytes.end());
  });
  const auto from = team_->exchange(to);
  std::vector<std::size_t> taken(from.size());
  each([&](const ChunkWork& work, ArrayPiece& piece) {
    if (!is_mine(work)) return;
    const auto sender = static_cast<std::size_t>(piece.rank);
    const auto size = static_cast<std::size_t>(piece.end - piece.first) *
                      arrays_.array(work.array).element_bytes();
    const auto at = from[sender].begin() + static_cast<std::ptrdiff_t>(taken[sender]);
    piece.bytes =
        std::make_shared<std::vector<std::byte>>(at, at + static_cast<std::ptrdiff_t>(size));
    piece.begins = piece.first;
    taken[sender] += size;
  });
}

std::exception_ptr ColumnsFile::encode(std::vector<Step>& steps, std::size_t threads) {
  constexpr std::uint64_t kLittle = std::uint64_t{1} << 20U;  // less than starting threads is worth
  std::vector<ChunkWork*> mine;
  std::uint64_t bytes = 0;
  for (Step& step : steps)
    for (ChunkWork& work : step.works) {
      if (!is_mine(work)) continue;
      mine.push_back(&work);
      bytes += (work.end - work.first) * arrays_.array(work.array).element_bytes();
    }
  const bool is_little = bytes < kLittle || !storage_.compression.is_on();
  return in_threads(threads, mine.size(), is_little, [&](std::size_t i) {
    const ColumnArray& array = arrays_.array(mine[i]->array);
    mine[i]->stored = array.encoded(*mine[i], assembled(*mine[i], array.element_bytes()));
    mine[i]->stored_bytes = mine[i]->stored.size();
    mine[i]->pieces.clear();
  });
}

void ColumnsFile::agree_on_sizes(std::vector<Step>& steps, const std::exception_ptr& failure) {
  agree(*team_, failure);
  if (team_->size() == 1) return;
  std::vector<std::uint64_t> sizes;
  for (const Step& step : steps)
    for (const ChunkWork& work : step.works)
      if (is_mine(work)) sizes.push_back(work.stored_bytes);
  const auto all = team_->gather(sizes);
  std::vector<std::size_t> taken(all.size());
  for (Step& step : steps)
    for (ChunkWork& work : step.works) {
      const auto owner = static_cast<std::size_t>(work.owner);
      work.stored_bytes = all[owner][taken[owner]++];
    }
}

void ColumnsFile::write(const std::vector<ChunkWork*>& works, std::exception_ptr& failure) {
  try {
    if (by_stripes_) return write_together(works, failure);
    for (const ChunkWork* work : works)
      if (is_mine(*work) && !failure) arrays_.array(work->array).write(*work);
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
}

/// Writes chunks of several ranks that share a stripe of the file system through one rank.
void ColumnsFile::write_together(const std::vector<ChunkWork*>& works,
                                 const std::exception_ptr& failure) {
  std::vector<AllocatedChunk> mine;
  for (const ChunkWork* work : works)
    if (is_mine(*work) && work->first != work->end)
      mine.push_back({arrays_.array(work->array).dataset(), {work->first}, work->stored});
  write_allocated_chunks(file_, mine, failure);
}

void ColumnsFile::describe(Description description, bool is_unfinished) {
  set_length(group_, description.events, is_unfinished);
  if (described_ == description.texts) return;
  describe_columns(group_, description.texts);
  described_ = std::move(description.texts);
}

void ColumnsFile::take_back() {
  interrupt();
  is_ascending_ = before_.is_ascending;
  has_identities_ = before_.has_identities;
  last_ = before_.last;
  arrays_.take_back(std::move(before_.arrays));
}

void ColumnsFile::interrupt() {
  spare_ = {};
  is_interrupted_ = true;
}

void ColumnsFile::finish(std::size_t threads) {
  spare_ = {};
  try {
    complete(threads);
  } catch (const std::exception& error) {
    file_.abandon(error.what());
    throw;
  }
}

void ColumnsFile::complete(std::size_t threads) {
  std::exception_ptr failure;
  std::vector<Step> steps(1);
  arrays_.add_rest({}, team_->size(), steps.front().works);
  run(steps, threads, failure);
  agree(*team_, failure);
  describe(description(), is_interrupted_);
  if (!plan_.identity.empty() && has_identities_ && !is_interrupted_) write_index();
  file_.close();
}

std::vector<Identity> ColumnsFile::identities(std::uint64_t first, std::uint64_t end) {
  std::vector<std::vector<std::uint64_t>> parts;
  for (const std::size_t column : plan_.identity) {
    const Dataset& stored = arrays_.numbers_of(column).dataset();
    parts.push_back(stored.read<std::uint64_t>(stored.rows(first, end)));
  }
  std::vector<Identity> found;
  found.reserve(parts[0].size());
  for (std::size_t i = 0; i < parts[0].size(); ++i)
    found.push_back({static_cast<std::uint32_t>(parts[0][i]),
                     static_cast<std::uint32_t>(parts[1][i]), parts[2][i]});
  return found;
}

/// Returns the entries sorted by identity; entries of equal identity keep the order of the file.
std::function<std::vector<IndexEntry>(std::uint64_t, std::uint64_t)> ColumnsFile::index_parts() {
  if (is_ascending_)  // read part by part, since there may be very many events
    return [this](std::uint64_t first, std::uint64_t end) {
      std::vector<IndexEntry> part;
      for (const Identity& id : identities(first, end)) part.push_back({id, first + part.size()});
      return part;
    };
  auto all = identities(0, arrays_.events());
  auto order = entries_by_identity(
      all.size(), [&](std::uint64_t entry) { return all[static_cast<std::size_t>(entry)]; });
  return [all = std::move(all), order = std::move(order)](std::uint64_t first, std::uint64_t end) {
    std::vector<IndexEntry> part;
    for (std::uint64_t i = first; i < end; ++i) {
      const std::uint64_t entry = order[static_cast<std::size_t>(i)];
      part.push_back({all[static_cast<std::size_t>(entry)], entry});
    }
    return part;
  };
}

void ColumnsFile::write_index() {
  file_.flush();  // rank 0 reads what others wrote
  const std::uint64_t count = arrays_.events();
  DatasetOptions how;
  if (count > kIndexUnfiltered && storage_.compression.is_on())
    how = {.chunk = {std::min(count, kIndexChunk)},
           .filters = filters_of(storage_.compression, sizeof(IndexEntry))};
  const Dataset dataset = group_.create_dataset(
      "identity", {.type = index_type(), .space = Dataspace(Shape{count}), .options = how});
  std::function<std::vector<IndexEntry>(std::uint64_t, std::uint64_t)> parts;
  for (std::uint64_t first = 0; first < count; first += kIndexPart) {
    const std::uint64_t end = std::min(count, first + kIndexPart);
    std::vector<IndexEntry> part;
    std::exception_ptr failure;
    try {
      if (team_->rank() == 0 && !parts) parts = index_parts();
      if (parts) part = parts(first, end);
    } catch (...) {
      failure = std::current_exception();
    }
    agree(*team_, failure);
    const Selection rows = part.empty() ? Selection::none() : dataset.rows(first, end);
    file_.write_multi(std::vector<WriteRequest>{{dataset, std::as_bytes(std::span(part)), rows}});
  }
  set_identity(group_, plan_.identity_names());
}

}  // namespace onecast::events::hdf5
