#include "transport/path_rules.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "onecast/base/error.hpp"
#include "transport/retry_interrupted.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

constexpr mode_t kPermissions = 0777;

const char* kind(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISBLK(mode) || S_ISCHR(mode)) return "a device";
  return "not a file";
}

}  // namespace

void require_regular(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  if (S_ISDIR(mode)) fail_open(path, EISDIR);
  throw Error(ErrorCode::io,
              fmt::format("{}: open: {}; a regular file is expected", path, kind(mode)), ESPIPE);
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = retry_interrupted([&] {
    return open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  });
  if (descriptor < 0) fail_call(path, "open of the folder", errno);
  const int failed = retry_interrupted([&] { return fsync(descriptor); }) != 0 ? errno : 0;
  close(descriptor);
  // Some file systems do not support this call for directories, and do not need it.
  if (failed != 0 && failed != EINVAL) fail_call(path, "fsync of the folder", failed);
}

int obstacle_to_file(const std::string& path, std::uint64_t size) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const char* folder = parent.empty() ? "." : parent.c_str();
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0 && errno == ENAMETOOLONG) return errno;
  if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0 &&
      (errno == EACCES || errno == EPERM || errno == EROFS))
    return errno;
  struct statfs system = {};
  // Some file systems do not count their blocks.
  if (statfs(folder, &system) != 0 || system.f_blocks == 0) return 0;
  const std::uint64_t blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail;
  const auto block_size = static_cast<std::uint64_t>(system.f_bsize);
  return blocks < (size + block_size - 1) / block_size ? ENOSPC : 0;
}

void remove_name(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail_call(path, "unlink", errno);
}

std::string behind_links(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // the limit of the system
  fs::path at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code not_a_link;
    const fs::path target = fs::read_symlink(at, not_a_link);
    if (not_a_link) return at.string();
    at = at.parent_path() / target;  // only the target, if it is absolute
  }
  fail_open(path, ELOOP);
}

void require_path(const std::string& path) {
  if (path.find('\0') != std::string::npos) fail_open(path, EINVAL);
}

std::optional<FileRights> rights_of_replaced(const std::string& path) {
  require_path(path);
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail_open(path, errno);
  }
  if (S_ISLNK(status.st_mode)) return FileRights{};
  require_regular(path, status.st_mode);
  // The system checks only the directory.
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail_open(path, errno);
  return FileRights{status.st_mode & kPermissions, {{status.st_uid, status.st_gid}}};
}

void keep_rights(const std::string& path, const FileRights& rights) {
  if (!rights.owner) return;
  const auto [user, group] = *rights.owner;
  constexpr auto kSameUser = static_cast<uid_t>(-1);
  // Only root may change owners, and this process may not be in the group. Then the file keeps its
  // own.
  if (lchown(path.c_str(), user, group) != 0)
    static_cast<void>(lchown(path.c_str(), kSameUser, group) == 0);
  static_cast<void>(chmod(path.c_str(), rights.mode) == 0);
}

void copy_rights(const std::string& from, const std::string& to) {
  if (struct stat status{}; stat(from.c_str(), &status) == 0)
    keep_rights(to, {status.st_mode & kPermissions, {{status.st_uid, status.st_gid}}});
}

}  // namespace onecast::transport
