#include <algorithm>
#include <climits>
#include <vector>

#include "comm/backend.hpp"
#include "comm/check_mpi.hpp"
#include "comm/mpi_messages.hpp"
#include "comm/segments.hpp"

namespace onecast::comm {
namespace {

class MpiMessages final : public MessageBatch {
 public:
  MpiMessages(MPI_Comm comm, MessageCounts& sent, MpiWatch* watch)
      : comm_(comm), sent_(sent), watch_(watch) {}
  ~MpiMessages() override {
    if (!requests_.empty() && mpi_is_running()) wait_for_all();
  }

  void send(int to, std::span<const std::byte> bytes) override {
    for_each_segment(bytes, [&](auto segment) {
      ++sent_.messages;
      sent_.bytes += segment.size();
      check_mpi(MPI_Isend(segment.data(), static_cast<int>(segment.size()), MPI_BYTE, to, kTag,
                          comm_, new_request()),
                "MPI_Isend");
    });
  }
  void receive(int from, std::span<std::byte> bytes) override {
    for_each_segment(bytes, [&](auto segment) {
      check_mpi(MPI_Irecv(segment.data(), static_cast<int>(segment.size()), MPI_BYTE, from, kTag,
                          comm_, new_request()),
                "MPI_Irecv");
    });
  }
  void wait() override { check_mpi(wait_for_all(), "MPI_Waitall"); }

 private:
  static constexpr int kTag = 1;
  static_assert(CommunicatorBackend::kSegment <= INT_MAX);

  MPI_Request* new_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  int wait_for_all() {
    const MpiWatch::Wait waits(watch_);
    const int status =
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    return status;
  }

  MPI_Comm comm_;
  MessageCounts& sent_;
  MpiWatch* watch_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<MessageBatch> mpi_messages(MPI_Comm comm, MessageCounts& sent, MpiWatch* watch) {
  return std::make_unique<MpiMessages>(comm, sent, watch);
}

}  // namespace onecast::comm
