#include "base/unclosed_files.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace onecast {
namespace {

/// Of the files that are open. Never destroyed: files may go after everything else.
struct Warnings {
  std::mutex mutex;
  std::map<UnclosedWarning*, pid_t> all;  ///< by the process that opened the file
};

void warn_of_all();

Warnings& warnings() {
  static Warnings* const kWarnings = [] {
    std::atexit(warn_of_all);
    return new Warnings;
  }();
  return *kWarnings;
}

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
  of_files.all.emplace(this, getpid());
}

UnclosedWarning::~UnclosedWarning() {
  Warnings& of_files = warnings();
  const std::scoped_lock lock(of_files.mutex);
  // A forked process leaves the file to the one that opened it.
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
  } catch (...) {  // NOLINT(bugprone-empty-catch): whoever cannot say it goes on
  }
}

}  // namespace onecast
