#pragma once

#include <memory>

#include "onecast/events/team.hpp"

namespace onecast::events {

/// The ranks of mpiexec; this process alone where it was started otherwise, or without MPI.
class World {
 public:
  World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  [[nodiscard]] const std::shared_ptr<Team>& team() const { return team_; }

 private:
  std::shared_ptr<Team> team_;
  bool has_begun_ = false;
};

/// The team of MPI: initialises it. Only in a build with MPI.
std::shared_ptr<Team> begin_mpi();
void end_mpi();

}  // namespace onecast::events
