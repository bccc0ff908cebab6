#include "support/memory_transport.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "transport/system_error.hpp"

namespace onecast::test {

std::unique_ptr<Transport> MemoryDisk::open(const std::string& path, OpenMode mode) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(path);
  const bool exists = found != files_.end();
  if (mode == OpenMode::read_only || mode == OpenMode::read_write) {
    if (!exists) fail_open(path, ENOENT);
    return std::make_unique<MemoryTransport>(path, shared_from_this(), found->second,
                                             mode == OpenMode::read_write);
  }
  if (mode == OpenMode::temporary)
    return std::make_unique<MemoryTransport>(path, shared_from_this(),
                                             std::make_shared<MemoryFile>(), true);
  if (mode == OpenMode::create && exists) fail_open(path, EEXIST);
  auto file = std::make_shared<MemoryFile>();
  if (mode == OpenMode::create) files_.emplace(path, file);
  return std::make_unique<MemoryTransport>(path, shared_from_this(), std::move(file), true);
}

void MemoryDisk::replace(const std::string& path, std::shared_ptr<MemoryFile> file) {
  const std::lock_guard lock(mutex_);
  files_.insert_or_assign(path, std::move(file));
}

std::shared_ptr<MemoryFile> MemoryDisk::find(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : found->second;
}

std::vector<std::string> MemoryDisk::names() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> found;
  found.reserve(files_.size());
  for (const auto& [name, _] : files_) found.push_back(name);
  return found;
}

void MemoryDisk::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_.erase(path);
}

MemoryTransport::MemoryTransport(std::string name, std::shared_ptr<MemoryDisk> disk,
                                 std::shared_ptr<MemoryFile> file, bool writable)
    : name_(std::move(name)), disk_(std::move(disk)), file_(std::move(file)), writable_(writable) {}

std::size_t MemoryTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  const std::lock_guard lock(file_->mutex);
  if (offset >= file_->bytes.size()) return 0;
  const auto rest = std::span(file_->bytes).subspan(static_cast<std::size_t>(offset));
  const std::size_t count = std::min(out.size(), rest.size());
  std::copy_n(rest.begin(), count, out.begin());
  return count;
}

void MemoryTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!writable_) fail_transfer(name_, "write", offset, bytes.size(), EBADF);
  if (bytes.empty()) return;
  const std::lock_guard lock(file_->mutex);
  const std::uint64_t limit = file_->bytes.max_size();
  if (offset > limit || bytes.size() > limit - offset)
    fail_transfer(name_, "write", offset, bytes.size(), EFBIG);
  const auto end = static_cast<std::size_t>(offset + bytes.size());
  if (end > file_->bytes.size()) file_->bytes.resize(end);
  std::copy(bytes.begin(), bytes.end(), file_->bytes.begin() + static_cast<std::ptrdiff_t>(offset));
}

void MemoryTransport::give_back(std::uint64_t offset, std::uint64_t size) {
  const std::lock_guard lock(file_->mutex);
  if (!writable_ || offset >= file_->bytes.size()) return;
  const auto given = std::span(file_->bytes).subspan(static_cast<std::size_t>(offset));
  std::ranges::fill(given.first(std::min<std::uint64_t>(given.size(), size)), std::byte{0});
}

std::uint64_t MemoryTransport::size() {
  const std::lock_guard lock(file_->mutex);
  return file_->bytes.size();
}

TransportFactory memory_factory(std::shared_ptr<MemoryDisk> disk) {
  return [disk = std::move(disk)](const std::string& path, OpenMode mode) {
    return disk->open(path, mode);
  };
}

}  // namespace onecast::test
