#include "objects/chunks/gathered_write.hpp"

#include <algorithm>
#include <vector>

#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::chunks {
namespace {

/// Takes bytes from a list of pieces in their order.
class PartList {
 public:
  explicit PartList(Parts parts) : parts_(parts) {}

  void take(std::uint64_t size, std::vector<std::span<const std::byte>>& out) {
    while (size != 0) {
      const auto rest = parts_.front().subspan(done_);
      const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(size, rest.size()));
      if (n != 0) out.push_back(rest.first(n));
      size -= n;
      done_ += n;
      if (n == rest.size()) {
        parts_ = parts_.subspan(1);
        done_ = 0;
      }
    }
  }

 private:
  Parts parts_;
  std::size_t done_ = 0;  ///< the bytes taken from the first piece
};

}  // namespace

bool write_parts_in_place(Node& dataset, std::uint64_t first, std::uint64_t count, Parts parts) {
  const DatasetInfo& info = dataset.dataset();
  const Selection rows = Hyperslab{{first}, {count}};
  const BoundSelection selection(info.space, rows, dataset);
  auto [places, in_memory, wanted] = locate_chunks(dataset, selection);
  if (places.size() != wanted) return false;
  check_places(dataset, places);
  std::ranges::sort(places, {}, &ChunkPlace::number);
  const std::uint64_t element = info.type.size();
  PartList left(parts);
  std::vector<std::span<const std::byte>> run;
  Address start;
  std::uint64_t size = 0;
  const auto write_run = [&] {
    if (size != 0) write_raw_parts(file_of(dataset), start, run);
    run.clear();
    size = 0;
  };
  for (const ChunkPlace& place : places)
    for_each_run_in_chunk(selection, chunks_of(info).grid(), place.number,
                          [&](std::uint64_t at, std::uint64_t, std::uint64_t elements) {
                            const Address address = place.address + at * element;
                            if (size == 0 || start + size != address) {
                              write_run();
                              start = address;
                            }
                            left.take(elements * element, run);
                            size += elements * element;
                          });
  write_run();
  return true;
}

}  // namespace onecast::chunks
