#pragma once

#include <exception>
#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::tree {

/// One opening of a file, as handles have it. All openings of a file in a process share its state;
/// each has its own path, access and end.
class FileOpening : public std::enable_shared_from_this<FileOpening> {
 public:
  /// Keeps the file open until it is closed.
  static std::shared_ptr<FileOpening> of(std::shared_ptr<FileState> file, std::string path,
                                         Access access);
  /// For what a link in another file led to: open as long as something else keeps the file open.
  static std::shared_ptr<FileOpening> through_link(std::shared_ptr<FileState> file, Access access);
  FileOpening(const FileOpening&) = delete;
  FileOpening& operator=(const FileOpening&) = delete;
  ~FileOpening();

  [[nodiscard]] bool is_open() const;
  /// Flushes, if it is one for writing. The last one closes the file, the last one for writing
  /// leaves it open for reading only. @collective for openings for writing, else @independent
  void close();

  /// Why nothing can be written by way of it, though the file is open for writing; else null.
  [[nodiscard]] std::exception_ptr refuses_to_write() const;

  /// Throws Error (state) if it was closed, although the file is still open through another one.
  void require_usable() const {
    if (!open_) require_file_closed();
  }

  /// Of an object that was reached from here, perhaps in another file.
  Settled<Node> handle(Node& node);
  Settled<FileState> handle() { return {{shared_from_this(), file.get()}, this}; }

  const std::shared_ptr<FileState> file;
  const std::string path;
  const Access access;

 private:
  FileOpening(std::shared_ptr<FileState> of, std::string given, Access wanted, bool counts);

  void require_file_closed() const;

  bool counts_;
  bool open_ = true;
};

/// Of an object that was reached from another.
Settled<Node> handle_from(const Settled<Node>& from, Node& node);

/// What the opening says against writing; null if it does not.
template <class T>
std::exception_ptr write_refusal(const Settled<T>& handle) {
  return handle.opening() != nullptr ? handle.opening()->refuses_to_write() : nullptr;
}
template <class T>
void require_writable(const Settled<T>& handle) {
  if (const auto refused = write_refusal(handle)) std::rethrow_exception(refused);
}
/// The first thing in a structural call that adds something: nothing was looked at before.
void begin_adding(const Settled<Node>& handle);

}  // namespace onecast::tree
