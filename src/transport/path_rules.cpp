#include "transport/path_rules.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "onecast/base/error.hpp"
#include "transport/system_error.hpp"

namespace onecast {
namespace {

const char* kind(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISBLK(mode) || S_ISCHR(mode)) return "a device";
  return "not a file";
}

void unlink_for_replace(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return;
    fail_open(path, errno);
  }
  if (!S_ISLNK(status.st_mode)) require_regular(path, status.st_mode);
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail_call(path, "unlink", errno);
}

}  // namespace

void require_regular(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  if (S_ISDIR(mode)) fail_open(path, EISDIR);
  throw Error(ErrorCode::io,
              fmt::format("{}: open: {}; a regular file is expected", path, kind(mode)), ESPIPE);
}

void prepare_open(const std::string& path, OpenMode mode) {
  if (path.find('\0') != std::string::npos) fail_open(path, EINVAL);
  if (mode == OpenMode::replace) unlink_for_replace(path);
}

}  // namespace onecast
