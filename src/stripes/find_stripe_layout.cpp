#include "stripes/find_stripe_layout.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "onecast/base/error.hpp"
#include "stripes/lustre_layout.hpp"
#include "stripes/stripe_answers.hpp"

namespace onecast::stripes {
namespace {

/// Parses "SIZE:COUNT"; both must not be 0.
std::optional<StripeLayout> pretended_layout() {
  const char* variable = std::getenv("ONECAST_PRETEND_STRIPES");
  if (variable == nullptr) return {};
  StripeLayout layout;
  layout.source = StripeLayout::Source::pretended;
  const char* end = variable + std::strlen(variable);
  const auto size = std::from_chars(variable, end, layout.stripe_size);
  if (size.ec != std::errc() || size.ptr == end || *size.ptr != ':') return {};
  const auto count = std::from_chars(size.ptr + 1, end, layout.stripe_count);
  if (count.ec != std::errc() || count.ptr != end) return {};
  if (layout.stripe_size == 0 || layout.stripe_size > StripeLayout::kLargestStripe ||
      layout.stripe_count == 0)
    return {};
  return layout;
}

/// Does not ask for the type of the file system, since others understand this attribute as well.
std::optional<StripeLayout> lustre_layout(const std::string& path) {
  std::vector<std::byte> attribute(1 << 16U);
  const ssize_t got = getxattr(path.c_str(), "lustre.lov", attribute.data(), attribute.size());
  if (got <= 0) return {};
  try {
    const auto parts =
        decode_lustre_layout(std::span(attribute).first(static_cast<std::size_t>(got)), path);
    if (!parts.empty()) return layout_from(parts);
    return {};
  } catch (const Error&) {
    return {};  // a layout of a later version
  }
}

/// Asks BeeGFS how it stripes a file. Leaves `answers` unchanged if it does not tell.
void ask_beegfs(const std::string& path, StripeAnswers& answers) {
  struct StripeInfo {
    std::uint32_t pattern;
    std::uint32_t chunk_size;
    std::uint16_t target_count;
  };
  constexpr unsigned kGetStripeInfo = 25;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return;
  StripeInfo info = {};
  if (ioctl(file, _IOR('f', kGetStripeInfo, StripeInfo), &info) == 0) {
    answers.chunk_size = info.chunk_size;
    answers.target_count = info.target_count;
  }
  close(file);
}

StripeAnswers ask_system(const std::string& path) {
  struct statfs system = {};
  struct stat file = {};
  if (statfs(path.c_str(), &system) != 0 || stat(path.c_str(), &file) != 0) return {};
  StripeAnswers answers;
  answers.magic = static_cast<std::uint64_t>(system.f_type) & 0xFFFFFFFFU;
  answers.block_size = static_cast<std::uint64_t>(std::max<blksize_t>(0, file.st_blksize));
  if (answers.magic == StripeAnswers::kBeeGfs) ask_beegfs(path, answers);
  return answers;
}

StripeLayout found_layout(const std::string& path) {
  if (auto layout = lustre_layout(path)) return *layout;
  return layout_from(ask_system(path));
}

}  // namespace

StripeLayout find_stripe_layout(const std::string& path, const StripeOptions& options) {
  if (const auto layout = pretended_layout()) return *layout;
  StripeLayout layout = found_layout(path);
  const bool wished = options.stripe_size != 0 || options.stripe_count != 0;
  if (layout.source == StripeLayout::Source::assumed && wished) {
    layout.source = StripeLayout::Source::option;
    if (options.stripe_size != 0)
      layout.stripe_size = std::min(options.stripe_size, StripeLayout::kLargestStripe);
  }
  // kAllTargets is no count: how many targets there are is not known.
  if (layout.stripe_count == 0 && options.stripe_count < kAllTargets)
    layout.stripe_count = options.stripe_count;
  return layout;
}

}  // namespace onecast::stripes
