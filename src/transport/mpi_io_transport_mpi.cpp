#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "comm/mpi/mpi_library.hpp"
#include "onecast/base/error.hpp"
#include "transport/call_limits.hpp"
#include "transport/mpi_io.hpp"
#include "transport/path_rules.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

class MpiIoTransport final : public Transport {
 public:
  MpiIoTransport(const Mpi& mpi, std::string path, OpenMode mode);
  ~MpiIoTransport() override {
    if (mpi_.is_running()) mpi_.file_close(file_);
  }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void sync() override { check(mpi_.file_sync(file()), "MPI_File_sync"); }
  std::uint64_t size() override;
  void lock(LockKind kind) override;
  void sync_name() override { sync_folder_of(path_); }
  /// MPI does not tell which file it opened.
  FileIdentity identity() override { return FileIdentity::at(path_).value_or(FileIdentity()); }
  FileStamp stamp() override {
    struct stat status = {};
    return stat(path_.c_str(), &status) == 0 ? FileStamp::of(status) : FileStamp{size()};
  }
  void moved_to(const std::string& path) override {
    path_ = path;
    if (locked_) locked_->moved_to(path);
  }
  std::string resolved_path() override {
    std::error_code failed;
    return std::filesystem::canonical(path_, failed).string();
  }
  void remove() override { remove_name(path_); }

 private:
  /// Throws Error (state) once MPI is finalized, since its calls would end the process.
  [[nodiscard]] MpiFile file() const {
    if (!mpi_.is_running()) throw Error(ErrorCode::state, path_ + ": MPI is finalized");
    return file_;
  }
  void check(int status, const char* call) const {
    if (status != 0)
      throw Error(ErrorCode::io, fmt::format("{}: {}: {}", path_, call, mpi_.error_text(status)),
                  mpi_.errno_of(status));
  }
  void check_transfer(int status, const char* call, std::uint64_t offset, std::size_t size) const {
    if (status != 0)
      throw Error(ErrorCode::io,
                  fmt::format("{}: {} of {} bytes at offset {}: {}", path_, call, size, offset,
                              mpi_.error_text(status)),
                  mpi_.errno_of(status));
  }

  const Mpi& mpi_;
  std::string path_;
  bool writable_;
  MpiFile file_;
  std::unique_ptr<Transport> locked_;  ///< MPI has no locks, so this opens the file again by POSIX
                                       ///< calls
};

MpiIoTransport::MpiIoTransport(const Mpi& mpi, std::string path, OpenMode mode)
    : mpi_(mpi),
      path_(std::move(path)),
      writable_(mode != OpenMode::read_only),
      file_(mpi.constants().file_null) {
  require_path(path_);
  // MPI would wait for the other end of a pipe. Names that only MPI understands ("ufs:...") are not
  // found here, and left to MPI.
  struct stat status = {};
  if (mode != OpenMode::create && stat(path_.c_str(), &status) == 0)
    require_regular(path_, status.st_mode);

  const bool creates = mode != OpenMode::read_only && mode != OpenMode::read_write;
  const int opened =
      mpi_.file_open(path_.c_str(), {.writable = writable_, .creates = creates}, file_);
  const int reason = opened == 0 ? 0 : mpi_.errno_of(opened);
  if (reason == ENOENT || reason == EEXIST) fail_open(path_, reason);
  check(opened, "MPI_File_open");
}

std::size_t MpiIoTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (offset > kLargestOffset) return 0;
  out = out.first(std::min<std::uint64_t>(out.size(), kLargestOffset - offset));
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t piece = std::min(out.size() - done, kLargestCall);
    int got = 0;
    check_transfer(mpi_.file_read_at(file(), static_cast<std::int64_t>(offset + done),
                                     out.subspan(done, piece), got),
                   "MPI_File_read_at", offset, out.size());
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void MpiIoTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!writable_) fail_transfer(path_, "write", offset, bytes.size(), EBADF);
  if (offset > kLargestOffset || bytes.size() > kLargestOffset - offset)
    fail_transfer(path_, "write", offset, bytes.size(), EFBIG);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t piece = std::min(bytes.size() - done, kLargestCall);
    int put = 0;
    check_transfer(mpi_.file_write_at(file(), static_cast<std::int64_t>(offset + done),
                                      bytes.subspan(done, piece), put),
                   "MPI_File_write_at", offset, bytes.size());
    // MPI may report a full disk as a short write.
    if (put <= 0) fail_transfer(path_, "write", offset, bytes.size(), ENOSPC);
    done += static_cast<std::size_t>(put);
  }
}

std::uint64_t MpiIoTransport::size() {
  std::int64_t bytes = 0;
  check(mpi_.file_get_size(file(), bytes), "MPI_File_get_size");
  return static_cast<std::uint64_t>(bytes);
}

void MpiIoTransport::lock(LockKind kind) {
  locked_ = posix_factory()(path_, writable_ ? OpenMode::read_write : OpenMode::read_only);
  locked_->lock(kind);
}

TransportFactory factory_by(const Mpi& mpi) {
  return replacing_factory(
      [&mpi](const std::string& path, OpenMode mode) -> std::unique_ptr<Transport> {
        // MPI has no unnamed files.
        if (mode == OpenMode::temporary) return posix_factory()(path, mode);
        return std::make_unique<MpiIoTransport>(mpi, path, mode);
      });
}

}  // namespace

TransportFactory mpi_io_factory() { return factory_by(running_mpi_of(nullptr, "option mpi_io")); }

TransportFactory mpi_io_factory(const CommunicatorBackend& ranks) {
  const Mpi* mpi = mpi_of_ranks(ranks);
  return mpi != nullptr ? factory_by(*mpi) : mpi_io_factory();
}

}  // namespace onecast::transport
