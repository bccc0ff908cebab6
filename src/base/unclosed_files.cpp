#include "base/unclosed_files.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "base/mutex.hpp"
#include "base/of_process.hpp"

namespace onecast {
namespace {

/// The warnings of all open files.
struct Warnings {
  GlobalMutex mutex;
  std::map<UnclosedWarning*, pid_t> all;  ///< with the process that opened the file
  bool are_given_at_exit = false;
};
Warnings& warnings() { return of_process<Warnings>(); }

void warn_of_all() {
  Warnings& of_files = warnings();
  const std::scoped_lock lock(of_files.mutex);
  for (const auto& [warning, process] : of_files.all)
    if (process == getpid()) warning->warn();
}

}  // namespace

UnclosedWarning::UnclosedWarning(std::string path, std::function<bool()> loses_changes)
    : path_(std::move(path)), loses_changes_(std::move(loses_changes)) {
  Warnings& of_files = warnings();
  const std::scoped_lock lock(of_files.mutex);
  if (!std::exchange(of_files.are_given_at_exit, true)) std::atexit(warn_of_all);
  of_files.all.emplace(this, getpid());
}

UnclosedWarning::~UnclosedWarning() {
  Warnings& of_files = warnings();
  const std::scoped_lock lock(of_files.mutex);
  // A forked process leaves the file to the process that opened it.
  const auto of_this = of_files.all.find(this);
  if (of_this == of_files.all.end()) return;
  const bool is_ours = of_this->second == getpid();
  of_files.all.erase(of_this);
  if (is_ours) warn();
}

void UnclosedWarning::end() { loses_changes_ = nullptr; }

void UnclosedWarning::warn() noexcept {
  try {
    if (const auto loses = std::exchange(loses_changes_, nullptr); loses && loses())
      std::fprintf(stderr,
                   "onecast: warning: %s was not closed: the changes since its last flush are "
                   "lost\n",
                   path_.c_str());
  } catch (...) {  // NOLINT(bugprone-empty-catch): a warning that fails is dropped
  }
}

}  // namespace onecast
