#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <stdexcept>
#include <thread>

#include "options.hpp"
#include "request.hpp"

namespace onecast::lab {
namespace {

constexpr unsigned kThreadsPerMount = 8;

void initialize(void*, fuse_conn_info* connection) {
  connection->max_write = kLargestRequest;
  connection->max_read = kLargestRequest;
}

fuse_lowlevel_ops all_operations() {
  fuse_lowlevel_ops operations{};
  operations.init = initialize;
  add_name_operations(operations);
  add_attribute_operations(operations);
  add_file_operations(operations);
  add_lock_operations(operations);
  return operations;
}

fuse_session* mount_at(const std::string& path, Mount& mount) {
  static const fuse_lowlevel_ops kOperations = all_operations();
  const std::string options =
      fmt::format("fsname=onecast_lab,subtype=lab,max_read={}", kLargestRequest);
  const char* words[] = {"onecast_lab", "-o", options.c_str()};
  fuse_args arguments = FUSE_ARGS_INIT(3, const_cast<char**>(words));
  fuse_session* session = fuse_session_new(&arguments, &kOperations, sizeof kOperations, &mount);
  fuse_opt_free_args(&arguments);
  if (session == nullptr || fuse_session_mount(session, path.c_str()) != 0) {
    throw std::runtime_error(fmt::format("{}: cannot be mounted on", path));
  }
  return session;
}

void serve(fuse_session* session) {
  fuse_loop_config* config = fuse_loop_cfg_create();
  fuse_loop_cfg_set_max_threads(config, kThreadsPerMount);
  fuse_session_loop_mt(session, config);
  fuse_loop_cfg_destroy(config);
}

// Raises the limit of descriptors, since every object of every file is an open one.
void allow_many_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

[[noreturn]] void run(const Options& options) {
  allow_many_descriptors();
  ServerOptions of_server = options.server;
  of_server.owner = {::getuid(), ::getgid()};
  Server server(of_server);

  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ends,
                  nullptr);  // in all threads: one of them waits for these signals

  std::deque<Mount> mounts;
  std::vector<std::string> mounted;
  int result = EXIT_SUCCESS;
  try {
    for (const std::string& path : options.mounts) {
      Mount& mount =
          mounts.emplace_back(Mount{&server, static_cast<std::uint32_t>(mounted.size())});
      fuse_session* session = mount_at(path, mount);
      mounted.push_back(path);
      std::thread(serve, session).detach();
    }
    std::puts("ready");
    std::fflush(stdout);
    int signal = 0;
    sigwait(&ends, &signal);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "onecast_lab: %s\n", error.what());
    result = EXIT_FAILURE;
  }
  // The connections end with the process; a program with an open file gets ENOTCONN.
  for (const std::string& path : mounted) ::umount2(path.c_str(), MNT_DETACH);
  std::_Exit(result);
}

}  // namespace
}  // namespace onecast::lab

int main(int argc, char** argv) {
  try {
    const auto options = onecast::lab::parse_options({argv + 1, argv + argc});
    if (options.help) {
      std::fputs(onecast::lab::kUsage, stdout);
      return EXIT_SUCCESS;
    }
    onecast::lab::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "onecast_lab: %s\n%s", error.what(), onecast::lab::kUsage);
    return EXIT_FAILURE;
  }
}
