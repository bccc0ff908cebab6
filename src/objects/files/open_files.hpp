#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "transport/file_identity.hpp"

namespace onecast::comm {
class CommunicatorBackend;
}  // namespace onecast::comm

namespace onecast::files {

class FileState;

/// The files that this process has open. Any number of threads may call this at once.
class OpenFiles {
 public:
  static OpenFiles& of_this_process();

  void add(const std::shared_ptr<FileState>& file);
  void remove(const FileState& file);
  std::vector<std::shared_ptr<FileState>> all();
  /// Returns the open files that are the file at `path`, for a rank of `comm`. It asks the
  /// system only if any file is open.
  std::vector<std::shared_ptr<FileState>> at(const std::string& path,
                                             const CommunicatorBackend& comm);
  /// Returns the file of that number that these ranks opened; null if it is closed here.
  std::shared_ptr<FileState> numbered(std::uint64_t number, const CommunicatorBackend& ranks);
  /// Returns a unique number for the next file that rank 0 opens.
  std::uint64_t next_number() { return ++last_number_; }

 private:
  /// A file that can be found but is not kept open by this entry.
  struct Known {
    std::weak_ptr<FileState> file;
    const FileState* of;
    FileIdentity identity;
    std::string path;
    std::uint64_t number;
  };

  template <class Wanted>
  std::vector<std::shared_ptr<FileState>> those(Wanted&& wanted);
  bool is_empty();

  GlobalMutex mutex_;
  std::vector<Known> files_;
  std::atomic<std::uint64_t> last_number_{0};
};

}  // namespace onecast::files
