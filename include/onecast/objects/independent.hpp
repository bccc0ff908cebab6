#pragma once

#include <memory>

namespace onecast {

namespace files {
class FileState;
}

/// An independent section: as long as this object exists, the rank creates objects without the
/// other ranks. See File::independent.
class Independent {
 public:
  Independent(Independent&& other) noexcept = default;
  Independent& operator=(Independent&&) = delete;
  Independent(const Independent&) = delete;
  Independent& operator=(const Independent&) = delete;
  ~Independent() { end(); }

  /// Ends the section before the object is destroyed. @independent
  void end() noexcept;

 private:
  friend class File;
  explicit Independent(std::shared_ptr<files::FileState> file);

  std::shared_ptr<files::FileState> file_;
};

}  // namespace onecast
