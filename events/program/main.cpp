#include <fmt/ranges.h>
#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "commands.hpp"
#include "messages.hpp"
#include "outcome.hpp"
#include "team.hpp"

namespace onecast::events {
namespace {

/// Keeps freed memory in the process. Buffers of events and batches come and go all the time; if
/// they were given back to the system, each would be mapped and cleared anew.
void keep_memory() {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/// Adds the names of the commands to the error if no command was given.
std::string with_commands(const CLI::App* app, const CLI::Error& error) {
  if (!app->get_subcommands().empty()) return CLI::FailureMessage::simple(app, error);
  std::vector<std::string> names;
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::vector<std::string> given = app->remaining();
  return fmt::format("onecast-events: {}one of the commands {} was expected\n{}",
                     given.empty() ? "" : given.front() + ": ", fmt::join(names, ", "),
                     "Run with --help for more information.\n");
}

/// True for the commands that mpiexec starts on many ranks. All other commands wait for no other
/// rank.
bool is_for_ranks(const CLI::App& app) {
  return app.got_subcommand("run") || app.got_subcommand("convert");
}

/// Ends all ranks, before the job, if one rank does not understand its arguments.
int do_with(const Program& program, const Outcome& parsed, const std::shared_ptr<Team>& team) {
  const int code = tell(parsed, *team);
  if (code != 0 || !program.job) return code;
  return tell(outcome_of(program.app, [&] { return program.job(team); }), *team);
}

int run_program(int argc, char** argv) {
  Program program;
  CLI::App& app = program.app;
  app.name("onecast-events");
  app.require_subcommand(1);
  app.failure_message(with_commands);
  app.set_version_flag("--version", ONECAST_VERSION);
  for (const auto add : {add_run, add_convert, add_list, add_dump, add_check, add_cat, add_index})
    add(program);
  const Outcome parsed = outcome_of(app, [&] {
    app.parse(argc, argv);
    return 0;
  });
  return tell(outcome_of(app, [&] {
    if (!is_for_ranks(app)) return do_with(program, parsed, alone());
    const World world;
    return do_with(program, parsed, world.team());
  }));
}

}  // namespace
}  // namespace onecast::events

int main(int argc, char** argv) {
  onecast::events::keep_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the size limit makes the write fail with an error
  const int code = onecast::events::run_program(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (code == 0) onecast::events::say("standard output: cannot be written");
  return std::max(code, 1);
}
