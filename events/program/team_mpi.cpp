#include <mpi.h>

#include <algorithm>
#include <climits>

#include "model/make_error.hpp"
#include "onecast/base/error.hpp"
#include "onecast/comm/mpi.hpp"
#include "team.hpp"

namespace onecast::events {
namespace {

void check(int result, const char* call) {
  if (result != MPI_SUCCESS) throw io_error("{} failed", call);
}

class MpiTeam final : public Team {
 public:
  MpiTeam() : communicator_(mpi_communicator(MPI_COMM_WORLD)) {
    check(MPI_Comm_dup(MPI_COMM_WORLD, &ranks_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(ranks_, &rank_);
    MPI_Comm_size(ranks_, &size_);
  }
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;
  ~MpiTeam() override { MPI_Comm_free(&ranks_); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  Communicator communicator() const override { return communicator_; }

  std::vector<std::vector<std::uint64_t>> gather(std::span<const std::uint64_t> mine) override {
    const int count = static_cast<int>(mine.size());
    std::vector<int> counts(static_cast<std::size_t>(size_));
    check(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, ranks_), "MPI_Allgather");
    std::vector<int> starts;
    std::int64_t total = 0;
    for (const int n : counts) {
      starts.push_back(static_cast<int>(total));
      total += n;
    }
    // The total is equal on all ranks, so all of them throw.
    if (total > INT_MAX) throw Error(ErrorCode::io, "the ranks have too many numbers to gather");
    std::vector<std::uint64_t> all(static_cast<std::size_t>(total));
    check(MPI_Allgatherv(mine.data(), count, MPI_UINT64_T, all.data(), counts.data(), starts.data(),
                         MPI_UINT64_T, ranks_),
          "MPI_Allgatherv");
    std::vector<std::vector<std::uint64_t>> by_rank;
    by_rank.reserve(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      by_rank.emplace_back(all.begin() + starts[i], all.begin() + starts[i] + counts[i]);
    return by_rank;
  }

  std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& to) override {
    std::vector<std::uint64_t> sizes;
    sizes.reserve(to.size());
    for (const auto& bytes : to) sizes.push_back(bytes.size());
    std::vector<std::vector<std::byte>> from(to.size());
    const auto all = gather(sizes);  // all ranks learn how much each has to wait for
    std::vector<MPI_Request> requests;
    // A message has at most INT_MAX bytes, so larger data is sent in parts.
    const auto in_parts = [&](std::size_t bytes, auto&& call) {
      for (std::size_t at = 0; at < bytes; at += kMostBytes)
        check(
            call(at, static_cast<int>(std::min(kMostBytes, bytes - at)), &requests.emplace_back()),
            "a message between ranks");
    };
    for (std::size_t rank = 0; rank < to.size(); ++rank) {
      from[rank].resize(static_cast<std::size_t>(all[rank][static_cast<std::size_t>(rank_)]));
      in_parts(from[rank].size(), [&](std::size_t at, int count, MPI_Request* request) {
        return MPI_Irecv(from[rank].data() + at, count, MPI_BYTE, static_cast<int>(rank), 0, ranks_,
                         request);
      });
    }
    for (std::size_t rank = 0; rank < to.size(); ++rank)
      in_parts(to[rank].size(), [&](std::size_t at, int count, MPI_Request* request) {
        return MPI_Isend(to[rank].data() + at, count, MPI_BYTE, static_cast<int>(rank), 0, ranks_,
                         request);
      });
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
    return from;
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

  Communicator communicator_;
  MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

std::shared_ptr<Team> begin_mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_SERIALIZED)
    throw Error(ErrorCode::unsupported, "MPI has no MPI_THREAD_SERIALIZED");
  return std::make_shared<MpiTeam>();
}

void end_mpi() { MPI_Finalize(); }

}  // namespace onecast::events
