#include "comm/user_messages.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/caught.hpp"
#include "comm/segments.hpp"
#include "onecast/base/error.hpp"

namespace onecast::comm {
namespace {

class UserBatch final : public MessageBatch {
 public:
  UserBatch(UserMessages& messages, const std::vector<int>& rank_of, MessageCounts& sent)
      : messages_(messages), rank_of_(rank_of), sent_(sent) {}
  ~UserBatch() override {
    try {
      wait_for_all();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the next call tells that messages are broken
    }
  }

  void send(int to, std::span<const std::byte> bytes) override {
    for_each_segment(bytes, [&](auto segment) {
      ++sent_.messages;
      sent_.bytes += segment.size();
      messages_.send(in_whole(to), UserMessages::Kind::batch, segment);
    });
  }
  void receive(int from, std::span<std::byte> bytes) override {
    for_each_segment(bytes, [&](auto segment) {
      wanted_.emplace_back(in_whole(from), messages_.want(in_whole(from), segment));
    });
  }
  void wait() override { wait_for_all(); }

 private:
  [[nodiscard]] int in_whole(int rank) const { return rank_of_[static_cast<std::size_t>(rank)]; }
  void wait_for_all() {
    const auto all = std::exchange(wanted_, {});
    for (const auto& [from, wanted] : all) messages_.wait_for(from, *wanted);
  }

  UserMessages& messages_;
  const std::vector<int>& rank_of_;
  MessageCounts& sent_;
  std::vector<std::pair<int, std::shared_ptr<UserMessages::Wanted>>> wanted_;
};

}  // namespace

UserMessages::UserMessages(std::shared_ptr<PointToPoint> functions)
    : functions_(std::move(functions)), rank_(functions_->rank()), size_(functions_->size()) {}

void UserMessages::require_whole() const {
  if (is_broken())
    throw Error(ErrorCode::state,
                "the ranks cannot communicate any more, because a message failed: " + broken_);
}

template <class F, class Description>
void UserMessages::call(F&& function, Description&& describe) {
  require_whole();
  try {
    std::forward<F>(function)();
  } catch (...) {
    const Caught caught = Caught::now();
    broken_ =
        fmt::format("communicator: {}: {}", std::forward<Description>(describe)(), caught.text);
    functions_->fail(broken_);
    throw Error(ErrorCode::io, broken_, caught.system_errno);
  }
}

void UserMessages::send(int to, Kind kind, std::span<const std::byte> bytes) {
  for_each_segment(bytes, [&](auto segment) {
    call([&] { functions_->send(to, static_cast<int>(kind), segment); },
         [&] { return fmt::format("send of {} bytes to rank {}", segment.size(), to); });
  });
}

void UserMessages::receive(int from, Kind kind, std::span<std::byte> bytes) {
  for_each_segment(bytes, [&](auto segment) {
    call([&] { functions_->receive(from, static_cast<int>(kind), segment); },
         [&] { return fmt::format("receive of {} bytes from rank {}", segment.size(), from); });
  });
}

std::uint64_t UserMessages::node() {
  std::uint64_t number = 0;
  call([&] { number = functions_->node(); }, [] { return "node"; });
  return number;
}

std::shared_ptr<UserMessages::Wanted> UserMessages::want(int from, std::span<std::byte> bytes) {
  return wanted_[from].emplace_back(std::make_shared<Wanted>(Wanted{bytes}));
}

void UserMessages::wait_for(int from, const Wanted& wanted) {
  auto& queue = wanted_[from];
  while (!wanted.is_there) {
    require_whole();
    const std::shared_ptr<Wanted> next = queue.front();
    queue.pop_front();
    receive(from, Kind::batch, next->bytes);
    next->is_there = true;
  }
}

std::unique_ptr<MessageBatch> user_batch(UserMessages& messages, const std::vector<int>& rank_of,
                                         MessageCounts& sent) {
  return std::make_unique<UserBatch>(messages, rank_of, sent);
}

}  // namespace onecast::comm
