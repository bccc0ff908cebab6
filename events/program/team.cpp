#include "team.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

namespace onecast::events {
namespace {

/// What launchers tell the processes that they start.
constexpr std::array<const char*, 4> kNames{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                            "MPI_LOCALNRANKS"};

/// MPI takes a while to begin: only where a launcher has started several processes.
bool is_launched() {
  return std::ranges::any_of(kNames, [](const char* name) { return std::getenv(name) != nullptr; });
}

/// Has a rank started this process, such as a script with MPI? Then the other ranks may not have.
bool is_child_of_rank() {
  std::ifstream in(fmt::format("/proc/{}/environ", getppid()));
  for (std::string variable; std::getline(in, variable, '\0');)
    if (std::ranges::any_of(kNames, [&](const char* name) {
          return variable.starts_with(fmt::format("{}=", name));
        }))
      return true;
  return false;
}

}  // namespace

World::World(Children children) : team_(alone()) {
#ifdef ONECAST_HAVE_MPI
  if (!is_launched() || (children == Children::alone && is_child_of_rank())) return;
  team_ = begin_mpi();
  has_begun_ = true;
#else
  static_cast<void>(&is_launched);
  static_cast<void>(&is_child_of_rank);
  static_cast<void>(children);
#endif
}

World::~World() {
  team_.reset();
#ifdef ONECAST_HAVE_MPI
  if (has_begun_) end_mpi();
#endif
}

}  // namespace onecast::events
