#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/comm/communicator.hpp"

namespace onecast::events {

/// The ranks that work together: this process alone, or those of MPI.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  [[nodiscard]] virtual int rank() const { return 0; }
  [[nodiscard]] virtual int size() const { return 1; }
  /// Returns the communicator for opening a file together.
  [[nodiscard]] virtual Communicator communicator() const { return {}; }
  /// Returns the numbers of all ranks, by rank. @collective @local
  virtual std::vector<std::vector<std::uint64_t>> gather(std::span<const std::uint64_t> mine) {
    return {{mine.begin(), mine.end()}};
  }
  /// Sends bytes to each rank, by rank, and returns what each rank sent to this one.
  /// @collective @local
  virtual std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& to) {
    return to;
  }
};

/// Returns the team of this process alone.
std::shared_ptr<Team> alone();

/// Returns the texts of all ranks, by rank. @collective @local
std::vector<std::string> gather_texts(Team& team, std::string_view mine);

/// Throws the failure of the lowest rank that has one, on all ranks. @collective @local
void agree(Team& team, const std::exception_ptr& failure);

}  // namespace onecast::events
