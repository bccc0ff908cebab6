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

namespace onecast::tree {

class FileState;

/// The files that this process has open. Any number of threads may ask at once.
class OpenFiles {
 public:
  static OpenFiles& of_this_process();

  void add(const std::shared_ptr<FileState>& file);
  void remove(const FileState& file);
  std::vector<std::shared_ptr<FileState>> all();
  /// Those that are the file at `place`, as the rank of `comm` has them open; asks the system only
  /// if any are.
  std::vector<std::shared_ptr<FileState>> at(const std::string& place,
                                             const CommunicatorBackend& comm);
  /// The one of that number that these ranks opened; null if it is closed here.
  std::shared_ptr<FileState> numbered(std::uint64_t number, const CommunicatorBackend& ranks);
  /// For the next one that rank 0 opens; no other has it.
  std::uint64_t next_number() { return ++last_number_; }

 private:
  /// Is found without a hold on the file, which would keep it open when its last user lets go.
  struct Known {
    std::weak_ptr<FileState> file;
    const FileState* of;
    FileIdentity identity;
    std::string place;
    std::uint64_t number;
  };

  template <class Wanted>
  std::vector<std::shared_ptr<FileState>> those(Wanted&& wanted);
  bool is_empty();

  GlobalMutex mutex_;
  std::vector<Known> files_;
  std::atomic<std::uint64_t> last_number_{0};
};

}  // namespace onecast::tree
