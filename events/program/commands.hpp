#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onecast/events/run.hpp"
#include "running/blame.hpp"

/// Each command adds itself to the program, with its options; its callback sets the job.
namespace onecast::events {

struct Program {
  CLI::App app{"Processes high-energy physics events: run, convert and examine them."};
  /// What is done once the arguments are read: `run` and `convert` by the ranks of mpiexec
  /// together. Returns the exit code.
  std::function<int(const std::shared_ptr<Team>&)> job{};

  /// A job of this process, under mpiexec as well.
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

/// What `run` and `convert` do, once they know components and options.
struct Job {
  std::string source;
  std::string outputer;
  std::string waiter;
  std::vector<std::string> products;  ///< only these, if any
  std::vector<std::string> libraries;
  RunOptions options;
  std::string json;                ///< file for the statistics
  std::optional<int> progress_fd;  ///< where lines of progress go
  bool quiet = false;
  bool replaces = false;  ///< is the outputer's file kept as it was until the job is done?
};
/// Throws Error, on all ranks. Returns the exit code: 1 if a signal ended the job. @collective
int do_job(Job job, const std::shared_ptr<Team>& team);

/// Does the work on each rank; the failure of one is thrown on all. @collective
void do_agreed(Team& team, const std::function<void()>& work);

/// For `transform`: CLI11 would make 2^64 - 1 of -1 and of all that is above it, and 8 of 010.
CLI::Validator whole_number();

/// The options that `run` and `convert` have in common.
void add_job_options(CLI::App& command, Job& job);

}  // namespace onecast::events
