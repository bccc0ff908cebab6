#include "transport/user_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/caught.hpp"
#include "base/make_error.hpp"
#include "base/of_process.hpp"
#include "transport/call_limits.hpp"
#include "transport/factory.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

/// The objects that are open in this process, and the transports that use them.
class UsedObjects {
 public:
  /// Replaces the earlier entry of `transport`. Returns false if another file prevents it.
  bool take(const UserTransport& transport, const UserFile& file, bool writes) {
    const std::scoped_lock lock(mutex_);
    const bool in_the_way = std::ranges::any_of(uses_, [&](const Use& use) {
      return use.bytes == file.bytes.get() && use.file != &file && (writes || use.writes);
    });
    if (in_the_way) return false;
    forget_locked(transport);
    uses_.push_back({&transport, &file, file.bytes.get(), writes});
    return true;
  }
  void forget(const UserTransport& transport) {
    const std::scoped_lock lock(mutex_);
    forget_locked(transport);
  }

 private:
  struct Use {
    const UserTransport* transport;
    const UserFile* file;
    const RandomAccessFile* bytes;
    bool writes;
  };
  void forget_locked(const UserTransport& transport) {
    std::erase_if(uses_, [&](const Use& use) { return use.transport == &transport; });
  }

  GlobalMutex mutex_;
  std::vector<Use> uses_;
};

}  // namespace

UserTransport::UserTransport(std::shared_ptr<UserFile> file,
                             std::shared_ptr<RandomAccessFile> bytes, std::string path,
                             OpenMode mode)
    : file_(std::move(file)),
      bytes_(std::move(bytes)),
      path_(std::move(path)),
      writable_(mode != OpenMode::read_only) {
  const bool is_journal = bytes_ != file_->bytes;
  if (mode == OpenMode::create && size() != 0) fail_open(path_, EEXIST);
  const bool creates = mode == OpenMode::create || mode == OpenMode::replace;
  if (!creates && is_journal && size() == 0) fail_open(path_, ENOENT);
}

UserTransport::~UserTransport() { of_process<UsedObjects>().forget(*this); }

/// Turns exceptions of the object into "path: function: reason".
template <class F>
auto UserTransport::call(const char* function, F&& work) {
  const std::scoped_lock lock(file_->mutex);
  try {
    return std::forward<F>(work)();
  } catch (...) {
    const Caught caught = Caught::now();
    throw Error(ErrorCode::io, fmt::format("{}: {}: {}", path_, function, caught.text),
                caught.system_errno);
  }
}

std::size_t UserTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (offset > kLargestOffset) return 0;
  out = out.first(std::min<std::uint64_t>(out.size(), kLargestOffset - offset));
  std::size_t done = 0;
  while (done < out.size()) {
    const auto rest = out.subspan(done);
    const std::string what =
        fmt::format("read of {} bytes at offset {}", rest.size(), offset + done);
    const std::size_t got =
        call(what.c_str(), [&] { return bytes_->read_at(offset + done, rest); });
    if (got > rest.size())
      throw Error(ErrorCode::io, fmt::format("{}: {}: it returned {}", path_, what, got));
    if (got == 0) break;
    done += got;
  }
  return done;
}

void UserTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!writable_) fail_transfer(path_, "write", offset, bytes.size(), EBADF);
  if (offset > kLargestOffset || bytes.size() > kLargestOffset - offset)
    fail_transfer(path_, "write", offset, bytes.size(), EFBIG);
  if (bytes.empty()) return;
  const std::string what = fmt::format("write of {} bytes at offset {}", bytes.size(), offset);
  call(what.c_str(), [&] { bytes_->write_at(offset, bytes); });
}

void UserTransport::sync() {
  call("sync", [&] { bytes_->sync(); });
}

std::uint64_t UserTransport::size() {
  return call("size", [&] { return bytes_->size(); });
}

void UserTransport::truncate() {
  call("truncate", [&] { bytes_->truncate(0); });
}

void UserTransport::lock(LockKind kind) {
  if (!of_process<UsedObjects>().take(*this, *file_, kind == LockKind::exclusive))
    throw Error(ErrorCode::io,
                fmt::format("{}: lock: this process has the object open already{}", path_,
                            kind == LockKind::shared ? ", for writing" : ""),
                EAGAIN);
}

TransportFactory user_factory(std::shared_ptr<UserFile> file) {
  return [file = std::move(file)](const std::string& path,
                                  OpenMode mode) -> std::unique_ptr<Transport> {
    if (mode == OpenMode::temporary) {
      std::error_code failed;
      const auto folder = std::filesystem::temp_directory_path(failed);
      return posix_factory()((folder / "onecast-waiting").string(), mode);
    }
    const auto& bytes = path == file->name ? file->bytes : file->journal;
    if (!bytes) fail_open(path, ENOENT);
    return std::make_unique<UserTransport>(file, bytes, path, mode);
  };
}

}  // namespace onecast::transport
