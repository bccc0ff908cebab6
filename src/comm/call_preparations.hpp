#pragma once

#include <functional>
#include <map>
#include <mutex>

namespace onecast {

class CommunicatorBackend;

/// What a collective call may do to the state of a file before its header meets those of the
/// others. If calls differ, all ranks do it to all files that are open on them: so they stay alike,
/// and can go on.
class CallPreparations {
 public:
  static CallPreparations& of_this_process();

  /// `prepare` does nothing more if it was done already.
  void add(const void* file, const CommunicatorBackend& ranks, std::function<void()> prepare);
  void remove(const void* file) noexcept;
  /// Of the files that are open on these ranks.
  void make_all(const CommunicatorBackend& ranks);

 private:
  struct Preparation {
    const CommunicatorBackend* ranks;
    std::function<void()> prepare;
  };
  std::mutex mutex_;
  std::map<const void*, Preparation> of_files_;
};

}  // namespace onecast
