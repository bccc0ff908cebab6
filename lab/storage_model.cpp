#include "storage_model.hpp"

#include <algorithm>

namespace onecast::lab {

StorageModel::StorageModel(const ModelOptions& options)
    : options_(options), counters_(options.clients, options.osts), ost_free_(options.osts) {}

Time StorageModel::enter() {
  entered_ = Clock::now();
  return entered_;
}

Time StorageModel::write(std::uint32_t client, StripedState& file, Range range, bool at_once) {
  Time now = enter();
  for (const Piece& piece : file.layout.split(range)) {
    const Place at = place(client, file, piece.object);
    lock(at, LockMode::kWrite, piece.range, now);
    ObjectState::Cache& cache = at.object.caches[client];
    dirty_ -= cache.dirty.size();
    cache.dirty.add(piece.range);
    dirty_ += cache.dirty.size();
    cache.valid.add(piece.range);
    if (at_once || options_.sync)
      now = send_dirty(at, piece.range, now);
    else
      send_full(at, piece.range, now);
    if (cache.dirty.size() > options_.max_dirty) now = send_dirty(at, {0, kEof}, now);
  }
  return now;
}

Time StorageModel::read(std::uint32_t client, StripedState& file, Range range, std::uint64_t size,
                        bool sequential, bool direct) {
  Time now = enter();
  range.end = std::min(range.end, size);
  for (const Piece& piece : file.layout.split(range)) {
    const Place at = place(client, file, piece.object);
    lock(at, LockMode::kRead, piece.range, now);
    if (direct) {
      now = send_dirty(at, piece.range, now);
      at.object.caches[client].valid.remove(piece.range);
    }
    fetch(at, direct ? piece.range : whole_pages(piece.range),
          file.layout.object_size(size, piece.object), sequential && !direct, now);
  }
  return now;
}

Time StorageModel::flush(std::uint32_t client, StripedState& file) {
  Time now = enter();
  Time done = now;
  for (std::uint32_t object = 0; object < file.objects.size(); ++object) {
    const Place at = place(client, file, object);
    done = std::max(done, send_dirty(at, {0, kEof}, now));
    // Data that was sent early must have arrived, too.
    const auto sent = in_flight_.find({client, at.ost});
    if (sent != in_flight_.end() && !sent->second.empty()) {
      done = std::max(done, sent->second.back());
    }
  }
  return done;
}

void StorageModel::flush_all(StripedState& file) {
  for (std::uint32_t client = 0; client < options_.clients; ++client) flush(client, file);
}

Time StorageModel::truncate(std::uint32_t client, StripedState& file, std::uint64_t size) {
  Time now = enter();
  for (std::uint32_t object = 0; object < file.objects.size(); ++object) {
    cut(place(client, file, object), {file.layout.object_size(size, object), kEof}, now);
  }
  return now;
}

Time StorageModel::punch(std::uint32_t client, StripedState& file, Range hole) {
  Time now = enter();
  for (const Piece& piece : file.layout.split(hole)) {
    cut(place(client, file, piece.object), piece.range, now);
  }
  return now;
}

Time StorageModel::glimpse(std::uint32_t client, const StripedState& file, std::uint64_t size) {
  const Time now = enter();
  Time done = now;
  for (std::uint32_t object = 0; object < file.objects.size(); ++object) {
    const std::uint64_t end = file.layout.object_size(size, object);
    const Range behind = whole_pages({end, end + 1});
    if (file.objects[object].locks.match(client, LockMode::kRead, behind) != nullptr) continue;
    const std::uint32_t ost = file.layout.ost_of(object);
    count(client, ost, [](Traffic& traffic) { ++traffic.glimpses; });
    done = std::max(done, serve(ost, 0, now));
  }
  return done;
}

Time StorageModel::metadata(std::uint32_t client, MetadataOp op) {
  ++counters_.clients[client].metadata[static_cast<std::size_t>(op)];
  const Time now = enter();
  // Lookups come from the missing name cache of the mount; closes are not waited for.
  if (op == MetadataOp::kLookup || op == MetadataOp::kClose) return now;
  mds_free_ = std::max(mds_free_, now + options_.latency / 2) + options_.mds_service;
  return mds_free_ + options_.latency / 2;
}

void StorageModel::forget(const StripedState& file) {
  for (const ObjectState& object : file.objects) {
    for (const auto& [client, cache] : object.caches) dirty_ -= cache.dirty.size();
  }
}

void StorageModel::reset_counters() { counters_ = Counters(options_.clients, options_.osts); }

StorageModel::Place StorageModel::place(std::uint32_t client, StripedState& file,
                                        std::uint32_t object) {
  return {client, file.layout.ost_of(object), file.objects[object]};
}

template <typename Change>
void StorageModel::count(std::uint32_t client, std::uint32_t ost, Change change) {
  change(counters_.clients[client].traffic);
  change(counters_.osts[ost].traffic);
}

// Gets the lock for the bytes of `range` from the OST, unless the client holds it already.
void StorageModel::lock(const Place& at, LockMode mode, Range range, Time& now) {
  const Range pages = whole_pages(range);
  if (const ExtentLock* held = at.object.locks.match(at.client, mode, pages)) {
    now = std::max(now, held->granted);
    return;
  }
  count(at.client, at.ost, [](Traffic& traffic) { ++traffic.lock_enqueues; });
  now = serve(at.ost, 0, now);
  take_away(at, at.object.locks.enqueue(at.client, mode, pages), now);
  at.object.locks.set_granted(now);
}

// The OST revokes the locks of all holders at the same time; they first send unsent data. A client
// that was just granted a lock learns of that first.
void StorageModel::take_away(const Place& at, const std::vector<ExtentLock>& locks, Time& now) {
  const Time start = now;
  for (const ExtentLock& lock : locks) {
    const Time called = std::max(start, lock.granted) + options_.latency;
    count(lock.client, at.ost, [](Traffic& traffic) { ++traffic.revocations; });
    const Place holder{lock.client, at.ost, at.object};
    now = std::max({now, called, send_dirty(holder, lock.range, called)});
    at.object.caches[lock.client].valid.remove(lock.range);
  }
}

// Sends one write RPC; returns when it has been answered.
Time StorageModel::send(const Place& at, Range part, Time now) {
  count(at.client, at.ost, [&](Traffic& traffic) { traffic.writes.count(part.size()); });
  counters_.osts[at.ost].writers.insert(at.client);
  RangeSet& dirty = at.object.caches[at.client].dirty;
  dirty_ -= dirty.size();
  dirty.remove(part);
  dirty_ += dirty.size();
  return serve(at.ost, part.size(), now);
}

Time StorageModel::send_dirty(const Place& at, Range range, Time now) {
  Time done = now;
  for (const Range& run : at.object.caches[at.client].dirty.within(range)) {
    for (const Range& part : in_rpcs(run)) done = std::max(done, send(at, part, now));
  }
  return done;
}

// RPCs that `written` has filled are sent early; the client waits only if too many are in flight.
void StorageModel::send_full(const Place& at, Range written, Time& now) {
  const RangeSet& dirty = at.object.caches[at.client].dirty;
  const std::uint64_t size = options_.rpc_size;
  for (std::uint64_t start = written.start / size * size; start < written.end; start += size) {
    if (!dirty.contains({start, start + size})) continue;
    std::deque<Time>& sent = in_flight_[{at.client, at.ost}];
    while (!sent.empty() && sent.front() <= now) sent.pop_front();
    if (sent.size() >= options_.max_rpcs_in_flight) {
      now = sent.front();
      sent.pop_front();
    }
    sent.push_back(send(at, {start, start + size}, now));
  }
}

// Reads the part of `range` that the client does not have in memory. Readahead goes to the end of
// the RPC.
void StorageModel::fetch(const Place& at, Range range, std::uint64_t object_size, bool readahead,
                         Time& now) {
  RangeSet& valid = at.object.caches[at.client].valid;
  const Range known{0, object_size};
  range.end = std::min(range.end, known.end);
  if (valid.contains(range)) return;
  if (readahead && options_.readahead) {
    const std::uint64_t whole = (range.end + options_.rpc_size - 1) / options_.rpc_size;
    const Range allowed = at.object.locks.held(at.client, whole_pages(range));
    range.end = std::min({whole * options_.rpc_size, known.end, allowed.end});
  }
  const Time asked = now;
  for (const Range& run : valid.missing(range)) {
    for (const Range& part : in_rpcs(run)) {
      count(at.client, at.ost, [&](Traffic& traffic) { traffic.reads.count(part.size()); });
      now = std::max(now, serve(at.ost, part.size(), asked));
    }
  }
  valid.add(range);
}

void StorageModel::cut(const Place& at, Range gone, Time& now) {
  count(at.client, at.ost, [](Traffic& traffic) { ++traffic.punches; });
  now = serve(at.ost, 0, now);
  take_away(at, at.object.locks.revoke_others(at.client, LockMode::kWrite, whole_pages(gone)), now);
  ObjectState::Cache& cache = at.object.caches[at.client];
  dirty_ -= cache.dirty.size();
  cache.dirty.remove(gone);
  dirty_ += cache.dirty.size();
  cache.valid.remove(gone);
}

// Returns when the answer to an RPC of that many bytes arrives. An OST serves one RPC after the
// other.
Time StorageModel::serve(std::uint32_t ost, std::uint64_t bytes, Time now) {
  auto busy = options_.ost_service;
  if (options_.bandwidth > 0) {
    const std::chrono::duration<double> moving(static_cast<double>(bytes) / options_.bandwidth);
    busy += std::chrono::duration_cast<std::chrono::nanoseconds>(moving);
  }
  Time& free = ost_free_[ost];
  const Time begin = std::max(free, now + options_.latency / 2);
  free = begin + busy;
  counters_.busy.add(ost, begin, free, entered_);
  return free + options_.latency / 2;
}

// Returns `range` cut at multiples of the RPC size.
std::vector<Range> StorageModel::in_rpcs(Range range) const {
  std::vector<Range> parts;
  while (range.size() > 0) {
    const std::uint64_t boundary = (range.start / options_.rpc_size + 1) * options_.rpc_size;
    parts.push_back({range.start, std::min(range.end, boundary)});
    range.start = parts.back().end;
  }
  return parts;
}

}  // namespace onecast::lab
