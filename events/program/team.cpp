#include "team.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace onecast::events {
namespace {

/// MPI takes a while to initialise, so it is only used if a launcher has started several processes.
bool is_launched() {
  static constexpr std::array kNames{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                     "MPI_LOCALNRANKS"};
  return std::ranges::any_of(kNames, [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

World::World() : team_(alone()) {
#ifdef ONECAST_EVENTS_MPI
  if (!is_launched()) return;
  team_ = begin_mpi();
  has_begun_ = true;
#else
  static_cast<void>(&is_launched);
#endif
}

World::~World() {
  team_.reset();
#ifdef ONECAST_EVENTS_MPI
  if (has_begun_) end_mpi();
#endif
}

}  // namespace onecast::events
