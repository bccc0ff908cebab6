#include "comm/backend.hpp"

#include <algorithm>
#include <map>

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
  if (nodes_.empty()) set_nodes(std::vector<int>(static_cast<std::size_t>(size()), 0));
  return nodes_;
}

void CommunicatorBackend::set_nodes(std::vector<int> nodes) {
  nodes_ = std::move(nodes);
  const int mine = nodes_[static_cast<std::size_t>(rank())];
  leader_.rank = static_cast<int>(std::ranges::find(nodes_, mine) - nodes_.begin());
  leader_.ranks = static_cast<int>(std::ranges::count(nodes_, mine));
}

CommunicatorBackend& CommunicatorBackend::ranks_of_node() {
  if (!ranks_of_node_) ranks_of_node_ = split_known(nodes());
  return *ranks_of_node_;
}

CommunicatorBackend* CommunicatorBackend::leaders() {
  if (!has_leaders_) {
    // Nodes have their numbers in the order of their first ranks.
    std::vector<int> leads;
    leads.reserve(nodes_.size());
    int known = 0;
    for (const int node : nodes()) {
      const bool is_first = node == known;
      leads.push_back(is_first ? 0 : -1);
      if (is_first) ++known;
    }
    leaders_ = split_known(leads);
    has_leaders_ = true;
  }
  return leader_.rank == rank() ? leaders_.get() : nullptr;
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
