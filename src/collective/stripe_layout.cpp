#include "collective/stripe_layout.hpp"

#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "collective/lustre_layout.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {


/// "SIZE:COUNT", both not 0.
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
  if (layout.stripe_size == 0 || layout.stripe_size > StripeLayout::kLargestStripe || layout.stripe_count == 0)
    return {};
  return layout;
}

/// Not only where the file system calls itself Lustre: others speak its language.
std::optional<StripeLayout> lustre_layout(const std::string& path) {
  std::vector<std::byte> attribute(1 << 16U);
  const ssize_t got = getxattr(path.c_str(), "lustre.lov", attribute.data(), attribute.size());
  if (got <= 0) return {};
  try {
    const auto parts =
        decode_lustre_layout(std::span(attribute).first(static_cast<std::size_t>(got)), path);
    if (parts.empty()) return {};
    return StripeLayout{parts.back().stripe_size, parts.back().stripe_count,
                        StripeLayout::Source::lustre};
  } catch (const Error&) {
    return {};  // a layout of a later version
  }
}

/// File systems that state their unit of locking, or of striping, as the block size of a file.
std::optional<StripeLayout> stated_layout(const std::string& path) {
  constexpr std::array<std::uint64_t, 2> kMagics{0x47504653, 0x19830326};  // GPFS, BeeGFS
  struct statfs system = {};
  struct stat file = {};
  if (statfs(path.c_str(), &system) != 0 || stat(path.c_str(), &file) != 0) return {};
  const auto magic = static_cast<std::uint64_t>(system.f_type) & 0xFFFFFFFFU;
  if (std::find(kMagics.begin(), kMagics.end(), magic) == kMagics.end()) return {};
  constexpr blksize_t kLeast = 4096;
  if (file.st_blksize < kLeast) return {};
  return StripeLayout{static_cast<std::uint64_t>(file.st_blksize), 0,
                      StripeLayout::Source::file_system};
}

StripeLayout found_layout(const std::string& path) {
  if (auto layout = lustre_layout(path)) return *layout;
  if (auto layout = stated_layout(path)) return *layout;
  return {};
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
  // All targets that there are: nobody knows how many.
  if (layout.stripe_count == 0 && options.stripe_count < kAllTargets)
    layout.stripe_count = options.stripe_count;
  return layout;
}

StripeLayout share_stripe_layout(CommunicatorBackend& comm, const std::string& path,
                                 const StripeOptions& options) {
  StripeLayout layout;
  if (comm.rank() == 0) layout = find_stripe_layout(path, options);
  comm.broadcast(std::as_writable_bytes(std::span(&layout, 1)), 0);
  return layout;
}

}  // namespace onecast
