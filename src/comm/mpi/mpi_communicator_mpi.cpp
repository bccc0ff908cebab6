#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "base/make_error.hpp"
#include "comm/backend.hpp"
#include "comm/communicator_access.hpp"
#include "comm/mpi/mpi_communicators.hpp"
#include "comm/mpi/mpi_library.hpp"
#include "comm/mpi/mpi_made.hpp"
#include "comm/mpi/mpi_messages.hpp"
#include "comm/mpi/mpi_shared_memory.hpp"
#include "comm/mpi/mpi_watch.hpp"
#include "comm/node/memory_file.hpp"
#include "comm/patience.hpp"
#include "comm/segments.hpp"

namespace onecast {

using namespace comm;

namespace {

/// Tests on one machine set the number of ranks of a node; 0: they do not.
int pretended_ranks() {
  const char* pretended = std::getenv("ONECAST_RANKS_PER_NODE");
  int ranks = 0;
  if (pretended != nullptr) std::from_chars(pretended, pretended + std::strlen(pretended), ranks);
  return std::max(0, ranks);
}

/// Returns 0 if the host has no name.
std::uint64_t hash_of_host() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return 0;
  return std::hash<std::string_view>()(name.data());
}

class MpiCommunicator final : public CommunicatorBackend, MpiCommunicators::InUse {
 public:
  MpiCommunicator(const Mpi& mpi, MpiComm original);
  /// The ranks of `whole` that pass the same number.
  MpiCommunicator(const MpiCommunicator& whole, int group);
  ~MpiCommunicator() override {
    if (!mpi_.is_running() || comm_ == mpi_.constants().comm_null) return;
    communicators_.remove(*this);
    part("it has released the file");
  }

  [[nodiscard]] const Mpi& mpi() const { return mpi_; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool has_ranks_of(const CommunicatorBackend& other) const override;
  /// MPI calls would end the process once MPI is finalized.
  void require_running() const override {
    if (!mpi_.is_running())
      throw Error(ErrorCode::state,
                  "MPI is finalized: the ranks cannot communicate any more; close files before "
                  "MPI_Finalize");
  }
  [[nodiscard]] bool allows_threads() const override { return mpi_.allows_threads(); }

  std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) override {
    ++collectives_;
    if (size_ == 1) return CommunicatorBackend::begin_header(mine);
    return communicators_.headers().begin(comm_, mine);
  }
  void wait_for(HeaderReduction& reduction, const AwaitedCall& call) override;

  void broadcast(std::span<std::byte> bytes, int root) override;
  void broadcast_both(std::span<std::byte> head, std::span<std::byte> tail, int root) override;
  void all_reduce_min(std::span<std::uint64_t> values) override {
    all_reduce(values, mpi_.constants().min);
  }
  void all_reduce_max(std::span<std::uint64_t> values) override {
    all_reduce(values, mpi_.constants().max);
  }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override;
  std::vector<std::vector<std::byte>> all_gather_padded(std::span<const std::byte> mine,
                                                        std::uint64_t largest) override;
  std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& to) override;
  void barrier() override {
    const MpiWatch::Wait waits(watch_.get());
    complete_collective(mpi_.ibarrier(comm()), "MPI_Ibarrier");
  }
  std::unique_ptr<CommunicatorBackend> split(int group) override {
    ++collectives_;
    const MpiWatch::Wait waits(watch_.get());
    return std::make_unique<MpiCommunicator>(*this, group);
  }
  void all_combine(std::span<std::byte> value, Combine combine) override;
  const std::vector<int>& nodes() override;
  [[nodiscard]] std::optional<std::uint64_t> node_hint() const override {
    static const std::uint64_t kHost = hash_of_host();
    return kHost +
           static_cast<std::uint64_t>(pretended_ranks() != 0 ? rank_ / pretended_ranks() : 0);
  }
  CommunicatorBackend* node() override { return &ranks_of_node(); }
  std::unique_ptr<SharedMemory> share_memory(std::size_t size) override {
    const MpiWatch::Wait waits(watch_.get());
    return mpi_shared_memory(mpi_, comm(), size);
  }
  std::unique_ptr<MessageBatch> messages() override {
    return mpi_messages(mpi_, comm(), sent_, watch_.get());
  }
  [[nodiscard]] bool sends_from(DeviceApi device) const override { return mpi_.sends_from(device); }

 private:
  [[nodiscard]] MpiComm comm() const {
    require_running();
    return comm_;
  }
  void register_new();
  void wait_until_done(HeaderReduction& reduction, const AwaitedCall& call);
  void complete_collective(MpiRequest request, const char* call);
  void part(const char* reason) noexcept;
  void finish() noexcept override { part("it reached the end of the program (MPI_Finalize)"); }
  void broadcast_segment(void* data, int count, MpiType type, int root) {
    ++collectives_;
    mpi_.bcast(data, count, type, root, comm());
  }
  void all_reduce(std::span<std::uint64_t> values, MpiOp operation);
  void gather_round(std::span<const std::byte> mine, std::span<const std::uint64_t> sizes,
                    std::uint64_t from, std::uint64_t piece,
                    std::vector<std::vector<std::byte>>& all);

  const Mpi& mpi_;
  MpiCommunicators& communicators_;
  MpiComm comm_;
  int rank_ = 0;
  int size_ = 1;
  bool is_part_ = false;
  std::shared_ptr<MpiWatch> watch_;  ///< of the whole communicator; null for one rank
};

MpiCommunicator::MpiCommunicator(const Mpi& mpi, MpiComm original)
    : mpi_(mpi),
      communicators_(MpiCommunicators::of(mpi)),
      comm_(mpi.constants().comm_null),
      rank_(mpi.comm_rank(original)),
      size_(mpi.comm_size(original)) {
  communicators_.tidy();
  {
    std::optional<MpiWatch> watch;
    if (size_ > 1) watch.emplace(mpi_, std::nullopt, rank_, size_);
    const MpiWatch::Wait waits(watch ? &*watch : nullptr);
    ++collectives_;
    comm_ = mpi_.comm_dup(original);
  }
  register_new();
  if (size_ > 1) watch_ = std::make_shared<MpiWatch>(mpi_, comm_, rank_, size_);
}

MpiCommunicator::MpiCommunicator(const MpiCommunicator& whole, int group)
    : mpi_(whole.mpi_),
      communicators_(whole.communicators_),
      comm_(mpi_.comm_split(whole.comm(), group, whole.rank_)),
      is_part_(true),
      watch_(whole.watch_) {
  register_new();
}

void MpiCommunicator::register_new() {
  mpi_.comm_return_errors(comm_);
  rank_ = mpi_.comm_rank(comm_);
  size_ = mpi_.comm_size(comm_);
  communicators_.add(*this);
}

/// Tells ranks that wait for this one that it makes no further call.
void MpiCommunicator::part(const char* reason) noexcept {
  try {
    // A part of the ranks makes no calls for files.
    if (!is_part_) {
      calls().part(reason);
      if (watch_) watch_->close();
      MpiWatch::drain(mpi_, comm_);
    }
    watch_.reset();
    communicators_.retire(std::exchange(comm_, mpi_.constants().comm_null), calls().take_answers());
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
void MpiCommunicator::complete_collective(MpiRequest request, const char* call) {
  ++collectives_;
  Patience patience;
  while (!mpi_.test(request, call)) patience.pause();
}

bool MpiCommunicator::has_ranks_of(const CommunicatorBackend& other) const {
  if (CommunicatorBackend::has_ranks_of(other)) return true;
  const auto* ranks = dynamic_cast<const MpiCommunicator*>(&other);
  return ranks != nullptr && &mpi_ == &ranks->mpi_ && mpi_.comm_has_same_ranks(comm_, ranks->comm_);
}

void MpiCommunicator::broadcast(std::span<std::byte> bytes, int root) {
  const MpiWatch::Wait waits(watch_.get());
  static_assert(kSegment <= INT_MAX);
  for_each_segment(bytes, [&](auto segment) {
    broadcast_segment(segment.data(), static_cast<int>(segment.size()), mpi_.constants().byte,
                      root);
  });
}

void MpiCommunicator::broadcast_both(std::span<std::byte> head, std::span<std::byte> tail,
                                     int root) {
  require_running();
  const MadeType both(mpi_, mpi_.type_of_both(head, tail));
  const MpiWatch::Wait waits(watch_.get());
  broadcast_segment(nullptr, 1, both.type(), root);
}

void MpiCommunicator::all_reduce(std::span<std::uint64_t> values, MpiOp operation) {
  const MpiWatch::Wait waits(watch_.get());
  while (!values.empty()) {
    const auto some = values.first(std::min(values.size(), kSegment));
    complete_collective(mpi_.iallreduce(some, operation, comm()), "MPI_Iallreduce");
    values = values.subspan(some.size());
  }
}

/// More than a segment in all goes in rounds, since displacements in MPI are ints.
std::vector<std::vector<std::byte>> MpiCommunicator::all_gather(std::span<const std::byte> mine) {
  const MpiWatch::Wait waits(watch_.get());
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<std::uint64_t> sizes(ranks);
  const std::uint64_t my_size = mine.size();
  complete_collective(
      mpi_.iallgather(&my_size, static_cast<int>(sizeof my_size), sizes.data(), comm()),
      "MPI_Iallgather");

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
  const MpiWatch::Wait waits(watch_.get());
  complete_collective(
      mpi_.iallgather(sent.data(), static_cast<int>(block), received.data(), comm()),
      "MPI_Iallgather");
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
  ++collectives_;
  mpi_.allgatherv(my_bytes, my_count, received.data(), counts.data(), displacements.data(), comm());
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
    ++collectives_;
    mpi_.alltoall(out_sizes.data(), in_sizes.data(), comm());
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

void combine_values(void* lower, void* higher, int* /*count*/, void* /*type*/) {
  combine_now(static_cast<const std::byte*>(lower), static_cast<std::byte*>(higher));
}

void MpiCommunicator::all_combine(std::span<std::byte> value, Combine combine) {
  require_running();
  // The type is one element, so that no implementation splits it.
  const MadeType type(mpi_, mpi_.type_of_bytes(static_cast<int>(value.size())));
  const MadeOp operation(mpi_, combine_values);
  combine_now = combine;
  const MpiWatch::Wait waits(watch_.get());
  ++collectives_;
  mpi_.allreduce(value.data(), type.type(), operation.op(), comm());
}

const std::vector<int>& MpiCommunicator::nodes() {
  if (!nodes_.empty()) return nodes_;
  const MpiWatch::Wait waits(watch_.get());
  ++collectives_;
  const MpiComm node = mpi_.comm_split_nodes(comm(), rank_);
  int lowest = rank_;
  const int place = mpi_.comm_rank(node);
  ++collectives_;
  mpi_.bcast(&lowest, static_cast<int>(sizeof lowest), mpi_.constants().byte, 0, node);
  mpi_.comm_free(node);
  if (const int ranks = pretended_ranks(); ranks > 0) lowest = rank_ - place % ranks;
  struct Place {
    int lowest;  ///< the lowest rank of the node
    std::int32_t process;
    std::uint64_t number;
  };
  const Place mine{lowest, getpid(), random_number().value_or(0)};
  std::vector<Place> all(static_cast<std::size_t>(size_));
  ++collectives_;
  mpi_.allgather(&mine, static_cast<int>(sizeof mine), all.data(), comm());
  std::vector<int> lowest_of;
  lowest_of.reserve(all.size());
  for (const Place& each : all) lowest_of.push_back(each.lowest);
  set_nodes(number_nodes(lowest_of));
  const Place& first = all[static_cast<std::size_t>(lowest)];
  set_leader(first.process, first.number);
  return nodes_;
}

constexpr const char* kCall = "mpi_communicator";

Communicator communicator_of(const Mpi& mpi, MpiComm comm) {
  const MpiConstants& known = mpi.constants();
  if (!mpi.initialized() && comm != known.comm_null && comm != known.comm_world &&
      comm != known.comm_self)
    throw state_error(
        "mpi_communicator: comm is of a session of MPI, and MPI is not "
        "initialized: {}. Call MPI_Init, too",
        mpi.name());
  require_running(mpi, kCall);
  if (comm == known.comm_null)
    throw Error(ErrorCode::invalid_argument, "mpi_communicator: comm is MPI_COMM_NULL");
  if (mpi.comm_test_inter(comm))
    throw Error(ErrorCode::invalid_argument,
                "mpi_communicator: comm is an intercommunicator; an intracommunicator is expected");
  return CommunicatorAccess::make(std::make_shared<MpiCommunicator>(mpi, comm));
}

}  // namespace

const Mpi* comm::mpi_of_ranks(const CommunicatorBackend& ranks) {
  const auto* by_mpi = dynamic_cast<const MpiCommunicator*>(&ranks);
  return by_mpi != nullptr ? &by_mpi->mpi() : nullptr;
}

Communicator mpi_communicator(const MpiHandle& comm) {
  const Mpi& mpi = mpi_of(comm.library());
  return communicator_of(mpi, comm_of(mpi, comm, kCall));
}

Communicator mpi_communicator_of_world(const void* library) {
  const Mpi& mpi = mpi_of(library);
  return communicator_of(mpi, mpi.constants().comm_world);
}

}  // namespace onecast
