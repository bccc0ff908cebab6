#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/make_error.hpp"
#include "comm/backend.hpp"
#include "comm/communicator_access.hpp"
#include "comm/node/memory_file.hpp"
#include "comm/segments.hpp"
#include "comm/user_headers.hpp"
#include "comm/user_messages.hpp"
#include "comm/user_tree.hpp"
#include "onecast/comm/point_to_point.hpp"

/// The communicator of ranks that a user connects.
namespace onecast {

using namespace comm;

namespace {

using Bytes = UserTree::Bytes;

class UserCommunicator final : public CommunicatorBackend {
 public:
  explicit UserCommunicator(const std::shared_ptr<UserMessages>& messages)
      : tree_(messages, all_ranks(messages->size()), messages->rank()),
        headers_(std::in_place, *messages, messages->rank(), messages->size()) {}
  /// The communicator of a part of the ranks.
  explicit UserCommunicator(UserTree part) : tree_(std::move(part)) {}
  ~UserCommunicator() override;

  [[nodiscard]] int rank() const override { return tree_.rank(); }
  [[nodiscard]] int size() const override { return tree_.size(); }
  void require_running() const override { tree_.messages()->require_whole(); }
  [[nodiscard]] bool has_ranks_of(const CommunicatorBackend& other) const override {
    if (CommunicatorBackend::has_ranks_of(other)) return true;
    const auto* ranks = dynamic_cast<const UserCommunicator*>(&other);
    return ranks != nullptr && &ranks->functions() == &functions() &&
           ranks->tree_.rank_of() == tree_.rank_of();
  }
  [[nodiscard]] bool is_beside(const CommunicatorBackend& other) const override {
    const auto* ranks = dynamic_cast<const UserCommunicator*>(&other);
    // A file without a communicator may belong to any rank.
    if (ranks == nullptr) return other.is_self();
    return ranks->tree_.messages()->rank() != tree_.messages()->rank();
  }
  [[nodiscard]] bool allows_threads() const override { return functions().any_thread(); }

  std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) override;
  void wait_for(HeaderReduction& reduction, const AwaitedCall& call) override;

  void broadcast(std::span<std::byte> bytes, int root) override;
  void broadcast_both(std::span<std::byte> head, std::span<std::byte> tail, int root) override {
    ++collectives_;
    spread_and_find_nodes(head, root);
    tree_.spread(tail, root);
  }
  void all_reduce_min(std::span<std::uint64_t> values) override {
    reduce_numbers(values, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
  }
  void all_reduce_max(std::span<std::uint64_t> values) override {
    reduce_numbers(values, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  }
  std::vector<Bytes> all_gather(std::span<const std::byte> mine) override {
    ++collectives_;
    return tree_.all_gather(mine);
  }
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override {
    ++collectives_;
    return tree_.exchange(to, *messages());
  }
  void barrier() override {
    std::byte nothing{};
    all_combine({&nothing, 1}, [](const std::byte*, std::byte*) {});
  }
  std::unique_ptr<CommunicatorBackend> split(int group) override;
  std::unique_ptr<CommunicatorBackend> split_known(const std::vector<int>& group_of) override;
  /// The messages among the ranks of a node and among the nodes are those of one tree.
  [[nodiscard]] std::uint64_t calls_of_steps(std::uint64_t steps) const override {
    return std::min<std::uint64_t>(steps, 1);
  }
  void all_combine(std::span<std::byte> value, Combine combine) override {
    ++collectives_;
    tree_.reduce(value, [&](std::span<const std::byte> lower, std::span<std::byte> higher) {
      combine(lower.data(), higher.data());
    });
  }
  const std::vector<int>& nodes() override;
  [[nodiscard]] std::optional<std::uint64_t> node_hint() const override {
    try {
      return functions().node();
    } catch (...) {  // Others wait for this rank; nodes() reports it.
      return {};
    }
  }
  std::unique_ptr<MessageBatch> messages() override {
    return user_batch(*tree_.messages(), tree_.rank_of(), sent_);
  }

 private:
  static std::vector<int> all_ranks(int size) {
    std::vector<int> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  [[nodiscard]] const PointToPoint& functions() const { return tree_.messages()->functions(); }
  /// Finds out the nodes with the same messages, if they are wanted.
  void spread_and_find_nodes(std::span<std::byte> bytes, int root) {
    if (root == 0 && is_on_several_nodes() && !knows_nodes())
      find_nodes(bytes);
    else
      tree_.spread(bytes, root);
  }
  /// Finds out the nodes, and brings `bytes` of rank 0 to all ranks.
  void find_nodes(std::span<std::byte> bytes);
  template <class F>
  void reduce_numbers(std::span<std::uint64_t> values, F&& choose);

  UserTree tree_;
  std::optional<UserHeaders> headers_;  ///< nothing in a part, which has no files
};

/// Tells ranks that wait for this one that it makes no further call.
UserCommunicator::~UserCommunicator() {
  if (!headers_) return;
  try {
    calls().part("it has released the file");
  } catch (...) {  // NOLINT(bugprone-empty-catch): nobody can be told
  }
}

// --- headers -------------------------------------------------------------------------------------

namespace {

class Header final : public HeaderReduction {
 public:
  explicit Header(const CallHeader& mine) : value_(mine), done_(is_answer(mine.first.kind)) {}

  bool is_done() override { return done_; }
  [[nodiscard]] const CallHeader& value() const override { return value_; }
  void finish(UserHeaders& headers) {
    if (!done_) value_ = headers.reduce(value_);
    done_ = true;
  }

 private:
  CallHeader value_;
  bool done_;  ///< an answer waits for nobody
};

}  // namespace

std::unique_ptr<HeaderReduction> UserCommunicator::begin_header(const CallHeader& mine) {
  ++collectives_;
  if (is_answer(mine.first.kind)) {
    try {
      headers_->leave(mine);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it leaves even if nobody can be told
    }
  }
  return std::make_unique<Header>(mine);
}

void UserCommunicator::wait_for(HeaderReduction& reduction, const AwaitedCall& /*call*/) {
  dynamic_cast<Header&>(reduction).finish(*headers_);
}

// --- operations ----------------------------------------------------------------------------------

void UserCommunicator::broadcast(std::span<std::byte> bytes, int root) {
  for_each_segment(bytes, [&](auto segment) {
    ++collectives_;
    spread_and_find_nodes(segment, root);
  });
}

template <class F>
void UserCommunicator::reduce_numbers(std::span<std::uint64_t> values, F&& choose) {
  ++collectives_;
  tree_.reduce(std::as_writable_bytes(values),
               [&](std::span<const std::byte> lower, std::span<std::byte> higher) {
                 for (std::size_t at = 0; at < higher.size(); at += sizeof(std::uint64_t)) {
                   std::uint64_t a = 0;
                   std::uint64_t b = 0;
                   std::memcpy(&a, lower.data() + at, sizeof a);
                   std::memcpy(&b, higher.data() + at, sizeof b);
                   b = choose(a, b);
                   std::memcpy(higher.data() + at, &b, sizeof b);
                 }
               });
}

std::unique_ptr<CommunicatorBackend> UserCommunicator::split(int group) {
  ++collectives_;
  auto groups = tree_.gather_values(group);
  groups.resize(static_cast<std::size_t>(size()));
  tree_.spread(std::as_writable_bytes(std::span(groups)), 0);
  return split_known(groups);
}

/// All ranks know the parts, so no message is needed.
std::unique_ptr<CommunicatorBackend> UserCommunicator::split_known(
    const std::vector<int>& group_of) {
  const int mine = group_of[static_cast<std::size_t>(rank())];
  if (mine < 0) return nullptr;
  std::vector<int> ranks;
  int place = 0;
  for (int r = 0; r < size(); ++r) {
    if (group_of[static_cast<std::size_t>(r)] != mine) continue;
    if (r == rank()) place = static_cast<int>(ranks.size());
    ranks.push_back(tree_.rank_of()[static_cast<std::size_t>(r)]);
  }
  return std::make_unique<UserCommunicator>(UserTree(tree_.messages(), std::move(ranks), place));
}

const std::vector<int>& UserCommunicator::nodes() {
  if (knows_nodes()) return nodes_;
  ++collectives_;
  find_nodes({});
  return nodes_;
}

void UserCommunicator::find_nodes(std::span<std::byte> bytes) {
  struct Place {
    std::uint64_t node;
    std::uint64_t process;
  };
  const auto places =
      tree_.gather_values(Place{tree_.messages()->node(), static_cast<std::uint64_t>(getpid())});
  // The node of each rank; for the first rank of a node, whose number follows from the ranks before
  // it, the process, with the other sign.
  std::vector<std::int32_t> told;
  if (rank() == 0) {
    std::unordered_map<std::uint64_t, std::int32_t> known;
    for (const Place& place : places) {
      const auto [found, is_new] =
          known.emplace(place.node, static_cast<std::int32_t>(known.size()));
      told.push_back(is_new ? -static_cast<std::int32_t>(place.process) : found->second);
    }
  }
  told.resize(static_cast<std::size_t>(size()));
  std::uint64_t number = random_number().value_or(0);
  // One message: what the caller sends, a random number, and the nodes.
  const std::array parts{bytes, std::as_writable_bytes(std::span(&number, 1)),
                         std::as_writable_bytes(std::span(told))};
  Bytes pack;
  for (const auto& part : parts) pack.insert(pack.end(), part.begin(), part.end());
  tree_.spread(pack, 0);
  std::size_t at = 0;
  for (const auto& part : parts) {
    std::copy_n(pack.begin() + static_cast<std::ptrdiff_t>(at), part.size(), part.begin());
    at += part.size();
  }
  std::vector<int> nodes;
  std::vector<std::int32_t> processes;  // of the first ranks of nodes
  nodes.reserve(told.size());
  for (const std::int32_t each : told) {
    nodes.push_back(each < 0 ? static_cast<int>(processes.size()) : each);
    if (each < 0) processes.push_back(-each);
  }
  const auto mine = static_cast<std::size_t>(nodes[static_cast<std::size_t>(rank())]);
  set_nodes(std::move(nodes));
  // Each node has a number of its own.
  constexpr std::uint64_t kOdd = 0xd1342543de82ef95U;
  set_leader(processes[mine], number == 0 ? 0 : number + kOdd * mine);
}

}  // namespace

Communicator user_communicator(std::shared_ptr<PointToPoint> ranks) {
  if (!ranks) throw Error(ErrorCode::invalid_argument, "user_communicator: ranks is null");
  if (ranks->rank() < 0 || ranks->rank() >= ranks->size())
    throw argument_error("user_communicator: rank {} of {}; 0 to size - 1 is expected",
                         ranks->rank(), ranks->size());
  return CommunicatorAccess::make(
      std::make_shared<UserCommunicator>(std::make_shared<UserMessages>(std::move(ranks))));
}

}  // namespace onecast
