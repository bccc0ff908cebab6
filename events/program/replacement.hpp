#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace onecast::events {

/// A file that is made beside the one that it replaces, with its owner and permissions. The old
/// file stays until then. A place that is no file, such as a pipe, is written itself.
class Replacement {
 public:
  /// @param place links are followed. Throws Error (io) if it is open, or may not be written.
  explicit Replacement(const std::string& place);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  /// Without complete(), the place stays as it was.
  ~Replacement();

  /// Returns the name of the file to write.
  [[nodiscard]] const std::string& part() const { return part_; }
  /// True if the file to write is another one than the file at the place.
  [[nodiscard]] bool is_beside() const { return part_ != place_; }
  /// Puts the written and closed file in its place. Throws Error (io).
  void complete();

 private:
  void require(bool is_done) const;

  std::string place_, part_;
  std::optional<struct stat> old_;  ///< of the file at the place, if there is one
};

}  // namespace onecast::events
