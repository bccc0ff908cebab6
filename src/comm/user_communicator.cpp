#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "comm/backend.hpp"
#include "comm/communicator_access.hpp"
#include "comm/node/memory_file.hpp"
#include "comm/segments.hpp"
#include "comm/user_headers.hpp"
#include "comm/user_messages.hpp"
#include "onecast/base/error.hpp"
#include "onecast/comm/point_to_point.hpp"

/// The collective operations, built from messages between two ranks.
namespace onecast {

using namespace comm;

namespace {

using Bytes = std::vector<std::byte>;

/// A broadcast of this size waits until it was received.
constexpr std::size_t kAnswered = std::size_t{64} << 10U;

class UserCommunicator final : public CommunicatorBackend {
 public:
  explicit UserCommunicator(std::shared_ptr<PointToPoint> functions)
      : messages_(std::make_shared<UserMessages>(std::move(functions))),
        rank_of_(static_cast<std::size_t>(messages_->size())),
        rank_(messages_->rank()),
        headers_(std::in_place, *messages_, rank_, messages_->size()) {
    std::iota(rank_of_.begin(), rank_of_.end(), 0);
  }
  /// The communicator of a part of the ranks.
  UserCommunicator(std::shared_ptr<UserMessages> messages, std::vector<int> rank_of, int rank)
      : messages_(std::move(messages)), rank_of_(std::move(rank_of)), rank_(rank) {}
  ~UserCommunicator() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(rank_of_.size()); }
  void require_running() const override { messages_->require_whole(); }
  [[nodiscard]] bool has_ranks_of(const CommunicatorBackend& other) const override {
    if (CommunicatorBackend::has_ranks_of(other)) return true;
    const auto* ranks = dynamic_cast<const UserCommunicator*>(&other);
    return ranks != nullptr && &ranks->messages_->functions() == &messages_->functions() &&
           ranks->rank_of_ == rank_of_;
  }
  [[nodiscard]] bool is_beside(const CommunicatorBackend& other) const override {
    const auto* ranks = dynamic_cast<const UserCommunicator*>(&other);
    if (ranks == nullptr)
      return other.is_self();  // a file without a communicator may belong to
                               // any rank
    return ranks->messages_->rank() != messages_->rank();
  }
  [[nodiscard]] bool allows_threads() const override { return messages_->functions().any_thread(); }

  std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) override;
  void wait_for(HeaderReduction& reduction, const AwaitedCall& call) override;

  void broadcast(std::span<std::byte> bytes, int root) override;
  void broadcast_both(std::span<std::byte> head, std::span<std::byte> tail, int root) override {
    ++collectives_;
    spread_and_find_nodes(head, root);
    spread(tail, root);
  }
  void all_reduce_min(std::span<std::uint64_t> values) override;
  void all_reduce_max(std::span<std::uint64_t> values) override;
  std::vector<Bytes> all_gather(std::span<const std::byte> mine) override;
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override;
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
    reduce(value, [&](std::span<const std::byte> lower, std::span<std::byte> higher) {
      combine(lower.data(), higher.data());
    });
  }
  const std::vector<int>& nodes() override;
  [[nodiscard]] std::optional<std::uint64_t> node_hint() const override {
    try {
      return messages_->functions().node();
    } catch (...) {  // Others wait for this rank; nodes() reports it.
      return {};
    }
  }
  std::unique_ptr<MessageBatch> messages() override {
    return user_batch(*messages_, rank_of_, sent_);
  }

 private:
  [[nodiscard]] int in_whole(int rank) const { return rank_of_[static_cast<std::size_t>(rank)]; }
  void send(int to, std::span<const std::byte> bytes) {
    messages_->send(in_whole(to), UserMessages::Kind::collective, bytes);
  }
  void receive(int from, std::span<std::byte> bytes) {
    messages_->receive(in_whole(from), UserMessages::Kind::collective, bytes);
  }
  void spread(std::span<std::byte> bytes, int root);
  /// Finds out the nodes with the same messages, if they are wanted.
  void spread_and_find_nodes(std::span<std::byte> bytes, int root) {
    if (root == 0 && is_on_several_nodes() && !knows_nodes())
      find_nodes(bytes);
    else
      spread(bytes, root);
  }
  /// The values of all ranks on rank 0; on other ranks, a part of them.
  template <class Value>
  std::vector<Value> gather_values(const Value& mine);
  /// Finds out the nodes, and brings `bytes` of rank 0 to all ranks.
  void find_nodes(std::span<std::byte> bytes);
  /// Gets from each rank the size of the message that it has for this one.
  std::vector<std::uint64_t> exchange_sizes(const std::vector<Bytes>& to);
  template <class F>
  void reduce(std::span<std::byte> value, F&& combine);
  template <class F>
  void reduce_numbers(std::span<std::uint64_t> values, F&& choose);

  std::shared_ptr<UserMessages> messages_;
  std::vector<int> rank_of_;            ///< the rank in the whole of each rank of this part
  int rank_;                            ///< the rank in this part
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

// --- trees ---------------------------------------------------------------------------------------

void UserCommunicator::broadcast(std::span<std::byte> bytes, int root) {
  for_each_segment(bytes, [&](auto segment) {
    ++collectives_;
    spread_and_find_nodes(segment, root);
  });
}

/// Sends along a binomial tree: each rank that has the bytes sends them to ever nearer ranks.
void UserCommunicator::spread(std::span<std::byte> bytes, int root) {
  const int ranks = size();
  if (root < 0 || root >= ranks)
    throw Error(ErrorCode::invalid_argument, fmt::format("broadcast: no rank {}", root));
  const auto real = [&](int relative) { return (relative + root) % ranks; };
  const int me = (rank_ - root + ranks) % ranks;
  int step = 1;
  while (step < ranks && (me & step) == 0) step *= 2;
  // Sending does not wait, so receivers acknowledge large messages, which would otherwise fill
  // memory.
  const bool answered = bytes.size() >= kAnswered;
  std::byte answer{};
  if (me != 0) {
    receive(real(me - step), bytes);
    if (answered) send(real(me - step), {&answer, 1});
  }
  const int first = step / 2;
  for (step = first; step > 0; step /= 2)
    if (me + step < ranks) send(real(me + step), bytes);
  for (step = answered ? first : 0; step > 0; step /= 2)
    if (me + step < ranks) receive(real(me + step), {&answer, 1});
}

/// Combines neighbours first, so that only adjacent ranges of ranks are combined.
template <class F>
void UserCommunicator::reduce(std::span<std::byte> value, F&& combine) {
  ++collectives_;
  Bytes theirs(value.size());
  for (int step = 1; step < size(); step *= 2) {
    if ((rank_ & step) != 0) {
      send(rank_ - step, value);
      break;
    }
    if (rank_ + step >= size()) continue;
    receive(rank_ + step, theirs);
    combine(std::span<const std::byte>(value), std::span(theirs));
    std::copy(theirs.begin(), theirs.end(), value.begin());
  }
  spread(value, 0);
}

template <class F>
void UserCommunicator::reduce_numbers(std::span<std::uint64_t> values, F&& choose) {
  reduce(std::as_writable_bytes(values),
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

void UserCommunicator::all_reduce_min(std::span<std::uint64_t> values) {
  reduce_numbers(values, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
}

void UserCommunicator::all_reduce_max(std::span<std::uint64_t> values) {
  reduce_numbers(values, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
}

// --- bytes of all sizes --------------------------------------------------------------------------

namespace {

void append(Bytes& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// A size and the bytes, for each of a range of ranks.
Bytes packed(std::span<const std::byte> mine) {
  const std::uint64_t size = mine.size();
  Bytes pack;
  pack.reserve(sizeof size + mine.size());
  append(pack, std::as_bytes(std::span(&size, 1)));
  append(pack, mine);
  return pack;
}

std::vector<Bytes> unpacked(std::span<const std::byte> pack) {
  std::vector<Bytes> all;
  while (!pack.empty()) {
    std::uint64_t size = 0;
    std::memcpy(&size, pack.data(), sizeof size);
    const auto bytes = pack.subspan(sizeof size, static_cast<std::size_t>(size));
    all.emplace_back(bytes.begin(), bytes.end());
    pack = pack.subspan(sizeof size + bytes.size());
  }
  return all;
}

}  // namespace

std::vector<Bytes> UserCommunicator::all_gather(std::span<const std::byte> mine) {
  ++collectives_;
  Bytes pack = packed(mine);
  std::uint64_t size = 0;
  const auto size_bytes = std::as_writable_bytes(std::span(&size, 1));
  for (int step = 1; step < this->size(); step *= 2) {
    if ((rank_ & step) != 0) {
      size = pack.size();
      send(rank_ - step, size_bytes);
      send(rank_ - step, pack);
      break;
    }
    if (rank_ + step >= this->size()) continue;
    receive(rank_ + step, size_bytes);
    const std::size_t end = pack.size();
    pack.resize(end + static_cast<std::size_t>(size));
    receive(rank_ + step, std::span(pack).subspan(end));
  }
  size = pack.size();
  spread(size_bytes, 0);
  pack.resize(static_cast<std::size_t>(size));
  spread(pack, 0);
  return unpacked(pack);
}

/// In step k, all sizes whose way to their rank contains 2^k move that far together: each rank
/// sends few messages, however many ranks there are.
std::vector<std::uint64_t> UserCommunicator::exchange_sizes(const std::vector<Bytes>& to) {
  const auto ranks = to.size();
  const auto me = static_cast<std::size_t>(rank_);
  std::vector<std::uint64_t> by_way(ranks);  // the way is the distance to the rank
  for (std::size_t way = 0; way < ranks; ++way) by_way[way] = to[(me + way) % ranks].size();
  std::vector<std::uint64_t> moved;
  for (std::size_t step = 1; step < ranks; step *= 2) {
    moved.clear();
    for (std::size_t way = step; way < ranks; ++way)
      if ((way & step) != 0) moved.push_back(by_way[way]);
    send(static_cast<int>((me + step) % ranks), std::as_bytes(std::span(moved)));
    receive(static_cast<int>((me + ranks - step) % ranks),
            std::as_writable_bytes(std::span(moved)));
    auto next = moved.begin();
    for (std::size_t way = step; way < ranks; ++way)
      if ((way & step) != 0) by_way[way] = *next++;
  }
  std::vector<std::uint64_t> from(ranks);
  for (std::size_t way = 0; way < ranks; ++way) from[(me + ranks - way) % ranks] = by_way[way];
  return from;
}

std::vector<Bytes> UserCommunicator::exchange(const std::vector<Bytes>& to) {
  ++collectives_;
  const auto sizes = exchange_sizes(to);
  const auto ranks = to.size();
  const auto me = static_cast<std::size_t>(rank_);
  const auto batch = messages();
  std::vector<Bytes> received(ranks);
  for (std::size_t i = 1; i < ranks; ++i) {
    const std::size_t r = (me + i) % ranks;
    batch->send(static_cast<int>(r), to[r]);
  }
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == me) continue;
    received[r].resize(static_cast<std::size_t>(sizes[r]));
    batch->receive(static_cast<int>(r), received[r]);
  }
  batch->wait();
  return received;
}

// --- parts ---------------------------------------------------------------------------------------

template <class Value>
std::vector<Value> UserCommunicator::gather_values(const Value& mine) {
  std::vector<Value> below{mine};  // of this rank and the ranks below it in the tree
  for (int step = 1; step < size(); step *= 2) {
    if ((rank_ & step) != 0) {
      send(rank_ - step, std::as_bytes(std::span(below)));
      break;
    }
    const int next = rank_ + step;
    if (next >= size()) continue;
    const std::size_t known = below.size();
    below.resize(known + static_cast<std::size_t>(std::min(step, size() - next)));
    receive(next, std::as_writable_bytes(std::span(below).subspan(known)));
  }
  return below;
}

std::unique_ptr<CommunicatorBackend> UserCommunicator::split(int group) {
  ++collectives_;
  auto groups = gather_values(group);
  groups.resize(static_cast<std::size_t>(size()));
  spread(std::as_writable_bytes(std::span(groups)), 0);
  return split_known(groups);
}

/// All ranks know the parts, so no message is needed.
std::unique_ptr<CommunicatorBackend> UserCommunicator::split_known(
    const std::vector<int>& group_of) {
  const int mine = group_of[static_cast<std::size_t>(rank_)];
  if (mine < 0) return nullptr;
  std::vector<int> ranks;
  int place = 0;
  for (int r = 0; r < size(); ++r) {
    if (group_of[static_cast<std::size_t>(r)] != mine) continue;
    if (r == rank_) place = static_cast<int>(ranks.size());
    ranks.push_back(in_whole(r));
  }
  return std::make_unique<UserCommunicator>(messages_, std::move(ranks), place);
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
  const auto places = gather_values(Place{messages_->node(), static_cast<std::uint64_t>(getpid())});
  // The node of each rank; for the first rank of a node, whose number follows from the ranks before
  // it, the process, with the other sign.
  std::vector<std::int32_t> told;
  if (rank_ == 0) {
    std::unordered_map<std::uint64_t, std::int32_t> known;
    for (const Place& place : places) {
      const auto [found, is_new] =
          known.emplace(place.node, static_cast<std::int32_t>(known.size()));
      told.push_back(is_new ? -static_cast<std::int32_t>(place.process) : found->second);
    }
  }
  told.resize(rank_of_.size());
  std::uint64_t number = random_number().value_or(0);
  // One message: what the caller sends, a random number, and the nodes.
  const std::array parts{bytes, std::as_writable_bytes(std::span(&number, 1)),
                         std::as_writable_bytes(std::span(told))};
  Bytes pack;
  for (const auto& part : parts) append(pack, part);
  spread(pack, 0);
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
  const auto mine = static_cast<std::size_t>(nodes[static_cast<std::size_t>(rank_)]);
  set_nodes(std::move(nodes));
  // Each node has a number of its own.
  constexpr std::uint64_t kOdd = 0xd1342543de82ef95U;
  set_leader(processes[mine], number == 0 ? 0 : number + kOdd * mine);
}

}  // namespace

Communicator user_communicator(std::shared_ptr<PointToPoint> ranks) {
  if (!ranks) throw Error(ErrorCode::invalid_argument, "user_communicator: ranks is null");
  if (ranks->rank() < 0 || ranks->rank() >= ranks->size())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("user_communicator: rank {} of {}; 0 to size - 1 is expected",
                            ranks->rank(), ranks->size()));
  return CommunicatorAccess::make(std::make_shared<UserCommunicator>(std::move(ranks)));
}

}  // namespace onecast
