#pragma once

#include <functional>
#include <string>

#include "onecast/events/team.hpp"

namespace CLI {
class App;
}

namespace onecast::events {

/// The result of a command: its exit code and the text to print.
struct Outcome {
  int code = 0;
  std::string text{};  ///< for standard output if `code` is 0 (--help), else for standard error
};

/// Returns the outcome of work that returns an exit code. What it throws becomes the text.
Outcome outcome_of(const CLI::App& app, const std::function<int()>& work);

/// Prints the text. Returns the exit code.
int tell(const Outcome& outcome);

/// Does the same for all ranks: the lowest of the ranks with equal texts prints the text. Returns
/// the highest exit code. @collective @local
int tell(const Outcome& outcome, Team& team);

}  // namespace onecast::events
