#include <liblzf/lzf.h>

#include <cerrno>
#include <limits>

#include "filters/filter.hpp"

namespace onecast {
namespace {

/// The longest match is 264 bytes, written as 3.
constexpr std::size_t kMaxRatio = 264 / 3;

}  // namespace

ByteView decode_lzf(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
  if (filtered.empty()) job.fail("no bytes");
  if (filtered.size() > kMost) job.fail("4 GiB or more");
  const std::span<std::byte> out =
      workspace.result(std::min(job.limit(filtered.size(), kMaxRatio), kMost));
  const unsigned size = lzf_decompress(filtered.data(), static_cast<unsigned>(filtered.size()),
                                       out.data(), static_cast<unsigned>(out.size()));
  if (size == 0)
    job.fail(errno == E2BIG ? "expands to more than is possible" : "not a valid lzf stream");
  return out.first(size);
}

}  // namespace onecast
