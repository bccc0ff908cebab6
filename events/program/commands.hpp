#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "onecast/events/run.hpp"

/// Each command adds itself to the program, with its options; its callback sets the exit code.
namespace onecast::events {

struct Program {
  CLI::App app{"Processes high-energy physics events: run, convert and examine them."};
  int exit_code = 0;
};

/// "RUN:LUMI:EVENT", as options take it.
inline std::string text_of(const Identity& id) {
  return fmt::format("{}:{}:{}", id.run, id.lumi, id.event);
}

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
  std::string json;      ///< file for the statistics
  int progress_fd = -1;  ///< where lines of progress go
  bool quiet = false;
};
/// Throws Error; on one rank or on all. Returns the exit code: 1 if a signal ended the job.
int do_job(Job job);

/// CLI11 would make 2^64 - 1 of -1.
inline CLI::Range not_negative() { return {std::int64_t{0}, std::int64_t{INT64_MAX}}; }

/// The options that `run` and `convert` have in common.
void add_job_options(CLI::App& command, Job& job);

}  // namespace onecast::events
