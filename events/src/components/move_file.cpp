#include "components/move_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "model/files_beside.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

constexpr std::uint64_t kBlock = std::uint64_t{1} << 20U;
/// The thread stays this many blocks behind the end, since the last blocks may still change.
constexpr std::uint64_t kBehind = 32;
constexpr std::chrono::milliseconds kPause{50};

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

bool on_one_file_system(const std::string& first, const std::string& second) {
  struct stat a{};
  struct stat b{};
  return stat(first.c_str(), &a) == 0 && stat(second.c_str(), &b) == 0 && a.st_dev == b.st_dev;
}

std::uint64_t hash_of(const char* bytes, std::size_t size) {
  return std::hash<std::string_view>()({bytes, size});
}

}  // namespace

FileMover::FileMover(std::string from, std::string place)
    : from_(std::move(from)), place_(std::move(place)), part_(part_beside(place_)) {
  if (on_one_file_system(folder_of(from_), folder_of(place_))) return;
  if (!open_part())
    throw Error(ErrorCode::io, fmt::format("{}: {}", part_, std::strerror(errno)), errno);
  thread_ = std::thread([this] { copy_ahead(); });
}

bool FileMover::open_part() {
  out_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (out_ < 0) return false;
  block_.resize(kBlock);
  return true;
}

FileMover::~FileMover() {
  stop_thread();
  if (in_ >= 0) ::close(in_);
  if (out_ >= 0) ::close(out_);
  if (block_.size() == kBlock && !is_moved_) ::unlink(part_.c_str());
}

void FileMover::stop_thread() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void FileMover::fail(const std::string& what, int number) const {
  throw Error(ErrorCode::io,
              fmt::format("{}: {}: {}; the file is whole at {}", place_, what,
                          std::strerror(number), from_),
              number);
}

void FileMover::copy_ahead() {
  try {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kPause, [this] { return is_over_; })) {
      lock.unlock();
      if (in_ < 0) in_ = ::open(from_.c_str(), O_RDONLY | O_CLOEXEC);
      struct stat status{};
      if (in_ >= 0 && fstat(in_, &status) == 0) {
        const auto blocks = static_cast<std::uint64_t>(status.st_size) / kBlock;
        if (blocks > kBehind) copy_blocks(blocks - kBehind);
      }
      lock.lock();
    }
  } catch (...) {
    failure_ = std::current_exception();  // complete() reports it
  }
}

/// Copies the blocks that are not copied yet, up to `end`, until the job is over.
void FileMover::copy_blocks(std::uint64_t end) {
  while (copied_.size() < end) {
    {
      const std::lock_guard lock(mutex_);
      if (is_over_) return;
    }
    copy_block(copied_.size());
  }
}

/// Copies a block unless it has not changed since it was copied.
void FileMover::copy_block(std::uint64_t block) {
  const auto at = static_cast<off_t>(block * kBlock);
  std::size_t size = 0;
  while (size < kBlock) {
    const ssize_t n =
        pread(in_, block_.data() + size, kBlock - size, at + static_cast<off_t>(size));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("reading what was staged", errno);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  const std::uint64_t hash = hash_of(block_.data(), size);
  if (block < copied_.size() && copied_[block] == hash) return;
  for (std::size_t done = 0; done < size;) {
    const ssize_t n =
        pwrite(out_, block_.data() + done, size - done, at + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write", errno);
    done += static_cast<std::size_t>(n);
  }
  if (block == copied_.size()) copied_.push_back(hash);
}

void FileMover::complete() {
  stop_thread();
  if (failure_) std::rethrow_exception(failure_);
  if (out_ < 0) {
    if (std::rename(from_.c_str(), place_.c_str()) == 0) return;
    // The folders may be mounts of one device.
    if (errno != EXDEV) fail("rename", errno);
    if (!open_part()) fail("open", errno);
  }
  if (in_ < 0) in_ = ::open(from_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (in_ < 0 || fstat(in_, &status) != 0) fail("reading what was staged", errno);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  for (std::uint64_t block = 0; block * kBlock < size; ++block) copy_block(block);
  if (ftruncate(out_, status.st_size) != 0) fail("size", errno);
  const bool is_closed = ::close(std::exchange(out_, -1)) == 0;
  is_moved_ = is_closed && std::rename(part_.c_str(), place_.c_str()) == 0;
  if (!is_moved_) fail(is_closed ? "rename" : "close", errno);
  ::unlink(from_.c_str());
}

}  // namespace onecast::events
