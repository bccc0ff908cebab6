#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "counters.hpp"
#include "extent_locks.hpp"
#include "layout.hpp"

namespace onecast::lab {

struct ModelOptions {
  std::uint32_t clients = 1;
  std::uint32_t osts = 4;
  std::uint64_t rpc_size = 1 << 20;      // of the largest RPC
  std::uint64_t max_dirty = 32 << 20;    // unwritten bytes of one client in one object
  std::uint64_t max_rpcs_in_flight = 8;  // of one client to one OST
  bool readahead = true;
  bool sync = false;                        // each write is sent at once and waited for
  std::chrono::nanoseconds latency{0};      // a round trip
  std::chrono::nanoseconds ost_service{0};  // time of an OST for one RPC, without its data
  std::chrono::nanoseconds mds_service{0};  // time of the metadata server for one operation
  double bandwidth = 0;                     // bytes per second of one OST; 0 is no limit
};

// What clients know of one object of a file.
struct ObjectState {
  // The bytes that a client keeps in memory: unsent bytes, and all that it need not request.
  struct Cache {
    RangeSet dirty;
    RangeSet valid;
  };

  ExtentLocks locks;
  std::map<std::uint32_t, Cache> caches;  // by client
};

struct StripedState {
  Layout layout;
  std::vector<ObjectState> objects;
};

// Counts and times the messages between the clients of a striped file system and its servers. It
// never sees the data itself. Each call returns the time at which the client may go on; the state
// has changed already when it returns.
class StorageModel {
 public:
  explicit StorageModel(const ModelOptions& options);

  Time write(std::uint32_t client, StripedState& file, Range range, bool at_once);
  // `size` is the size of the file; a `sequential` read continues the last one.
  Time read(std::uint32_t client, StripedState& file, Range range, std::uint64_t size,
            bool sequential, bool direct);
  Time flush(std::uint32_t client, StripedState& file);
  void flush_all(StripedState& file);
  // Drops the bytes beyond `size`, or those of `hole`.
  Time truncate(std::uint32_t client, StripedState& file, std::uint64_t size);
  Time punch(std::uint32_t client, StripedState& file, Range hole);
  // Requests the sizes of the objects, unless the client holds a lock on their ends.
  Time glimpse(std::uint32_t client, const StripedState& file, std::uint64_t size);
  Time metadata(std::uint32_t client, MetadataOp op);
  // Drops the file and its unwritten data.
  void forget(const StripedState& file);

  const ModelOptions& options() const { return options_; }
  const Counters& counters() const { return counters_; }
  std::uint64_t dirty_bytes() const { return dirty_; }
  void reset_counters();

 private:
  // One client at one object.
  struct Place {
    std::uint32_t client;
    std::uint32_t ost;
    ObjectState& object;
  };

  // Returns the time of a call. All that the OSTs do for it and for later calls comes after it.
  Time enter();
  Place place(std::uint32_t client, StripedState& file, std::uint32_t object);
  template <typename Change>
  void count(std::uint32_t client, std::uint32_t ost, Change change);
  void lock(const Place& at, LockMode mode, Range range, Time& now);
  void take_away(const Place& at, const std::vector<ExtentLock>& locks, Time& now);
  Time send(const Place& at, Range part, Time now);
  Time send_dirty(const Place& at, Range range, Time now);
  void send_full(const Place& at, Range written, Time& now);
  void fetch(const Place& at, Range range, std::uint64_t object_size, bool readahead, Time& now);
  void cut(const Place& at, Range gone, Time& now);
  Time serve(std::uint32_t ost, std::uint64_t bytes, Time now);
  std::vector<Range> in_rpcs(Range range) const;

  ModelOptions options_;
  Counters counters_;
  Time entered_;
  std::vector<Time> ost_free_;
  Time mds_free_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Time>> in_flight_;
  std::uint64_t dirty_ = 0;
};

}  // namespace onecast::lab
