#pragma once

#include <functional>
#include <string>

#include "onecast/events/team.hpp"

namespace CLI {
class App;
}

namespace onecast::events {

/// How a command ended: its exit code, and what is to be told.
struct Outcome {
  int code = 0;
  std::string text{};  ///< of exit code 0 (--help) for standard output, else for standard error
};

/// That of work which returns the exit code. What it throws becomes a text.
Outcome outcome_of(const CLI::App& app, const std::function<int()>& work);

/// Prints the text. Returns the exit code.
int tell(const Outcome& outcome);

/// As tell(), for all ranks: the lowest of those that have one text prints it. Returns the highest
/// exit code. @collective @local
int tell(const Outcome& outcome, Team& team);

}  // namespace onecast::events
