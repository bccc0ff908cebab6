#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace onecast::events {

/// A file that is made beside the one of which it takes the place, with the owner and the rights of
/// that one. What was there stays until then. What is no file, as a pipe, is written itself.
class Replacement {
 public:
  /// @param place links are followed  Throws Error (io): it is open, or must not be written.
  explicit Replacement(const std::string& place);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  /// Without complete() the place is as it was.
  ~Replacement();

  /// What is to be written.
  [[nodiscard]] const std::string& part() const { return part_; }
  /// Is that another file than the one at the place?
  [[nodiscard]] bool is_beside() const { return part_ != place_; }
  /// It is written, and closed. Throws Error (io).
  void complete();

 private:
  void require(bool is_done) const;

  std::string place_, part_;
  std::optional<struct stat> old_;  ///< of the file at the place, if there is one
};

}  // namespace onecast::events
