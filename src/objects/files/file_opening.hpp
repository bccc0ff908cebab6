#pragma once

#include <exception>
#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::files {

/// One opening of a file, to which handles refer. All openings of a file in a process share its
/// state; each has its own path, access and end.
class FileOpening : public std::enable_shared_from_this<FileOpening> {
 public:
  /// Creates an opening that keeps the file open until the opening is closed.
  static std::shared_ptr<FileOpening> of(std::shared_ptr<FileState> file, std::string path,
                                         Access access);
  /// Creates an opening of a file to which a link of another file led. It is open as long as
  /// something else keeps the file open.
  static std::shared_ptr<FileOpening> through_link(std::shared_ptr<FileState> file, Access access);
  FileOpening(const FileOpening&) = delete;
  FileOpening& operator=(const FileOpening&) = delete;
  ~FileOpening();

  [[nodiscard]] bool is_open() const;
  /// Flushes if this is an opening for writing. The last opening closes the file; the last opening
  /// for writing leaves the file open for reading only. @collective for openings for writing, else
  /// @independent
  void close();

  /// Returns the reason why this opening cannot write although the file is open for writing; null
  /// if there is none.
  [[nodiscard]] std::exception_ptr refuses_to_write() const;

  /// Throws Error (state) if this opening was closed, even if the file is open through another one.
  void require_usable() const {
    if (!open_) require_file_closed();
  }

  /// Returns a handle to an object that was reached through this opening, perhaps in another file.
  detail::WaitingPointer<Node> handle(Node& node);
  detail::WaitingPointer<FileState> handle() { return {{shared_from_this(), file.get()}, this}; }

  const std::shared_ptr<FileState> file;
  const std::string path;
  const Access access;

 private:
  FileOpening(std::shared_ptr<FileState> of, std::string given, Access wanted, bool counts);

  void require_file_closed() const;

  bool counts_;
  bool open_ = true;
};

/// Returns a handle to an object that was reached from another object.
detail::WaitingPointer<Node> handle_from(const detail::WaitingPointer<Node>& from, Node& node);

/// Returns the opening's reason against writing; null if there is none.
template <class T>
std::exception_ptr write_refusal(const detail::WaitingPointer<T>& handle) {
  return handle.opening() != nullptr ? handle.opening()->refuses_to_write() : nullptr;
}
template <class T>
void require_writable(const detail::WaitingPointer<T>& handle) {
  if (handle.opening() == nullptr || handle.opening()->access == Access::read_write) return;
  if (const auto refused = write_refusal(handle)) std::rethrow_exception(refused);
}
/// Begins a structural call that adds something. Must come before anything is examined, as it may
/// flush.
void begin_adding(const detail::WaitingPointer<Node>& handle);

}  // namespace onecast::files
