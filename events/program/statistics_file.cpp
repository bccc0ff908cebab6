#include "statistics_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::io, fmt::format("--json: {}: {}", path, what), errno);
}

}  // namespace

StatisticsFile::StatisticsFile(std::string path) : path_(std::move(path)) {
  struct stat before{};
  const bool was_there = lstat(path_.c_str(), &before) == 0;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(path_, std::strerror(errno));
  is_to_be_removed_ = !was_there;
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  fail(path_, "locked: it is open here or in another program");
}

StatisticsFile::~StatisticsFile() {
  if (is_to_be_removed_) unlink(path_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void StatisticsFile::write(const std::string& text) {
  is_to_be_removed_ = false;
  struct stat status{};
  if (fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) && ftruncate(descriptor_, 0) != 0)
    fail(path_, std::strerror(errno));
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t done = ::write(descriptor_, rest.data(), rest.size());
    if (done < 0 && errno != EINTR) fail(path_, std::strerror(errno));
    rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(done, 0)));
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, std::strerror(errno));
}

}  // namespace onecast::events
