#include "objects/files/file_opening.hpp"

#include <utility>

#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::files {

FileOpening::FileOpening(std::shared_ptr<FileState> of, std::string given, Access wanted,
                         bool counts)
    : file(std::move(of)), path(std::move(given)), access(wanted), counts_(counts) {}

std::shared_ptr<FileOpening> FileOpening::of(std::shared_ptr<FileState> file, std::string path,
                                             Access access) {
  file->begin_opening(access);
  return std::shared_ptr<FileOpening>(
      new FileOpening(std::move(file), std::move(path), access, true));
}

std::shared_ptr<FileOpening> FileOpening::through_link(std::shared_ptr<FileState> file,
                                                       Access access) {
  std::string path = file->path();
  if (file->access() == Access::read_only) access = Access::read_only;
  return std::shared_ptr<FileOpening>(
      new FileOpening(std::move(file), std::move(path), access, false));
}

FileOpening::~FileOpening() {
  if (counts_ && open_) file->drop_opening(access);
}

bool FileOpening::is_open() const { return open_ && file->is_open(); }

void FileOpening::close() {
  if (!is_open()) return;
  detail::wait_until_idle(*file);
  open_ = false;
  if (counts_)
    file->end_opening(access);
  else if (access == Access::read_write)
    file->flush();
}

std::exception_ptr FileOpening::refuses_to_write() const {
  if (access == Access::read_write || file->access() == Access::read_only) return nullptr;
  return std::make_exception_ptr(state_error("{}: the file is open for reading only", path));
}

void FileOpening::require_file_closed() const {
  if (file->is_open()) throw state_error("{}: the file is closed", path);
}

detail::WaitingPointer<Node> FileOpening::handle(Node& node) {
  if (&file_of(node) == file.get()) return {held(shared_from_this(), node), this};
  return through_link(file_of(node).shared_from_this(), access)->handle(node);
}

detail::WaitingPointer<Node> handle_from(const detail::WaitingPointer<Node>& from, Node& node) {
  // Handles of a file that is read and not followed are not counted: all of them keep the opening
  // and the generation of their objects only, and the prefixes of a dataset, if there are any.
  if (from.opening() != nullptr && node.prefixes() == nullptr &&
      &file_of(node) == &file_of(*from.now()) && !node.home().forgets() &&
      (node.generation() == nullptr || node.generation() == from.now()->generation()))
    return {std::shared_ptr<Node>(from.now(), &node), from.opening()};
  return from.opening() != nullptr ? from.opening()->handle(node) : file_of(node).handle(node);
}

void begin_adding(const detail::WaitingPointer<Node>& handle) {
  require_writable(handle);
  file_of(*handle).make_room();
}

}  // namespace onecast::files
