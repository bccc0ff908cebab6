#pragma once

#include <string>

namespace onecast::events {

/// Disk space that is kept free beside a file, while there is enough, so that a disk that becomes
/// full does not keep the file from being completed. No name refers to it: it ends with the
/// process.
class SpareSpace {
 public:
  /// None.
  SpareSpace() = default;
  /// In the folder of the file. Where that is not possible, none.
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
