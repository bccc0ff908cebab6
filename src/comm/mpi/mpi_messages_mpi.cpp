#include <climits>
#include <utility>
#include <vector>

#include "comm/backend.hpp"
#include "comm/mpi/mpi_messages.hpp"
#include "comm/segments.hpp"

namespace onecast::comm {
namespace {

class MpiMessages final : public MessageBatch {
 public:
  MpiMessages(const Mpi& mpi, MpiComm comm, MessageCounts& sent, MpiWatch* watch)
      : mpi_(mpi), comm_(comm), sent_(sent), watch_(watch) {}
  ~MpiMessages() override {
    if (requests_.empty() || !mpi_.is_running()) return;
    try {
      wait();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): nobody waits for these messages
    }
  }

  void send(int to, std::span<const std::byte> bytes) override {
    for_each_segment(bytes, [&](auto segment) {
      ++sent_.messages;
      sent_.bytes += segment.size();
      new_request() = mpi_.isend(segment, to, kTag, comm_);
    });
  }
  void receive(int from, std::span<std::byte> bytes) override {
    for_each_segment(bytes,
                     [&](auto segment) { new_request() = mpi_.irecv(segment, from, kTag, comm_); });
  }
  void wait() override {
    const MpiWatch::Wait waits(watch_);
    std::vector<MpiRequest> all = std::exchange(requests_, {});
    mpi_.waitall(all);
  }

 private:
  static constexpr int kTag = 1;
  static_assert(CommunicatorBackend::kSegment <= INT_MAX);

  MpiRequest& new_request() { return requests_.emplace_back(mpi_.constants().request_null); }

  const Mpi& mpi_;
  MpiComm comm_;
  MessageCounts& sent_;
  MpiWatch* watch_;
  std::vector<MpiRequest> requests_;
};

}  // namespace

std::unique_ptr<MessageBatch> mpi_messages(const Mpi& mpi, MpiComm comm, MessageCounts& sent,
                                           MpiWatch* watch) {
  return std::make_unique<MpiMessages>(mpi, comm, sent, watch);
}

}  // namespace onecast::comm
