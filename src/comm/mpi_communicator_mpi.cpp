#include "onecast/comm/mpi.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "comm/backend.hpp"
#include "comm/check_mpi.hpp"
#include "comm/mpi_communicators.hpp"
#include "comm/mpi_headers.hpp"
#include "comm/mpi_messages.hpp"
#include "comm/mpi_shared_memory.hpp"
#include "comm/mpi_watch.hpp"
#include "comm/patience.hpp"
#include "comm/segments.hpp"

namespace onecast {

using namespace comm;

namespace {

class MpiCommunicator final : public CommunicatorBackend, MpiCommunicators::InUse {
 public:
  explicit MpiCommunicator(MPI_Comm original);
  /// The ranks of `whole` that pass the same number.
  MpiCommunicator(const MpiCommunicator& whole, int group);
  ~MpiCommunicator() override {
    if (!mpi_is_running() || comm_ == MPI_COMM_NULL) return;
    MpiCommunicators::get().remove(*this);
    part("it has released the file");
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool has_ranks_of(const CommunicatorBackend& other) const override;
  /// MPI calls would end the process once MPI is finalized.
  void require_running() const override {
    if (!mpi_is_running())
      throw Error(ErrorCode::state,
                  "MPI is finalized: the ranks cannot communicate any more; close files before "
                  "MPI_Finalize");
  }
  [[nodiscard]] bool allows_threads() const override { return mpi_allows_threads(); }

  std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) override {
    ++collectives_;
    if (size_ == 1) return CommunicatorBackend::begin_header(mine);
    return begin_mpi_header(comm_, mine);
  }
  void wait_for(HeaderReduction& reduction, const AwaitedCall& call) override;

  void broadcast(std::span<std::byte> bytes, int root) override;
  void broadcast_both(std::span<std::byte> head, std::span<std::byte> tail, int root) override;
  void all_reduce_min(std::span<std::uint64_t> values) override { all_reduce(values, MPI_MIN); }
  void all_reduce_max(std::span<std::uint64_t> values) override { all_reduce(values, MPI_MAX); }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override;
  std::vector<std::vector<std::byte>> all_gather_padded(std::span<const std::byte> mine,
                                                        std::uint64_t largest) override;
  std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& to) override;
  void barrier() override {
    const MpiWatch::Wait waits(watch_.get());
    MPI_Request request = MPI_REQUEST_NULL;
    complete_collective(MPI_Ibarrier(comm(), &request), request, "MPI_Ibarrier");
  }
  std::unique_ptr<CommunicatorBackend> split(int group) override {
    ++collectives_;
    const MpiWatch::Wait waits(watch_.get());
    return std::make_unique<MpiCommunicator>(*this, group);
  }
  void all_combine(std::span<std::byte> value, Combine combine) override;
  const std::vector<int>& nodes() override;
  CommunicatorBackend* node() override;
  std::unique_ptr<SharedMemory> share_memory(std::size_t size) override {
    const MpiWatch::Wait waits(watch_.get());
    return mpi_shared_memory(comm(), size);
  }
  std::unique_ptr<MessageBatch> messages() override {
    return mpi_messages(comm(), sent_, watch_.get());
  }

 private:
  [[nodiscard]] MPI_Comm comm() const {
    require_running();
    return comm_;
  }
  void register_new();
  void wait_until_done(HeaderReduction& reduction, const AwaitedCall& call);
  void complete_collective(int status, MPI_Request& request, const char* call);
  void part(const char* reason) noexcept;
  void finish() noexcept override { part("it reached the end of the program (MPI_Finalize)"); }
  void collective(int status, const char* call) {
    ++collectives_;
    check_mpi(status, call);
  }
  void all_reduce(std::span<std::uint64_t> values, MPI_Op operation);
  void gather_round(std::span<const std::byte> mine, std::span<const std::uint64_t> sizes,
                    std::uint64_t from, std::uint64_t piece,
                    std::vector<std::vector<std::byte>>& all);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  bool is_part_ = false;
  std::shared_ptr<MpiWatch> watch_;  ///< of the whole communicator; null for one rank
  std::unique_ptr<CommunicatorBackend> node_;
};

MpiCommunicator::MpiCommunicator(MPI_Comm original) {
  MpiCommunicators::get().tidy();
  check_mpi(MPI_Comm_rank(original, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(original, &size_), "MPI_Comm_size");
  {
    std::optional<MpiWatch> watch;
    if (size_ > 1) watch.emplace(MPI_COMM_NULL, rank_, size_);
    const MpiWatch::Wait waits(watch ? &*watch : nullptr);
    collective(MPI_Comm_dup(original, &comm_), "MPI_Comm_dup");
  }
  register_new();
  if (size_ > 1) watch_ = std::make_shared<MpiWatch>(comm_, rank_, size_);
}

MpiCommunicator::MpiCommunicator(const MpiCommunicator& whole, int group)
    : is_part_(true), watch_(whole.watch_) {
  check_mpi(MPI_Comm_split(whole.comm(), group, whole.rank_, &comm_), "MPI_Comm_split");
  register_new();
}

void MpiCommunicator::register_new() {
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
  MpiCommunicators::get().add(*this);
}

/// Tells ranks that wait for this one that it makes no further call.
void MpiCommunicator::part(const char* reason) noexcept {
  try {
    // A part of the ranks makes no calls for files.
    if (!is_part_) {
      calls().part(reason);
      if (watch_) watch_->close();
      MpiWatch::drain(comm_);
    }
    watch_.reset();
    MpiCommunicators::get().retire(std::exchange(comm_, MPI_COMM_NULL), calls().take_answers());
  } catch (...) {  // NOLINT(bugprone-empty-catch): MPI refuses; then nobody can be told
  }
}

void MpiCommunicator::wait_for(HeaderReduction& reduction, const AwaitedCall& call) {
  wait_until_done(reduction, call);
  if (watch_) watch_->has_met(call);
}

void MpiCommunicator::wait_until_done(HeaderReduction& reduction, const AwaitedCall& call) {
  Patience patience;
  const auto unwatched = MpiWatch::unwatched();
  bool is_watched = false;
  while (!reduction.is_done()) {
    if (watch_ && patience.waited() >= unwatched) {
      if (!std::exchange(is_watched, true)) watch_->begin(call, patience.since());
      watch_->look();
    }
    patience.pause();
  }
}

/// Completes a nonblocking collective call. For small messages, for which this rank may have to
/// wait; large ones are faster with a blocking call.
void MpiCommunicator::complete_collective(int status, MPI_Request& request, const char* call) {
  collective(status, call);
  Patience patience;
  for (int done = 0; done == 0;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
    if (done == 0) patience.pause();
  }
}

bool MpiCommunicator::has_ranks_of(const CommunicatorBackend& other) const {
  if (CommunicatorBackend::has_ranks_of(other)) return true;
  const auto* ranks = dynamic_cast<const MpiCommunicator*>(&other);
  int relation = MPI_UNEQUAL;
  return ranks != nullptr && MPI_Comm_compare(comm_, ranks->comm_, &relation) == MPI_SUCCESS &&
         (relation == MPI_CONGRUENT || relation == MPI_IDENT);
}

void MpiCommunicator::broadcast(std::span<std::byte> bytes, int root) {
  const MpiWatch::Wait waits(watch_.get());
  static_assert(kSegment <= INT_MAX);
  for_each_segment(bytes, [&](auto segment) {
    collective(MPI_Bcast(segment.data(), static_cast<int>(segment.size()), MPI_BYTE, root, comm()),
               "MPI_Bcast");
  });
}

void MpiCommunicator::broadcast_both(std::span<std::byte> head, std::span<std::byte> tail,
                                     int root) {
  MPI_Comm running = comm();
  const std::array lengths{static_cast<int>(head.size()), static_cast<int>(tail.size())};
  std::array<MPI_Aint, 2> places{};
  check_mpi(MPI_Get_address(head.data(), places.data()), "MPI_Get_address");
  check_mpi(MPI_Get_address(tail.data(), &places[1]), "MPI_Get_address");
  MPI_Datatype both = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_BYTE, &both),
            "MPI_Type_create_hindexed");
  check_mpi(MPI_Type_commit(&both), "MPI_Type_commit");
  const MpiWatch::Wait waits(watch_.get());
  const int status = MPI_Bcast(MPI_BOTTOM, 1, both, root, running);
  MPI_Type_free(&both);
  collective(status, "MPI_Bcast");
}

void MpiCommunicator::all_reduce(std::span<std::uint64_t> values, MPI_Op operation) {
  const MpiWatch::Wait waits(watch_.get());
  while (!values.empty()) {
    const auto some = values.first(std::min(values.size(), kSegment));
    MPI_Request request = MPI_REQUEST_NULL;
    complete_collective(MPI_Iallreduce(MPI_IN_PLACE, some.data(), static_cast<int>(some.size()),
                                       MPI_UINT64_T, operation, comm(), &request),
                        request, "MPI_Iallreduce");
    values = values.subspan(some.size());
  }
}

/// More than a segment in all goes in rounds, since displacements in MPI are ints.
std::vector<std::vector<std::byte>> MpiCommunicator::all_gather(std::span<const std::byte> mine) {
  const MpiWatch::Wait waits(watch_.get());
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<std::uint64_t> sizes(ranks);
  const std::uint64_t my_size = mine.size();
  MPI_Request request = MPI_REQUEST_NULL;
  complete_collective(
      MPI_Iallgather(&my_size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, comm(), &request),
      request, "MPI_Iallgather");

  std::vector<std::vector<std::byte>> all(ranks);
  for (std::size_t r = 0; r < ranks; ++r) all[r].reserve(static_cast<std::size_t>(sizes[r]));
  const std::uint64_t largest = *std::max_element(sizes.begin(), sizes.end());
  const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  const std::uint64_t piece =
      total <= kSegment ? largest : std::max<std::uint64_t>(1, kSegment / ranks);
  for (std::uint64_t from = 0; from < largest; from += piece)
    gather_round(mine, sizes, from, piece, all);
  return all;
}

std::vector<std::vector<std::byte>> MpiCommunicator::all_gather_padded(
    std::span<const std::byte> mine, std::uint64_t largest) {
  // Each block has the size and the padded bytes.
  const std::uint64_t size = mine.size();
  const auto block = static_cast<std::size_t>(sizeof size + largest);
  const auto size_bytes = std::as_bytes(std::span(&size, 1));
  std::vector<std::byte> sent;
  sent.reserve(block);
  sent.insert(sent.end(), size_bytes.begin(), size_bytes.end());
  sent.insert(sent.end(), mine.begin(), mine.end());
  sent.resize(block);
  std::vector<std::byte> received(block * static_cast<std::size_t>(size_));
  const int count = static_cast<int>(block);
  const MpiWatch::Wait waits(watch_.get());
  MPI_Request request = MPI_REQUEST_NULL;
  complete_collective(MPI_Iallgather(sent.data(), count, MPI_BYTE, received.data(), count, MPI_BYTE,
                                     comm(), &request),
                      request, "MPI_Iallgather");
  std::vector<std::vector<std::byte>> all;
  for (const std::byte* at = received.data(); all.size() < static_cast<std::size_t>(size_);
       at += block) {
    std::uint64_t theirs = 0;
    std::memcpy(&theirs, at, sizeof theirs);
    const std::byte* bytes = at + sizeof theirs;
    all.emplace_back(bytes, bytes + theirs);
  }
  return all;
}

/// Appends bytes [from, from + piece) of every rank to `all`.
void MpiCommunicator::gather_round(std::span<const std::byte> mine,
                                   std::span<const std::uint64_t> sizes, std::uint64_t from,
                                   std::uint64_t piece, std::vector<std::vector<std::byte>>& all) {
  std::vector<int> counts;
  std::vector<int> displacements;
  int end = 0;
  for (const std::uint64_t size : sizes) {
    counts.push_back(size > from ? static_cast<int>(std::min(size - from, piece)) : 0);
    displacements.push_back(end);
    end += counts.back();
  }
  std::vector<std::byte> received(static_cast<std::size_t>(end));
  const int my_count = counts[static_cast<std::size_t>(rank_)];
  const std::byte* my_bytes = my_count != 0 ? mine.data() + from : nullptr;
  collective(MPI_Allgatherv(my_bytes, my_count, MPI_BYTE, received.data(), counts.data(),
                            displacements.data(), MPI_BYTE, comm()),
             "MPI_Allgatherv");
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto first = received.begin() + displacements[r];
    all[r].insert(all[r].end(), first, first + counts[r]);
  }
}

/// All ranks exchange sizes; then only ranks with data for each other send messages.
std::vector<std::vector<std::byte>> MpiCommunicator::exchange(
    const std::vector<std::vector<std::byte>>& to) {
  const auto ranks = static_cast<std::size_t>(size_);
  const auto me = static_cast<std::size_t>(rank_);
  std::vector<std::uint64_t> out_sizes(ranks);
  std::vector<std::uint64_t> in_sizes(ranks);
  for (std::size_t r = 0; r < ranks; ++r) out_sizes[r] = r == me ? 0 : to[r].size();
  {
    const MpiWatch::Wait waits(watch_.get());
    collective(
        MPI_Alltoall(out_sizes.data(), 1, MPI_UINT64_T, in_sizes.data(), 1, MPI_UINT64_T, comm()),
        "MPI_Alltoall");
  }
  std::vector<std::vector<std::byte>> received(ranks);
  const auto batch = messages();
  for (std::size_t r = 0; r < ranks; ++r) {
    received[r].resize(static_cast<std::size_t>(in_sizes[r]));
    batch->receive(static_cast<int>(r), received[r]);
  }
  for (std::size_t i = 1; i < ranks; ++i) {
    const std::size_t r = (me + i) % ranks;
    batch->send(static_cast<int>(r), to[r]);
  }
  batch->wait();
  return received;
}

/// An MPI operation gets the values only, so the function is passed here.
thread_local CommunicatorBackend::Combine combine_now = nullptr;

void combine_values(void* lower, void* higher, int* /*count*/, MPI_Datatype* /*type*/) {
  combine_now(static_cast<const std::byte*>(lower), static_cast<std::byte*>(higher));
}

void MpiCommunicator::all_combine(std::span<std::byte> value, Combine combine) {
  MPI_Comm running = comm();
  // The type is one element, so that no implementation splits it.
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(static_cast<int>(value.size()), MPI_BYTE, &type),
            "MPI_Type_contiguous");
  check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
  MPI_Op operation = MPI_OP_NULL;
  check_mpi(MPI_Op_create(combine_values, /*commute=*/0, &operation), "MPI_Op_create");
  combine_now = combine;
  const MpiWatch::Wait waits(watch_.get());
  const int status = MPI_Allreduce(MPI_IN_PLACE, value.data(), 1, type, operation, running);
  MPI_Op_free(&operation);
  MPI_Type_free(&type);
  collective(status, "MPI_Allreduce");
}

const std::vector<int>& MpiCommunicator::nodes() {
  if (!nodes_.empty()) return nodes_;
  const MpiWatch::Wait waits(watch_.get());
  MPI_Comm node = MPI_COMM_NULL;
  collective(MPI_Comm_split_type(comm(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
             "MPI_Comm_split_type");
  int lowest = rank_;
  int place = 0;
  check_mpi(MPI_Comm_rank(node, &place), "MPI_Comm_rank");
  collective(MPI_Bcast(&lowest, 1, MPI_INT, 0, node), "MPI_Bcast");
  MPI_Comm_free(&node);
  // Tests on one machine set the number of ranks of a node.
  if (const char* pretended = std::getenv("ONECAST_RANKS_PER_NODE"))
    if (const long ranks = std::strtol(pretended, nullptr, 10); ranks > 0)
      lowest = rank_ - static_cast<int>(place % ranks);
  std::vector<int> lowest_of(static_cast<std::size_t>(size_));
  collective(MPI_Allgather(&lowest, 1, MPI_INT, lowest_of.data(), 1, MPI_INT, comm()),
             "MPI_Allgather");
  nodes_ = number_nodes(lowest_of);
  return nodes_;
}

CommunicatorBackend* MpiCommunicator::node() {
  if (!node_) node_ = split(nodes()[static_cast<std::size_t>(rank_)]);
  return node_.get();
}

}  // namespace

Communicator mpi_communicator(MPI_Comm comm) {
  if (!mpi_is_running())
    throw Error(ErrorCode::state, "mpi_communicator: MPI is not initialized, or is finalized");
  if (comm == MPI_COMM_NULL)
    throw Error(ErrorCode::invalid_argument, "mpi_communicator: comm is MPI_COMM_NULL");
  int between = 0;
  check_mpi(MPI_Comm_test_inter(comm, &between), "MPI_Comm_test_inter");
  if (between != 0)
    throw Error(ErrorCode::invalid_argument,
                "mpi_communicator: comm is an intercommunicator; an intracommunicator is expected");
  return Communicator(std::make_shared<MpiCommunicator>(comm));
}

}  // namespace onecast
