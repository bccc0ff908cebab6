#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "onecast/comm/mpi.hpp"
#include "onecast/comm/point_to_point.hpp"

namespace onecast::test {

/// Processes of MPI that send each other messages through functions of a user, like a program with
/// another runtime. The only collective call of MPI here is the duplication.
class FunctionsOverMpi final : public PointToPoint {
 public:
  explicit FunctionsOverMpi(MPI_Comm comm) {
    // It is never freed, since messages may be left in it.
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  /// Keeps the bytes of messages that nobody receives.
  ~FunctionsOverMpi() override {
    forget_done();
    static_cast<void>(new std::list<Sent>(std::move(sent_)));  // NOLINT
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void send(int to, int tag, std::span<const std::byte> bytes) override {
    forget_done();
    Sent& sent = sent_.emplace_back();
    sent.bytes.assign(bytes.begin(), bytes.end());
    MPI_Isend(sent.bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, comm_,
              &sent.request);
  }
  void receive(int from, int tag, std::span<std::byte> bytes) override {
    // The ranks may outnumber the cores.
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    for (int is_there = 0; is_there == 0; std::this_thread::yield())
      MPI_Improbe(from, tag, comm_, &is_there, &message, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    if (static_cast<std::size_t>(size) != bytes.size())
      throw std::runtime_error("a message of another size");
    MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  }
  [[nodiscard]] bool any_thread() const override { return true; }

 private:
  struct Sent {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_done() {
    std::erase_if(sent_, [](Sent& sent) {
      int done = 0;
      MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::list<Sent> sent_;
};

/// Returns true if the tests run on a communicator of functions instead of MPI's.
inline bool uses_functions() {
  const char* value = std::getenv("ONECAST_TEST_COMMUNICATOR");
  return value != nullptr && std::string_view(value) == "functions";
}

/// Returns the communicator of the tests, for the processes of `comm`.
inline Communicator tested_communicator(MPI_Comm comm) {
  return uses_functions() ? user_communicator(std::make_shared<FunctionsOverMpi>(comm))
                          : mpi_communicator(comm);
}

}  // namespace onecast::test
