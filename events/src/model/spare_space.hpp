#pragma once

#include <string>

namespace onecast::events {

/// Disk space that is reserved beside a file, if there is enough, so that the file can be completed
/// when the disk becomes full. It has no name and ends with the process.
class SpareSpace {
 public:
  /// Reserves nothing.
  SpareSpace() = default;
  /// Reserves space in the folder of the file, if that is possible.
  explicit SpareSpace(const std::string& path);
  SpareSpace(SpareSpace&& other) noexcept;
  SpareSpace& operator=(SpareSpace&& other) noexcept;
  SpareSpace(const SpareSpace&) = delete;
  SpareSpace& operator=(const SpareSpace&) = delete;
  ~SpareSpace();

 private:
  int descriptor_ = -1;
};

}  // namespace onecast::events
