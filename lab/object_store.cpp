#include "object_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "failure.hpp"

namespace onecast::lab {

ObjectFile::ObjectFile(ObjectFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

ObjectFile& ObjectFile::operator=(ObjectFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

ObjectFile::~ObjectFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

void ObjectFile::create(const std::string& path) {
  path_ = path;
  descriptor_ = path.empty() ? ::memfd_create("onecast_lab", MFD_CLOEXEC)
                             : ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor_ < 0) fail(errno);
}

void ObjectFile::write(std::span<const std::uint8_t> bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
}

void ObjectFile::read(std::span<std::uint8_t> bytes, std::uint64_t at) const {
  while (exists() && !bytes.empty()) {
    const ssize_t done = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0) fail(errno);
    if (done == 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
}

void ObjectFile::truncate(std::uint64_t size) {
  if (exists() && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(errno);
}

void ObjectFile::punch(Range hole) {
  if (exists() &&
      ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(hole.start), static_cast<off_t>(hole.size())) != 0) {
    fail(errno);
  }
}

ObjectStore::ObjectStore(std::string directory, std::uint32_t osts)
    : directory_(std::move(directory)) {
  if (directory_.empty()) return;
  for (std::uint32_t ost = 0; ost < osts; ++ost) {
    std::filesystem::create_directories(fmt::format("{}/ost{}", directory_, ost));
  }
}

std::string ObjectStore::path_of(std::uint32_t ost, std::uint64_t inode,
                                 std::uint32_t object) const {
  return directory_.empty() ? "" : fmt::format("{}/ost{}/{}.{}", directory_, ost, inode, object);
}

void ObjectStore::write(std::vector<ObjectFile>& objects, const Layout& layout, std::uint64_t inode,
                        std::span<const std::uint8_t> bytes, std::uint64_t offset) const {
  for (const Piece& piece : layout.split({offset, offset + bytes.size()})) {
    ObjectFile& object = objects[piece.object];
    if (!object.exists()) object.create(path_of(layout.ost_of(piece.object), inode, piece.object));
    object.write(bytes.subspan(piece.offset - offset, piece.range.size()), piece.range.start);
  }
}

void ObjectStore::read(const std::vector<ObjectFile>& objects, const Layout& layout,
                       std::span<std::uint8_t> bytes, std::uint64_t offset) {
  for (const Piece& piece : layout.split({offset, offset + bytes.size()})) {
    objects[piece.object].read(bytes.subspan(piece.offset - offset, piece.range.size()),
                               piece.range.start);
  }
}

void ObjectStore::truncate(std::vector<ObjectFile>& objects, const Layout& layout,
                           std::uint64_t size) {
  for (std::uint32_t object = 0; object < layout.count(); ++object) {
    objects[object].truncate(layout.object_size(size, object));
  }
}

void ObjectStore::punch(std::vector<ObjectFile>& objects, const Layout& layout, Range hole) {
  for (const Piece& piece : layout.split(hole)) objects[piece.object].punch(piece.range);
}

}  // namespace onecast::lab
