#include "replacement.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "model/byte_file.hpp"
#include "model/files_beside.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events {

Replacement::Replacement(const std::string& place) : place_(behind_links(place)), part_(place_) {
  struct stat old{};
  const bool is_there = stat(place_.c_str(), &old) == 0;
  if (is_there && !S_ISREG(old.st_mode)) return;
  if (is_there) {
    require(access(place_.c_str(), W_OK) == 0);
    ByteFile::require_closed(place_);
    rights_ = old.st_mode & 07777U;
  }
  part_ = part_beside(place_);
}

Replacement::~Replacement() {
  if (!is_beside()) return;
  unlink(part_.c_str());
  unlink(journal_beside(part_).c_str());
}

void Replacement::complete() {
  if (!is_beside()) return;
  require(rights_ == 0 || chmod(part_.c_str(), rights_) == 0);
  require(std::rename(part_.c_str(), place_.c_str()) == 0);
  part_ = place_;
}

void Replacement::require(bool is_done) const {
  if (!is_done)
    throw Error(ErrorCode::io, fmt::format("{}: {}", place_, std::strerror(errno)), errno);
}

}  // namespace onecast::events
