#pragma once

#include <memory>

#include "onecast/events/team.hpp"

namespace onecast::events {

/// The ranks of mpiexec, or this process alone if it was started otherwise or MPI is absent.
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

/// Initialises MPI and returns its team. Only in a build with MPI.
std::shared_ptr<Team> begin_mpi();
void end_mpi();

}  // namespace onecast::events
