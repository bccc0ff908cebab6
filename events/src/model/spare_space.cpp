#include "model/spare_space.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace onecast::events {
namespace {

constexpr std::uint64_t kMostSpare = std::uint64_t{8} << 20U;
constexpr std::uint64_t kShare = 16;  // of the free space

/// Returns a file without a name, or -1.
int nameless_file(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  // Not all file systems support O_TMPFILE.
  std::string name = folder / ".onecast-spare-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

SpareSpace::SpareSpace(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  struct statvfs space{};
  if (statvfs(folder.c_str(), &space) != 0) return;
  const std::uint64_t bytes =
      std::min<std::uint64_t>(kMostSpare, space.f_bavail * space.f_frsize / kShare);
  if (bytes == 0) return;
  descriptor_ = nameless_file(folder);
  // posix_fallocate would write to file systems that cannot reserve space.
  if (descriptor_ >= 0 && fallocate(descriptor_, 0, 0, static_cast<off_t>(bytes)) != 0)
    ::close(std::exchange(descriptor_, -1));
}

SpareSpace::SpareSpace(SpareSpace&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

SpareSpace& SpareSpace::operator=(SpareSpace&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SpareSpace::~SpareSpace() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace onecast::events
