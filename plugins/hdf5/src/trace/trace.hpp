#pragma once

#include <map>
#include <mutex>
#include <onecast/transport/io_stats.hpp>
#include <string>

namespace onecast_hdf5 {

/// True if the environment variable ONECAST_TRACE is 1: then calls are counted, and lines are
/// written to stderr.
extern const bool kIsTraced;

/// The calls of one opened file: how many Onecast served, and how many went to the shadow, and why.
class FileTrace {
 public:
  /// @param call as "dataset read"
  void served(const char* call) {
    if (kIsTraced) count_served(call);
  }
  void shadow(const char* call, const char* reason);
  /// Prints the counts of a file that is being closed.
  void print(const std::string& name, const onecast::IoStats& stats) const;

 private:
  void count_served(const char* call);

  struct Counts {
    unsigned long long served = 0;
    std::map<std::string, unsigned long long> shadow{};  ///< by reason
  };
  std::mutex mutex_;
  std::map<std::string, Counts> calls_;
};

/// Says that a file is given to the native library as a whole.
void trace_native_file(const char* name, const char* reason);

}  // namespace onecast_hdf5
