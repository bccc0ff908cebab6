#include "counters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

namespace onecast::lab {
namespace {

constexpr std::array kOpNames = {
    "lookup",   "open",     "create",   "close",    "getattr", "setattr", "truncate",
    "allocate", "unlink",   "rename",   "mkdir",    "rmdir",   "readdir", "link",
    "symlink",  "readlink", "getxattr", "setxattr", "statfs",  "fsync",   "file_lock"};
static_assert(kOpNames.size() == static_cast<std::size_t>(MetadataOp::kCount));

template <typename Pairs>
std::string object(const Pairs& pairs) {
  std::vector<std::string> members;
  members.reserve(pairs.size());
  for (const auto& [name, value] : pairs) members.push_back(fmt::format("\"{}\": {}", name, value));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

std::string transfers(const char* what, const Transfers& of) {
  return fmt::format("\"{0}_rpcs\": {1}, \"{0}_bytes\": {2}, \"{0}_sizes\": {3}", what, of.rpcs,
                     of.bytes, object(of.sizes));
}

std::string traffic(const Traffic& of) {
  return fmt::format(
      "{}, {}, \"lock_enqueues\": {}, \"revocations\": {}, \"glimpses\": {}, \"punches\": {}",
      transfers("write", of.writes), transfers("read", of.reads), of.lock_enqueues, of.revocations,
      of.glimpses, of.punches);
}

template <typename Array>
std::string metadata(const Array& counts) {
  std::vector<std::pair<const char*, std::uint64_t>> pairs;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) pairs.emplace_back(kOpNames[i], counts[i]);
  }
  return object(pairs);
}

void add(Transfers& sum, const Transfers& part) {
  sum.rpcs += part.rpcs;
  sum.bytes += part.bytes;
  for (const auto& [size, count] : part.sizes) sum.sizes[size] += count;
}

void add(ClientCounters& sum, const ClientCounters& part) {
  add(sum.traffic.writes, part.traffic.writes);
  add(sum.traffic.reads, part.traffic.reads);
  sum.traffic.lock_enqueues += part.traffic.lock_enqueues;
  sum.traffic.revocations += part.traffic.revocations;
  sum.traffic.glimpses += part.traffic.glimpses;
  sum.traffic.punches += part.traffic.punches;
  for (std::size_t i = 0; i < sum.metadata.size(); ++i) sum.metadata[i] += part.metadata[i];
}

std::string busy(const BusyTimes::Ost& of) {
  std::vector<std::string> intervals;
  intervals.reserve(of.intervals.size());
  for (const Range& one : of.intervals) {
    intervals.push_back(fmt::format("[{}, {}]", one.start, one.end));
  }
  return fmt::format("\"busy_ns\": {}, \"busy_intervals\": [{}]", of.busy,
                     fmt::join(intervals, ", "));
}

std::string client(const ClientCounters& of) {
  return fmt::format("{}, \"metadata\": {}", traffic(of.traffic), metadata(of.metadata));
}

}  // namespace

void Transfers::count(std::uint64_t size) {
  ++rpcs;
  bytes += size;
  ++sizes[std::bit_ceil(size)];
}

std::string to_json(const Counters& counters, const std::string& model, std::uint64_t dirty_bytes) {
  ClientCounters total;
  std::vector<std::string> clients;
  std::vector<std::string> osts;
  clients.reserve(counters.clients.size());
  osts.reserve(counters.osts.size());
  for (const ClientCounters& one : counters.clients) {
    clients.push_back(fmt::format("{{\"client\": {}, {}}}", clients.size(), client(one)));
    add(total, one);
  }
  const std::optional<double> balance = counters.busy.balance();
  for (const OstCounters& one : counters.osts) {
    const std::size_t number = osts.size();
    osts.push_back(fmt::format("{{\"ost\": {}, {}, \"writers\": [{}], {}}}", number,
                               traffic(one.traffic), fmt::join(one.writers, ", "),
                               busy(counters.busy.osts()[number])));
  }
  return fmt::format(
      "{{\n\"format\": \"onecast-lab 1\",\n\"model\": {},\n\"dirty_bytes\": {},\n"
      "\"any_busy_ns\": {},\n\"balance\": {},\n"
      "\"total\": {{{}}},\n\"clients\": [\n  {}],\n\"osts\": [\n  {}]\n}}\n",
      model, dirty_bytes, counters.busy.any(), balance ? fmt::format("{:.6f}", *balance) : "null",
      client(total), fmt::join(clients, ",\n  "), fmt::join(osts, ",\n  "));
}

}  // namespace onecast::lab
