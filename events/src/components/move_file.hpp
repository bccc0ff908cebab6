#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace onecast::events {

/// Moves a file that is still being written. If its place is on another file system, a thread
/// copies it meanwhile to a file beside its place, and complete() copies what has changed since. A
/// file at the place stays until then.
class FileMover {
 public:
  /// @param from where the file is, or will be  @param place where it goes
  FileMover(std::string from, std::string place);
  FileMover(const FileMover&) = delete;
  FileMover& operator=(const FileMover&) = delete;
  ~FileMover();

  /// Moves the file, which nobody writes any more. Throws Error (io) if it fails; the file then
  /// stays where it was, and the error says so.
  void complete();

 private:
  /// Returns false, with errno set, if the part cannot be created.
  bool open_part();
  void copy_ahead();
  void copy_blocks(std::uint64_t end);
  void copy_block(std::uint64_t block);
  void stop_thread();
  [[noreturn]] void fail(const std::string& what, int number) const;

  std::string from_, place_, part_;
  int in_ = -1, out_ = -1;
  std::vector<std::uint64_t> copied_;  ///< the hash of each block when it was copied
  std::vector<char> block_;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;
  bool is_moved_ = false;
  std::thread thread_;
};

}  // namespace onecast::events
