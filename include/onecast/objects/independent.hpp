#pragma once

#include <memory>

namespace onecast {

class FileState;

/// While one of these lives, each rank creates what it likes, without the others; see
/// File::independent.
class Independent {
 public:
  Independent(Independent&& other) noexcept = default;
  Independent& operator=(Independent&&) = delete;
  Independent(const Independent&) = delete;
  Independent& operator=(const Independent&) = delete;
  ~Independent() { end(); }

  /// Ends it before it goes.
  void end() noexcept;

 private:
  friend class File;
  explicit Independent(std::shared_ptr<FileState> file);

  std::shared_ptr<FileState> file_;
};

}  // namespace onecast
