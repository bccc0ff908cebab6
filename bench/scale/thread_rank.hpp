// A rank of a communicator of functions, which counts its messages.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <onecast/comm/point_to_point.hpp>

#include "mail.hpp"

namespace scale {

/// Messages of one rank, or of several.
struct Messages {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t away_sent = 0;  ///< those to and from other nodes
  std::uint64_t away_received = 0;
  std::uint64_t away_bytes_sent = 0;
  std::uint64_t away_bytes_received = 0;
};

class ThreadRank final : public onecast::PointToPoint {
 public:
  ThreadRank(Mail& mail, int rank) : mail_(mail), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return mail_.layout().ranks(); }
  [[nodiscard]] std::uint64_t node() const override {
    return static_cast<std::uint64_t>(mail_.layout().node_of(rank_));
  }
  void send(int to, int tag, std::span<const std::byte> bytes) override {
    mail_.send(rank_, to, tag, bytes);
    count(to, bytes.size(), counts_.sent, counts_.bytes_sent, counts_.away_sent,
          counts_.away_bytes_sent);
  }
  void receive(int from, int tag, std::span<std::byte> bytes) override {
    mail_.receive(from, rank_, tag, bytes);
    count(from, bytes.size(), counts_.received, counts_.bytes_received, counts_.away_received,
          counts_.away_bytes_received);
  }
  /// Other ranks wait for this one, so the process ends, and the program with it.
  void fail(std::string_view reason) noexcept override {
    std::fprintf(stderr, "rank %d: %.*s\n", rank_, static_cast<int>(reason.size()), reason.data());
    std::_Exit(1);
  }

  [[nodiscard]] const Messages& counts() const { return counts_; }

 private:
  void count(int other, std::size_t size, std::uint64_t& messages, std::uint64_t& bytes,
             std::uint64_t& away, std::uint64_t& away_bytes) const {
    ++messages;
    bytes += size;
    if (mail_.layout().node_of(other) == mail_.layout().node_of(rank_)) return;
    ++away;
    away_bytes += size;
  }

  Mail& mail_;
  int rank_;
  Messages counts_;
};

}  // namespace scale
