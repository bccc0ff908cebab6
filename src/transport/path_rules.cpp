#include "transport/path_rules.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

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

FileRights unlink_for_replace(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return {};
    fail_open(path, errno);
  }
  if (S_ISLNK(status.st_mode)) {
    remove_name(path);
    return {};
  }
  require_regular(path, status.st_mode);
  // The system looks only at the folder.
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail_open(path, errno);
  remove_name(path);
  return {status.st_mode & kPermissions, {{status.st_uid, status.st_gid}}};
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
  // Some file systems have no such call for folders, and no need of it.
  if (failed != 0 && failed != EINVAL) fail_call(path, "fsync of the folder", failed);
}

void require_writable_folder_of(const std::string& path, std::string_view remedy) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0)
    return;
  const int reason = errno;
  if (reason != EACCES && reason != EPERM && reason != EROFS) return;
  throw Error(ErrorCode::io,
              fmt::format("{}: cannot be made: {}; {}", path,
                          std::generic_category().message(reason), remedy),
              reason);
}

void remove_name(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail_call(path, "unlink", errno);
}

std::string behind_links(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as the system follows
  fs::path at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code not_a_link;
    const fs::path target = fs::read_symlink(at, not_a_link);
    if (not_a_link) return at.string();
    at = at.parent_path() / target;  // just the target if that is absolute
  }
  fail_open(path, ELOOP);
}

FileRights prepare_open(const std::string& path, OpenMode mode) {
  if (path.find('\0') != std::string::npos) fail_open(path, EINVAL);
  return mode == OpenMode::replace ? unlink_for_replace(path) : FileRights{};
}

void keep_rights(const std::string& path, const FileRights& rights) {
  if (!rights.owner) return;
  const auto [user, group] = *rights.owner;
  constexpr auto kSameUser = static_cast<uid_t>(-1);
  // Only root gives files away, and not every group is ours. Who may not has a file of its own.
  if (lchown(path.c_str(), user, group) != 0)
    static_cast<void>(lchown(path.c_str(), kSameUser, group) == 0);
  static_cast<void>(chmod(path.c_str(), rights.mode) == 0);
}

void copy_rights(const std::string& from, const std::string& to) {
  if (struct stat status{}; stat(from.c_str(), &status) == 0)
    keep_rights(to, {status.st_mode & kPermissions, {{status.st_uid, status.st_gid}}});
}

}  // namespace onecast::transport
