#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "comm/check_mpi.hpp"
#include "onecast/base/error.hpp"
#include "transport/call_limits.hpp"
#include "transport/factory.hpp"
#include "transport/path_rules.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

/// The errno for the error class of `status`, or 0.
int errno_of(int status) {
  int error_class = MPI_ERR_OTHER;
  MPI_Error_class(status, &error_class);
  switch (error_class) {
    case MPI_ERR_NO_SUCH_FILE:
      return ENOENT;
    case MPI_ERR_FILE_EXISTS:
      return EEXIST;
    case MPI_ERR_ACCESS:
      return EACCES;
    case MPI_ERR_READ_ONLY:
      return EROFS;
    case MPI_ERR_NO_SPACE:
      return ENOSPC;
    case MPI_ERR_QUOTA:
      return EDQUOT;
    default:
      return 0;
  }
}

class MpiIoTransport final : public Transport {
 public:
  MpiIoTransport(std::string path, OpenMode mode);
  ~MpiIoTransport() override {
    if (mpi_is_running()) MPI_File_close(&file_);
  }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void sync() override { check(MPI_File_sync(file()), "MPI_File_sync"); }
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
  [[nodiscard]] MPI_File file() const {
    if (!mpi_is_running()) throw Error(ErrorCode::state, path_ + ": MPI is finalized");
    return file_;
  }
  void check(int status, const char* call) const {
    if (status != MPI_SUCCESS)
      throw Error(ErrorCode::io, fmt::format("{}: {}: {}", path_, call, mpi_error_text(status)),
                  errno_of(status));
  }
  void check_transfer(int status, const char* call, std::uint64_t offset, std::size_t size) const {
    if (status != MPI_SUCCESS)
      throw Error(ErrorCode::io,
                  fmt::format("{}: {} of {} bytes at offset {}: {}", path_, call, size, offset,
                              mpi_error_text(status)),
                  errno_of(status));
  }

  std::string path_;
  bool writable_;
  MPI_File file_ = MPI_FILE_NULL;
  std::unique_ptr<Transport> locked_;  ///< MPI has no locks, so this opens the file again by POSIX
                                       ///< calls
};

int access_mode(OpenMode mode) {
  switch (mode) {
    case OpenMode::read_only:
      return MPI_MODE_RDONLY;
    case OpenMode::read_write:
      return MPI_MODE_RDWR;
    case OpenMode::create:
    case OpenMode::replace:
    case OpenMode::temporary:
      break;
  }
  return MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL;
}

MpiIoTransport::MpiIoTransport(std::string path, OpenMode mode)
    : path_(std::move(path)), writable_(mode != OpenMode::read_only) {
  require_path(path_);
  // MPI would wait for the other end of a pipe. Names that only MPI understands ("ufs:...") are not
  // found here, and left to MPI.
  struct stat status = {};
  if (mode != OpenMode::create && stat(path_.c_str(), &status) == 0)
    require_regular(path_, status.st_mode);

  const int opened =
      MPI_File_open(MPI_COMM_SELF, path_.c_str(), access_mode(mode), MPI_INFO_NULL, &file_);
  const int reason = opened == MPI_SUCCESS ? 0 : errno_of(opened);
  if (reason == ENOENT || reason == EEXIST) fail_open(path_, reason);
  check(opened, "MPI_File_open");
}

std::size_t MpiIoTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (offset > kLargestOffset) return 0;
  out = out.first(std::min<std::uint64_t>(out.size(), kLargestOffset - offset));
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t piece = std::min(out.size() - done, kLargestCall);
    MPI_Status status;
    check_transfer(MPI_File_read_at(file(), static_cast<MPI_Offset>(offset + done),
                                    out.data() + done, static_cast<int>(piece), MPI_BYTE, &status),
                   "MPI_File_read_at", offset, out.size());
    int got = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &got), "MPI_Get_count");
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
    MPI_Status status;
    check_transfer(
        MPI_File_write_at(file(), static_cast<MPI_Offset>(offset + done), bytes.data() + done,
                          static_cast<int>(piece), MPI_BYTE, &status),
        "MPI_File_write_at", offset, bytes.size());
    int put = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &put), "MPI_Get_count");
    // MPI may report a full disk as a short write.
    if (put <= 0) fail_transfer(path_, "write", offset, bytes.size(), ENOSPC);
    done += static_cast<std::size_t>(put);
  }
}

std::uint64_t MpiIoTransport::size() {
  MPI_Offset bytes = 0;
  check(MPI_File_get_size(file(), &bytes), "MPI_File_get_size");
  return static_cast<std::uint64_t>(bytes);
}

void MpiIoTransport::lock(LockKind kind) {
  locked_ = posix_factory()(path_, writable_ ? OpenMode::read_write : OpenMode::read_only);
  locked_->lock(kind);
}

}  // namespace

TransportFactory mpi_io_factory() {
  return replacing_factory(
      [](const std::string& path, OpenMode mode) -> std::unique_ptr<Transport> {
        // MPI has no unnamed files.
        if (mode == OpenMode::temporary) return posix_factory()(path, mode);
        return std::make_unique<MpiIoTransport>(path, mode);
      });
}

}  // namespace onecast::transport
