#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "comm/backend.hpp"
#include "comm/communicator_access.hpp"
#include "comm/segments.hpp"
#include "comm/user_messages.hpp"
#include "onecast/base/error.hpp"
#include "onecast/comm/point_to_point.hpp"

/// The collective operations, built from messages between two ranks.
namespace onecast {

using namespace comm;

namespace {

using Bytes = std::vector<std::byte>;
using Kind = UserMessages::Kind;

/// A broadcast of this size waits until it was received.
constexpr std::size_t kAnswered = std::size_t{64} << 10U;

class UserCommunicator final : public CommunicatorBackend {
 public:
  explicit UserCommunicator(std::shared_ptr<PointToPoint> functions)
      : messages_(std::make_shared<UserMessages>(std::move(functions))),
        rank_of_(static_cast<std::size_t>(messages_->size())),
        rank_(messages_->rank()) {
    std::iota(rank_of_.begin(), rank_of_.end(), 0);
  }
  /// The communicator of a part of the ranks.
  UserCommunicator(std::shared_ptr<UserMessages> messages, std::vector<int> rank_of, int rank)
      : messages_(std::move(messages)), rank_of_(std::move(rank_of)), rank_(rank), is_part_(true) {}
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
    spread(head, root);
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
  class Header;

  [[nodiscard]] int in_whole(int rank) const { return rank_of_[static_cast<std::size_t>(rank)]; }
  void send(int to, std::span<const std::byte> bytes, Kind kind = Kind::collective) {
    messages_->send(in_whole(to), kind, bytes);
  }
  void receive(int from, std::span<std::byte> bytes, Kind kind = Kind::collective) {
    messages_->receive(in_whole(from), kind, bytes);
  }
  void spread(std::span<std::byte> bytes, int root);
  template <class F>
  void reduce(std::span<std::byte> value, F&& combine);
  template <class F>
  void reduce_numbers(std::span<std::uint64_t> values, F&& choose);

  std::shared_ptr<UserMessages> messages_;
  std::vector<int> rank_of_;  ///< the rank in the whole of each rank of this part
  int rank_;                  ///< the rank in this part
  bool is_part_ = false;
};

/// Tells ranks that wait for this one that it makes no further call.
UserCommunicator::~UserCommunicator() {
  if (is_part_) return;
  try {
    calls().part("it has released the file");
  } catch (...) {  // NOLINT(bugprone-empty-catch): nobody can be told
  }
}

// --- headers -------------------------------------------------------------------------------------

/// All ranks send their headers to rank 0, which sends back the combination. A rank that answers
/// does not wait for it. If rank 0 answers, it sends its own header: an answer takes precedence
/// over all calls, and all ranks need only learn of one.
class UserCommunicator::Header final : public HeaderReduction {
 public:
  explicit Header(const CallHeader& mine) : value_(mine), answers_(is_answer(mine.first.kind)) {}

  bool is_done() override { return done_; }
  [[nodiscard]] const CallHeader& value() const override { return value_; }

  void begin(UserCommunicator& comm) {
    if (comm.rank() != 0)
      comm.send(0, value_.bytes(), Kind::header);
    else if (answers_)
      send_to_all(comm);
  }
  void finish(UserCommunicator& comm) {
    if (done_) return;
    done_ = true;
    if (comm.rank() != 0) return comm.receive(0, value_.bytes(), Kind::header);
    CallHeader all = value_;
    for (int r = 1; r < comm.size(); ++r) {
      CallHeader theirs;
      comm.receive(r, theirs.bytes(), Kind::header);
      combine_headers(all.bytes().data(), theirs.bytes().data());
      all = theirs;
    }
    if (answers_) return;  // all ranks have received the answer
    value_ = all;
    send_to_all(comm);
  }
  /// Ends the reduction if no rank can be told.
  void give_up() { done_ = true; }

 private:
  void send_to_all(UserCommunicator& comm) {
    for (int r = 1; r < comm.size(); ++r) comm.send(r, value_.bytes(), Kind::header);
  }

  CallHeader value_;
  bool answers_;
  bool done_ = false;
};

std::unique_ptr<HeaderReduction> UserCommunicator::begin_header(const CallHeader& mine) {
  ++collectives_;
  auto header = std::make_unique<Header>(mine);
  if (!is_answer(mine.first.kind)) {
    header->begin(*this);
    return header;
  }
  // A rank that leaves does so even if its message fails.
  try {
    header->begin(*this);
  } catch (const Error&) {
    header->give_up();
  }
  return header;
}

void UserCommunicator::wait_for(HeaderReduction& reduction, const AwaitedCall& /*call*/) {
  dynamic_cast<Header&>(reduction).finish(*this);
}

// --- trees ---------------------------------------------------------------------------------------

void UserCommunicator::broadcast(std::span<std::byte> bytes, int root) {
  for_each_segment(bytes, [&](auto segment) {
    ++collectives_;
    spread(segment, root);
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

std::vector<Bytes> UserCommunicator::exchange(const std::vector<Bytes>& to) {
  ++collectives_;
  const int ranks = size();
  for (int i = 1; i < ranks; ++i) {
    const int r = (rank_ + i) % ranks;
    const std::uint64_t size = to[static_cast<std::size_t>(r)].size();
    send(r, std::as_bytes(std::span(&size, 1)));
  }
  const auto batch = messages();
  for (int i = 1; i < ranks; ++i) {
    const int r = (rank_ + i) % ranks;
    batch->send(r, to[static_cast<std::size_t>(r)]);
  }
  std::vector<Bytes> received(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) {
    if (r == rank_) continue;
    std::uint64_t size = 0;
    receive(r, std::as_writable_bytes(std::span(&size, 1)));
    Bytes& theirs = received[static_cast<std::size_t>(r)];
    theirs.resize(static_cast<std::size_t>(size));
    batch->receive(r, theirs);
  }
  batch->wait();
  return received;
}

// --- parts ---------------------------------------------------------------------------------------

std::unique_ptr<CommunicatorBackend> UserCommunicator::split(int group) {
  std::vector<int> part;
  int place = 0;
  const auto all = all_gather(std::as_bytes(std::span(&group, 1)));
  for (int r = 0; r < size(); ++r) {
    int theirs = 0;
    std::memcpy(&theirs, all[static_cast<std::size_t>(r)].data(), sizeof theirs);
    if (theirs != group) continue;
    if (r == rank_) place = static_cast<int>(part.size());
    part.push_back(in_whole(r));
  }
  return std::make_unique<UserCommunicator>(messages_, std::move(part), place);
}

const std::vector<int>& UserCommunicator::nodes() {
  if (!nodes_.empty()) return nodes_;
  const std::uint64_t mine = messages_->functions().node();
  std::vector<std::uint64_t> of_rank;
  for (const auto& theirs : all_gather(std::as_bytes(std::span(&mine, 1))))
    std::memcpy(&of_rank.emplace_back(), theirs.data(), sizeof mine);
  std::vector<int> lowest;
  lowest.reserve(of_rank.size());
  for (const std::uint64_t node : of_rank)
    lowest.push_back(
        static_cast<int>(std::find(of_rank.begin(), of_rank.end(), node) - of_rank.begin()));
  nodes_ = number_nodes(lowest);
  return nodes_;
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
