#include "replacement.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "model/byte_file.hpp"
#include "model/files_beside.hpp"
#include "onecast/base/error.hpp"
#include "signals.hpp"

namespace onecast::events {

Replacement::Replacement(const std::string& place) : place_(behind_links(place)), part_(place_) {
  struct stat old{};
  const bool is_there = stat(place_.c_str(), &old) == 0;
  if (is_there && !S_ISREG(old.st_mode)) return;
  if (is_there) {
    require(access(place_.c_str(), W_OK) == 0);
    static_cast<void>(ByteFile::open(place_));  // throws if it is being written
    old_ = old;
  }
  part_ = part_beside(place_);
  remove_at_signal(part_);
}

Replacement::~Replacement() {
  if (!is_beside()) return;
  remove_at_signal("");
  unlink(part_.c_str());
  unlink(journal_beside(part_).c_str());
}

void Replacement::complete() {
  if (!is_beside()) return;
  if (old_) {
    // A user who may not give files away remains the owner.
    static_cast<void>(!chown(part_.c_str(), old_->st_uid, old_->st_gid));
    require(chmod(part_.c_str(), old_->st_mode & 07777U) == 0);
  }
  require(std::rename(part_.c_str(), place_.c_str()) == 0);
  remove_at_signal("");
  part_ = place_;
}

void Replacement::require(bool is_done) const {
  if (!is_done)
    throw Error(ErrorCode::io, fmt::format("{}: {}", place_, std::strerror(errno)), errno);
}

}  // namespace onecast::events
