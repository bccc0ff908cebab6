#include "transport/posix_transport.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "transport/call_limits.hpp"
#include "transport/retry_interrupted.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

int open_flags(OpenMode mode) {
  // Without O_NONBLOCK, opening a pipe would wait for its other end; it has no effect on regular
  // files.
  constexpr int kAlways = O_CLOEXEC | O_NONBLOCK;
  switch (mode) {
    case OpenMode::read_only:
      return kAlways | O_RDONLY;
    case OpenMode::read_write:
      return kAlways | O_RDWR;
    case OpenMode::create:
    case OpenMode::replace:
    case OpenMode::temporary:
      break;
  }
  return kAlways | O_RDWR | O_CREAT | O_EXCL;
}

struct stat status_of(const std::string& path, int descriptor) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) fail_call(path, "fstat", errno);
  return status;
}

}  // namespace

/// True for the errors of file systems without unnamed files, some of which have no specific error.
bool lacks_unnamed_files(int system_errno) {
  return system_errno == EOPNOTSUPP || system_errno == EISDIR || system_errno == EINVAL;
}

void PosixTransport::open_temporary() {
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  constexpr mode_t kOwner = 0600;
  descriptor_ = retry_interrupted([&] {
    return open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC,
                kOwner);
  });
  if (descriptor_ >= 0 || !lacks_unnamed_files(errno)) return;
  std::string name = path_ + "-XXXXXX";
  descriptor_ = retry_interrupted([&] { return mkostemp(name.data(), O_CLOEXEC); });
  if (descriptor_ >= 0) unlink(name.c_str());
}

PosixTransport::PosixTransport(std::string path, OpenMode mode) : path_(std::move(path)) {
  require_path(path_);
  if (mode == OpenMode::temporary)
    open_temporary();
  else
    descriptor_ = retry_interrupted(
        [&] { return open(path_.c_str(), open_flags(mode), FileRights::kOfNew); });
  if (descriptor_ < 0) fail_open(path_, errno);
  try {
    const struct stat status = status_of(path_, descriptor_);
    require_regular(path_, status.st_mode);
    identity_ = FileIdentity::of(status);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

PosixTransport::~PosixTransport() {
  lock_.release(descriptor_);
  close(descriptor_);
}

std::size_t PosixTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (offset > kLargestOffset) return 0;
  out = out.first(std::min<std::uint64_t>(out.size(), kLargestOffset - offset));
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t piece = std::min(out.size() - done, kLargestCall);
    const ssize_t got = retry_interrupted([&] {
      return pread(descriptor_, out.data() + done, piece, static_cast<off_t>(offset + done));
    });
    if (got < 0) fail_transfer(path_, "read", offset, out.size(), errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void PosixTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset > kLargestOffset || bytes.size() > kLargestOffset - offset)
    fail_transfer(path_, "write", offset, bytes.size(), EFBIG);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t piece = std::min(bytes.size() - done, kLargestCall);
    const ssize_t put = retry_interrupted([&] {
      return pwrite(descriptor_, bytes.data() + done, piece, static_cast<off_t>(offset + done));
    });
    if (put < 0) fail_transfer(path_, "write", offset, bytes.size(), errno);
    if (put == 0) fail_transfer(path_, "write", offset, bytes.size(), EIO);
    done += static_cast<std::size_t>(put);
  }
}

void PosixTransport::write_parts_at(std::uint64_t offset,
                                    std::span<const std::span<const std::byte>> parts) {
  constexpr std::size_t kMostParts = 1024;  // IOV_MAX
  std::vector<iovec> list;
  while (!parts.empty()) {
    list.clear();
    std::size_t size = 0;
    std::size_t taken = 0;
    for (; taken < parts.size() && taken < kMostParts; ++taken) {
      const auto part = parts[taken];
      if (taken != 0 && part.size() > kLargestCall - size) break;
      if (!part.empty()) list.push_back({const_cast<std::byte*>(part.data()), part.size()});
      size += part.size();
    }
    if (offset > kLargestOffset || size > kLargestOffset - offset)
      fail_transfer(path_, "write", offset, size, EFBIG);
    std::size_t done = 0;
    if (list.size() > 1) {
      const ssize_t put = retry_interrupted([&] {
        return pwritev(descriptor_, list.data(), static_cast<int>(list.size()),
                       static_cast<off_t>(offset));
      });
      if (put < 0) fail_transfer(path_, "write", offset, size, errno);
      done = static_cast<std::size_t>(put);
    }
    // Writes the rest, part by part, if the call wrote less.
    for (const auto part : parts.first(taken)) {
      const std::size_t skipped = std::min(done, part.size());
      done -= skipped;
      offset += skipped;
      if (skipped == part.size()) continue;
      write_at(offset, part.subspan(skipped));
      offset += part.size() - skipped;
    }
    parts = parts.subspan(taken);
  }
}

void PosixTransport::reserve(std::uint64_t offset, std::uint64_t size) {
  if (size == 0) return;
  if (offset > kLargestOffset || size > kLargestOffset - offset)
    fail_transfer(path_, "fallocate", offset, size, EFBIG);
  const int failed = retry_interrupted([&] {
    return fallocate(descriptor_, 0, static_cast<off_t>(offset), static_cast<off_t>(size));
  });
  if (failed == 0 || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return;
  fail_transfer(path_, "fallocate", offset, size, errno);
}

void PosixTransport::give_back(std::uint64_t offset, std::uint64_t size) {
  if (size == 0 || offset > kLargestOffset || size > kLargestOffset - offset) return;
  // The system gives back whole blocks; the last one reaches beyond the end of the file.
  const struct stat now = status_of(path_, descriptor_);
  const auto block = static_cast<std::uint64_t>(now.st_blksize);
  if (offset + size >= static_cast<std::uint64_t>(now.st_size))
    size = std::min(size + block, kLargestOffset - offset);
  static_cast<void>(retry_interrupted([&] {
    return fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                     static_cast<off_t>(offset), static_cast<off_t>(size));
  }));
}

void PosixTransport::sync() {
  if (retry_interrupted([&] { return fsync(descriptor_); }) != 0) fail_call(path_, "fsync", errno);
}

std::uint64_t PosixTransport::size() {
  return static_cast<std::uint64_t>(status_of(path_, descriptor_).st_size);
}

FileStamp PosixTransport::stamp() { return FileStamp::of(status_of(path_, descriptor_)); }

std::string PosixTransport::resolved_path() {
  std::error_code failed;
  const std::filesystem::path link = "/proc/self/fd/" + std::to_string(descriptor_);
  return std::filesystem::read_symlink(link, failed).string();
}

}  // namespace onecast::transport
