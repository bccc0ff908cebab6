#pragma once

#include <functional>
#include <string>

namespace onecast {

/// Warns on stderr, once, about a file that is destroyed, or left at the end of the process,
/// without having been closed, and so loses changes.
class UnclosedWarning {
 public:
  /// `loses_changes` is then called; it returns whether changes would be lost.
  UnclosedWarning(std::string path, std::function<bool()> loses_changes);
  UnclosedWarning(const UnclosedWarning&) = delete;
  UnclosedWarning& operator=(const UnclosedWarning&) = delete;
  ~UnclosedWarning();

  /// Must be called when the file is closed, or its user knows about the loss.
  void end();
  void warn() noexcept;

 private:
  std::string path_;
  std::function<bool()> loses_changes_;  ///< empty: no warning is needed
};

}  // namespace onecast
