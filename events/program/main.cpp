#include <fmt/format.h>
#include <malloc.h>

#include <csignal>

#include "commands.hpp"
#include "onecast/base/error.hpp"

namespace {

/// Buffers of events and batches come and go all the time: given back to the system, each would be
/// mapped and cleared anew.
void keep_memory() {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  using namespace onecast::events;
  keep_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of the write
  Program program;
  program.app.name("onecast-events");
  program.app.require_subcommand(1);
  program.app.set_version_flag("--version", ONECAST_VERSION);
  for (const auto add : {add_run, add_convert, add_list, add_dump, add_check, add_cat, add_index})
    add(program);
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = program.app.exit(error);
    return code == 0 ? 0 : 2;
  } catch (const onecast::Error& error) {
    fmt::print(stderr, "onecast-events: {}\n", error.what());
    return error.code() == onecast::ErrorCode::invalid_argument ? 2 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "onecast-events: {}\n", error.what());
    return 1;
  }
  return program.exit_code;
}
