#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onecast/events/run.hpp"
#include "running/blame.hpp"

/// Each command adds itself and its options to the program; its callback sets the job.
namespace onecast::events {

struct Program {
  CLI::App app{"Processes high-energy physics events: run, convert and examine them."};
  /// The work that follows the parsing of the arguments. The ranks of mpiexec do `run` and
  /// `convert` together. Returns the exit code.
  std::function<int(const std::shared_ptr<Team>&)> job{};

  /// Sets work that each process does by itself, under mpiexec as well.
  void do_alone(std::function<int()> work) {
    job = [work = std::move(work)](const std::shared_ptr<Team>&) { return work(); };
  }
};

void add_run(Program& program);
void add_convert(Program& program);
void add_list(Program& program);
void add_dump(Program& program);
void add_check(Program& program);
void add_cat(Program& program);
void add_index(Program& program);

/// The components and options of `run` and `convert`.
struct Job {
  std::string source;
  std::string outputer;
  std::string waiter;
  std::vector<std::string> products;  ///< only these; empty: all
  std::vector<std::string> libraries;
  RunOptions options;
  std::string json;                ///< the file for the statistics
  std::optional<int> progress_fd;  ///< the descriptor for lines of progress
  bool quiet = false;
  bool replaces = false;  ///< true if the outputer's old file stays until the job is done
};
/// Throws Error, on all ranks. Returns the exit code: 1 if a signal ended the job. @collective
int do_job(Job job, const std::shared_ptr<Team>& team);

/// Does the work on each rank; throws the failure of one rank on all of them. @collective
void do_agreed(Team& team, const std::function<void()>& work);

/// A check for `transform`: CLI11 would read -1 and numbers above 2^64 - 1 as 2^64 - 1, and 010 as
/// 8.
CLI::Validator whole_number();

/// The options that `run` and `convert` have in common.
void add_job_options(CLI::App& command, Job& job);

}  // namespace onecast::events
