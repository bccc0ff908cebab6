#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "busy_times.hpp"

namespace onecast::lab {

enum class MetadataOp : std::uint8_t {
  kLookup,
  kOpen,
  kCreate,
  kClose,
  kGetattr,
  kSetattr,
  kTruncate,
  kAllocate,
  kUnlink,
  kRename,
  kMkdir,
  kRmdir,
  kReaddir,
  kLink,
  kSymlink,
  kReadlink,
  kGetxattr,
  kSetxattr,
  kStatfs,
  kFsync,
  kFileLock,
  kCount
};

// The RPCs of one direction.
struct Transfers {
  std::uint64_t rpcs = 0;
  std::uint64_t bytes = 0;
  std::map<std::uint64_t, std::uint64_t> sizes;  // upper bound, a power of two -> RPCs

  void count(std::uint64_t size);
};

// The traffic between clients and servers, of one client or of one OST.
struct Traffic {
  Transfers writes;
  Transfers reads;
  std::uint64_t lock_enqueues = 0;
  std::uint64_t revocations = 0;  // locks taken away from it
  std::uint64_t glimpses = 0;     // requests for an object's size
  std::uint64_t punches = 0;      // requests to truncate an object, or to punch a hole into it
};

struct ClientCounters {
  Traffic traffic;
  std::array<std::uint64_t, static_cast<std::size_t>(MetadataOp::kCount)> metadata{};
};

struct OstCounters {
  Traffic traffic;
  std::set<std::uint32_t> writers;  // clients that sent it data
};

struct Counters {
  Counters(std::size_t client_count, std::size_t ost_count)
      : clients(client_count), osts(ost_count), busy(ost_count, Clock::now()) {}

  std::vector<ClientCounters> clients;
  std::vector<OstCounters> osts;
  BusyTimes busy;
};

// Returns the counters as JSON; `model` is an object that describes the run.
std::string to_json(const Counters& counters, const std::string& model, std::uint64_t dirty_bytes);

}  // namespace onecast::lab
