#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "comm/backend.hpp"

namespace onecast::test {

using namespace comm;

/// One of several ranks in a program of one process: rank 0 records its broadcasts, other ranks
/// replay them. No other rank is assumed to fail.
class PlayedCommunicator final : public CommunicatorBackend {
 public:
  using Record = std::deque<std::vector<std::byte>>;

  PlayedCommunicator(int rank, int size,
                     std::shared_ptr<Record> record = std::make_shared<Record>())
      : rank_(rank), size_(size), record_(std::move(record)) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void broadcast(std::span<std::byte> bytes, int root) override {
    if (rank_ == root) return void(record_->emplace_back(bytes.begin(), bytes.end()));
    const auto sent = std::move(record_->front());
    record_->pop_front();
    std::copy(sent.begin(), sent.end(), bytes.begin());
  }
  void all_reduce_min(std::span<std::uint64_t> /*values*/) override {}
  void all_reduce_max(std::span<std::uint64_t> /*values*/) override {}
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override {
    return {static_cast<std::size_t>(size_), {mine.begin(), mine.end()}};
  }
  std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& /*to*/) override {
    return std::vector<std::vector<std::byte>>(static_cast<std::size_t>(size_));
  }
  void barrier() override {}

 private:
  int rank_;
  int size_;
  std::shared_ptr<Record> record_;
};

}  // namespace onecast::test
