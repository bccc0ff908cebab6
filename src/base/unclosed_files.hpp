#pragma once

#include <functional>
#include <string>

namespace onecast {

/// Warns on stderr, once, of a file that goes, or is left when the process ends, without having
/// been closed, and so loses changes.
class UnclosedWarning {
 public:
  /// `loses_changes` is asked then: would something be lost?
  UnclosedWarning(std::string path, std::function<bool()> loses_changes);
  UnclosedWarning(const UnclosedWarning&) = delete;
  UnclosedWarning& operator=(const UnclosedWarning&) = delete;
  ~UnclosedWarning();

  /// The file is closed, or its user knows.
  void end();
  void warn() noexcept;

 private:
  std::string path_;
  std::function<bool()> loses_changes_;  ///< empty: it has ended
};

}  // namespace onecast
