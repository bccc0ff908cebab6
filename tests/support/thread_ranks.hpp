#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "comm/backend.hpp"

namespace onecast::test {

using namespace comm;

/// The state that the threads of run_ranks share.
class ThreadWorld {
 public:
  using Bytes = std::vector<std::byte>;

  /// Copies the bytes of a message, which may be in memory of a device.
  using CopyFromDevice = std::function<void(std::span<std::byte>, std::span<const std::byte>)>;

  /// @param copy without it, messages cannot be sent from memory of a device
  ThreadWorld(int size, std::vector<int> nodes, CopyFromDevice copy = {})
      : size_(size), nodes_(std::move(nodes)), copy_(std::move(copy)) {}

  [[nodiscard]] bool sends_from_devices() const { return copy_ != nullptr; }

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }

  /// Returns the state of the ranks of a node, which are consecutive.
  ThreadWorld& node(int node) {
    const std::scoped_lock lock(mutex_);
    auto& part = parts_[node];
    if (!part) {
      const auto size = static_cast<int>(std::count(nodes_.begin(), nodes_.end(), node));
      part = std::make_unique<ThreadWorld>(size, std::vector<int>(static_cast<std::size_t>(size)));
    }
    return *part;
  }

  /// Returns the bytes of all ranks, by rank.
  std::vector<Bytes> gather(int rank, Bytes mine) {
    std::unique_lock lock(mutex_);
    auto& all = rounds_[gathered_[rank]++];
    all.resize(static_cast<std::size_t>(size_));
    all[static_cast<std::size_t>(rank)] = std::move(mine);
    const std::size_t round = gathered_[rank] - 1;
    ++arrived_[round];
    changed_.notify_all();
    wait(lock, [&] { return arrived_[round] == size_; });
    return rounds_[round];
  }

  /// One side of a message. The side that comes second copies the bytes, so a receive that is ready
  /// waits for nothing else.
  struct Side {
    std::span<const std::byte> source;
    std::span<std::byte> target;
    bool done = false;
  };
  std::shared_ptr<Side> send(int from, int to, std::span<const std::byte> bytes) {
    const std::scoped_lock lock(mutex_);
    return meet(sent_[{from, to}], wanted_[{from, to}], {.source = bytes, .target = {}});
  }
  std::shared_ptr<Side> receive(int from, int to, std::span<std::byte> bytes) {
    const std::scoped_lock lock(mutex_);
    return meet(wanted_[{from, to}], sent_[{from, to}], {.source = {}, .target = bytes});
  }
  void wait_for(const Side& side) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return side.done; });
  }

 private:
  using Queue = std::deque<std::shared_ptr<Side>>;

  std::shared_ptr<Side> meet(Queue& mine, Queue& theirs, Side what) {
    auto side = std::make_shared<Side>(what);
    if (theirs.empty()) {
      mine.push_back(side);
      return side;
    }
    const auto other = theirs.front();
    theirs.pop_front();
    const auto source = what.source.empty() ? other->source : what.source;
    const auto target = what.target.empty() ? other->target : what.target;
    if (source.size() != target.size()) throw std::logic_error("another size was sent");
    if (copy_)
      copy_(target, source);
    else
      std::copy(source.begin(), source.end(), target.begin());
    side->done = other->done = true;
    changed_.notify_all();
    return side;
  }

  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition condition) {
    constexpr std::chrono::seconds kPatience(30);
    if (!changed_.wait_for(lock, kPatience, condition)) throw std::logic_error("a rank hangs");
  }

  int size_;
  std::vector<int> nodes_;
  CopyFromDevice copy_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, std::size_t> gathered_;
  std::map<std::size_t, std::vector<Bytes>> rounds_;
  std::map<std::size_t, int> arrived_;
  std::map<std::pair<int, int>, Queue> sent_;
  std::map<std::pair<int, int>, Queue> wanted_;
  std::map<int, std::unique_ptr<ThreadWorld>> parts_;
};

/// One thread as a rank. A send waits until it is received, as large messages of MPI do.
class ThreadCommunicator final : public CommunicatorBackend {
 public:
  ThreadCommunicator(ThreadWorld& world, int rank) : world_(world), rank_(rank) {
    nodes_ = world.nodes();
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return world_.size(); }

  void broadcast(std::span<std::byte> bytes, int root) override {
    const auto all = all_gather(bytes);
    const auto& sent = all[static_cast<std::size_t>(root)];
    if (sent.size() != bytes.size()) throw std::logic_error("broadcast of another size");
    std::copy(sent.begin(), sent.end(), bytes.begin());
  }
  void all_reduce_min(std::span<std::uint64_t> values) override {
    reduce(values, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
  }
  void all_reduce_max(std::span<std::uint64_t> values) override {
    reduce(values, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override {
    ++collectives_;
    return world_.gather(rank_, {mine.begin(), mine.end()});
  }
  std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& to) override {
    std::vector<std::byte> all;
    for (const auto& bytes : to) {
      const std::uint64_t size = bytes.size();
      const auto head = std::as_bytes(std::span(&size, 1));
      all.insert(all.end(), head.begin(), head.end());
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    std::vector<std::vector<std::byte>> received;
    for (const auto& packed : all_gather(all)) {
      const std::byte* at = packed.data();
      for (int r = 0;; ++r) {
        std::uint64_t size = 0;
        std::memcpy(&size, at, sizeof size);
        at += sizeof size;
        if (r == rank_) {
          received.emplace_back(at, at + size);
          break;
        }
        at += size;
      }
    }
    received[static_cast<std::size_t>(rank_)].clear();
    return received;
  }
  void barrier() override { all_gather({}); }
  std::unique_ptr<MessageBatch> messages() override { return std::make_unique<Batch>(*this); }
  [[nodiscard]] bool sends_from(DeviceApi /*device*/) const override {
    return world_.sends_from_devices();
  }
  CommunicatorBackend* node() override {
    if (node_) return node_.get();
    const int mine = nodes_[static_cast<std::size_t>(rank_)];
    const auto first = std::find(nodes_.begin(), nodes_.end(), mine);
    node_ = std::make_unique<ThreadCommunicator>(world_.node(mine),
                                                 static_cast<int>(nodes_.begin() + rank_ - first));
    return node_.get();
  }
  std::unique_ptr<SharedMemory> share_memory(std::size_t size) override {
    return std::make_unique<Shared>(*this, size);
  }

 private:
  class Shared final : public SharedMemory {
   public:
    Shared(ThreadCommunicator& comm, std::size_t size) : mine_(size) {
      const std::span<std::byte> part(mine_);
      for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(&part, 1))))
        std::memcpy(&parts_.emplace_back(), bytes.data(), bytes.size());
    }
    [[nodiscard]] std::span<std::byte> of(int rank) const override {
      return parts_[static_cast<std::size_t>(rank)];
    }
    void sync() override {}

   private:
    std::vector<std::byte> mine_;
    std::vector<std::span<std::byte>> parts_;
  };

  class Batch final : public MessageBatch {
   public:
    explicit Batch(ThreadCommunicator& comm) : comm_(comm) {}

    void send(int to, std::span<const std::byte> bytes) override {
      ++comm_.sent_.messages;
      comm_.sent_.bytes += bytes.size();
      sides_.push_back(comm_.world_.send(comm_.rank_, to, bytes));
    }
    void receive(int from, std::span<std::byte> bytes) override {
      sides_.push_back(comm_.world_.receive(from, comm_.rank_, bytes));
    }
    void wait() override {
      for (const auto& side : sides_) comm_.world_.wait_for(*side);
      sides_.clear();
    }

   private:
    ThreadCommunicator& comm_;
    std::vector<std::shared_ptr<ThreadWorld::Side>> sides_;
  };

  template <class F>
  void reduce(std::span<std::uint64_t> values, F&& f) {
    for (const auto& bytes : all_gather(std::as_bytes(values)))
      for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint64_t theirs = 0;
        std::memcpy(&theirs, bytes.data() + i * sizeof theirs, sizeof theirs);
        values[i] = f(values[i], theirs);
      }
  }

  ThreadWorld& world_;
  int rank_;
  std::unique_ptr<ThreadCommunicator> node_;
};

/// Runs `program` on `size` ranks, each a thread, with `ranks_per_node` of them on a node. Throws
/// what the lowest rank throws.
inline void run_ranks(int size, int ranks_per_node,
                      const std::function<void(CommunicatorBackend&)>& program,
                      ThreadWorld::CopyFromDevice copy = {}) {
  std::vector<int> nodes;
  for (int r = 0; r < size; ++r) nodes.push_back(r / ranks_per_node);
  ThreadWorld world(size, nodes, std::move(copy));
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      try {
        ThreadCommunicator comm(world, r);
        program(comm);
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace onecast::test
