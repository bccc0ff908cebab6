#include "model/byte_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

int opened(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw Error(errno == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                fmt::format("{}: {}", path, std::strerror(errno)), errno);
  return descriptor;
}

/// Opens a pipe, which needs a reader that may come a little later. A wait in open() would not end
/// with a signal that asks to stop.
int opened_pipe(const std::string& path) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (true) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) {
      fcntl(descriptor, F_SETFL, O_WRONLY);
      return descriptor;
    }
    if (errno != ENXIO || std::chrono::steady_clock::now() > end)
      throw Error(ErrorCode::io,
                  errno == ENXIO ? path + ": is a pipe, and nobody has read from it for 10 s"
                                 : fmt::format("{}: {}", path, std::strerror(errno)),
                  errno);
    std::this_thread::sleep_for(50ms);
  }
}

bool is_regular(int descriptor) {
  struct stat status{};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::string behind_links(const std::string& path) {
  constexpr int kMost = 40;  // the system's own limit
  std::filesystem::path place = path;
  std::error_code problem;
  for (int i = 0; std::filesystem::is_symlink(place, problem); ++i) {
    if (i == kMost) throw Error(ErrorCode::io, path + ": links that lead in a circle", ELOOP);
    place = place.parent_path() / std::filesystem::read_symlink(place, problem);
  }
  return place;
}

ByteFile ByteFile::open(const std::string& path) {
  std::error_code problem;
  if (std::filesystem::is_fifo(path, problem) || std::filesystem::is_socket(path, problem))
    throw Error(ErrorCode::io, path + ": is no regular file");  // opening a pipe would wait
  ByteFile file(path, opened(path, O_RDONLY));
  // Some file systems have no locks.
  if (is_regular(file.descriptor_) && flock(file.descriptor_, LOCK_SH | LOCK_NB) != 0 &&
      errno == EWOULDBLOCK)
    throw Error(ErrorCode::io, path + ": locked: it is open elsewhere, for writing", EAGAIN);
  return file;
}

ByteFile ByteFile::open_for_writing(const std::string& path) {
  // A pipe is not opened for reading as well, since its only reader would not notice that its
  // writers are gone.
  std::error_code ignored;
  const bool is_pipe = std::filesystem::is_fifo(path, ignored);
  ByteFile file(path, is_pipe ? opened_pipe(path) : opened(path, O_WRONLY | O_CREAT));
  if (is_regular(file.descriptor_)) file.lock();
  return file;
}

ByteFile ByteFile::create(const std::string& path) {
  ByteFile file = open_for_writing(path);
  file.truncate();
  return file;
}

ByteFile ByteFile::standard_output() {
  ByteFile file("standard output", fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  if (file.descriptor_ < 0) file.fail("open");
  return file;
}

void ByteFile::truncate() {
  // An empty file is not truncated: ext4 would take the file for the replacement of another, and
  // send all data to the disk when it is closed.
  struct stat status{};
  if (fstat(descriptor_, &status) != 0) fail("size");
  if (S_ISREG(status.st_mode) && status.st_size != 0 && ftruncate(descriptor_, 0) != 0)
    fail("truncate");
}

void ByteFile::require_closed(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    ByteFile(path, opened(path, O_RDONLY)).lock();
}

void ByteFile::lock() const {
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(ErrorCode::io, path_ + ": locked: it is open here or in another program", EAGAIN);
}

ByteFile::ByteFile(ByteFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

ByteFile::~ByteFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ByteFile::fail(const char* what) const {
  throw Error(ErrorCode::io, fmt::format("{}: {}: {}", path_, what, std::strerror(errno)), errno);
}

std::uint64_t ByteFile::size() const {
  struct stat status{};
  if (fstat(descriptor_, &status) != 0) fail("size");
  return static_cast<std::uint64_t>(status.st_size);
}

std::size_t ByteFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n =
        pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void ByteFile::append(std::span<const Bytes> pieces) {
  constexpr std::size_t kMost = 1024;  // IOV_MAX
  std::vector<iovec> vectors;
  std::size_t next = 0;
  Bytes rest;
  while (next < pieces.size() || !rest.empty()) {
    vectors.clear();
    const auto add = [&](Bytes piece) {
      if (!piece.empty()) vectors.push_back({const_cast<std::byte*>(piece.data()), piece.size()});
    };
    add(rest);
    std::size_t last = next;
    while (last < pieces.size() && vectors.size() < kMost) add(pieces[last++]);
    if (vectors.empty()) return;
    const ssize_t n = writev(descriptor_, vectors.data(), static_cast<int>(vectors.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write");
    auto done = static_cast<std::size_t>(n);
    const auto take = [&](Bytes piece) {
      const std::size_t taken = std::min(done, piece.size());
      done -= taken;
      return piece.subspan(taken);
    };
    rest = take(rest);
    while (rest.empty() && next < last) rest = take(pieces[next++]);
  }
}

void ByteFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close");
}

}  // namespace onecast::events
