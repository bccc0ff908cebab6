#include "structures/chunks/chunk_grid.hpp"

#include <limits>

#include "base/byte_reader.hpp"

namespace onecast::structures {
namespace {

std::uint64_t divide_up(std::uint64_t n, std::uint64_t by) { return n / by + (n % by != 0); }

}  // namespace

ChunkGrid::ChunkGrid(const DataLayoutMessage& layout, std::span<const std::uint64_t> shape,
                     std::span<const std::uint64_t> max_shape, std::uint64_t element_size,
                     Address message, const FileContext& file)
    : rank(static_cast<unsigned>(shape.size())), bytes(element_size) {
  const ByteReader in({}, message, file, DataLayoutMessage::kTitle);
  if (rank == 0 || rank > kMaxRank || layout.dimensionality != rank + 1)
    in.fail("Dimensionality", "is not one more than the dataspace's");
  constexpr auto kMostBytes = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (unsigned d = 0; d < rank; ++d) {
    chunk[d] = layout.dimensions[d];
    extent[d] = shape[d];
    count[d] = divide_up(shape[d], chunk[d]);
    const std::uint64_t most = max_shape.empty() ? shape[d] : max_shape[d];
    max_count[d] = most == kUnlimited ? kUnlimited : divide_up(most, chunk[d]);
    if (__builtin_mul_overflow(total, count[d], &total))
      in.fail("Dimension #n Size", "makes up more than 2^64 chunks");
    if (__builtin_mul_overflow(bytes, chunk[d], &bytes) || bytes > kMostBytes)
      in.fail("Dimension #n Size", "makes up a chunk of more than 2^63 bytes");
  }
}

}  // namespace onecast::structures
