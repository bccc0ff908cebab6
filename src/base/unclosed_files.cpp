#include "base/unclosed_files.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <utility>

namespace onecast {
namespace {

/// Never destroyed: files may go after everything else.
struct OpenFiles {
  std::mutex mutex;
  std::set<UnclosedWarning*> all;
};

void warn_of_all();

OpenFiles& open_files() {
  static OpenFiles* const kFiles = [] {
    std::atexit(warn_of_all);
    return new OpenFiles;
  }();
  return *kFiles;
}

void warn_of_all() {
  OpenFiles& files = open_files();
  const std::scoped_lock lock(files.mutex);
  for (UnclosedWarning* file : files.all) file->warn();
}

}  // namespace

UnclosedWarning::UnclosedWarning(std::string path, std::function<bool()> loses_changes)
    : path_(std::move(path)), loses_changes_(std::move(loses_changes)) {
  OpenFiles& files = open_files();
  const std::scoped_lock lock(files.mutex);
  files.all.insert(this);
}

UnclosedWarning::~UnclosedWarning() {
  OpenFiles& files = open_files();
  const std::scoped_lock lock(files.mutex);
  files.all.erase(this);
  warn();
}

void UnclosedWarning::end() { loses_changes_ = nullptr; }

void UnclosedWarning::warn() noexcept {
  try {
    if (const auto loses = std::exchange(loses_changes_, nullptr); loses && loses())
      std::fprintf(stderr,
                   "onecast: warning: %s was not closed: what was changed since its last flush is "
                   "lost\n",
                   path_.c_str());
  } catch (...) {  // NOLINT(bugprone-empty-catch): whoever cannot say it goes on
  }
}

}  // namespace onecast
