#include "comm/backend.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace onecast::comm {
namespace {

/// The messages of a process without other ranks.
class NoMessages final : public MessageBatch {
 public:
  void send(int /*to*/, std::span<const std::byte> /*bytes*/) override { fail(); }
  void receive(int /*from*/, std::span<std::byte> /*bytes*/) override { fail(); }
  void wait() override {}

 private:
  [[noreturn]] static void fail() { throw std::logic_error("a message to another rank"); }
};

/// A reduction that needs no message, or has waited for it.
class DoneReduction final : public HeaderReduction {
 public:
  explicit DoneReduction(const CallHeader& mine) : value_(mine) {}
  bool is_done() override { return true; }
  [[nodiscard]] const CallHeader& value() const override { return value_; }
  [[nodiscard]] std::span<std::byte> bytes() { return value_.bytes(); }

 private:
  CallHeader value_;
};

}  // namespace

std::unique_ptr<HeaderReduction> CommunicatorBackend::begin_header(const CallHeader& mine) {
  auto done = std::make_unique<DoneReduction>(mine);
  all_combine(done->bytes(), combine_headers);
  return done;
}

void CommunicatorBackend::wait_for(HeaderReduction& /*reduction*/, const AwaitedCall& /*call*/) {}

void CommunicatorBackend::all_combine(std::span<std::byte> value, Combine combine) {
  if (size() == 1) return;
  auto all = all_gather(value);
  for (std::size_t r = 1; r < all.size(); ++r) combine(all[r - 1].data(), all[r].data());
  std::copy(all.back().begin(), all.back().end(), value.begin());
}

const std::vector<int>& CommunicatorBackend::nodes() {
  if (nodes_.empty()) nodes_.assign(static_cast<std::size_t>(size()), 0);
  return nodes_;
}

CommunicatorBackend& CommunicatorBackend::ranks_of_node() {
  if (!ranks_of_node_) ranks_of_node_ = split(nodes()[static_cast<std::size_t>(rank())]);
  return *ranks_of_node_;
}

CommunicatorBackend* CommunicatorBackend::leaders() {
  const bool leads = ranks_of_node().rank() == 0;
  if (!leaders_) leaders_ = split(leads ? 0 : 1);
  return leads ? leaders_.get() : nullptr;
}

std::vector<int> CommunicatorBackend::number_nodes(const std::vector<int>& lowest_ranks) {
  std::map<int, int> number;
  for (const int lowest : lowest_ranks) number.emplace(lowest, static_cast<int>(number.size()));
  std::vector<int> nodes;
  nodes.reserve(lowest_ranks.size());
  for (const int lowest : lowest_ranks) nodes.push_back(number.at(lowest));
  return nodes;
}

std::unique_ptr<MessageBatch> CommunicatorBackend::messages() {
  return std::make_unique<NoMessages>();
}

}  // namespace onecast::comm
