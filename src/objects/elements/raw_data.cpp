#include "objects/elements/raw_data.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/worker_pool.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::elements {

void fill(std::span<std::byte> out, ByteView element) {
  if (element.empty()) return void(std::fill(out.begin(), out.end(), std::byte{0}));
  for (std::size_t i = 0; i + element.size() <= out.size(); i += element.size())
    std::memcpy(out.data() + i, element.data(), element.size());
}

void note_raw_write(FileState& file, Address address, std::uint64_t size) {
  file.transfers().chunk_cache.erase_stored(address, size);
  file.changes().written_end = std::max(file.changes().written_end, address.value + size);
}

void write_raw(FileState& file, Address address, std::span<const std::byte> bytes) {
  file.transfers().chunk_cache.erase_stored(address, bytes.size());
  file.transport().write_at(file.store().base() + address.value, bytes);
  file.changes().written_end = std::max(file.changes().written_end, address.value + bytes.size());
}

void write_raw_parts(FileState& file, Address address,
                     std::span<const std::span<const std::byte>> parts) {
  if (parts.empty()) return;
  std::uint64_t end = address.value;
  for (const auto part : parts) end += part.size();
  file.transfers().chunk_cache.erase_stored(address, end - address.value);
  file.transport().write_parts_at(file.store().base() + address.value, parts);
  file.changes().written_end = std::max(file.changes().written_end, end);
}

void read_raw(FileState& file, Address address, std::span<std::byte> out) {
  if (out.empty()) return;
  if (const auto known = file.store().find_data(address, out.size())) {
    std::memcpy(out.data(), known->data(), out.size());
    return;
  }
  // Small data of a file that nobody changes lies near metadata; the blocks that were read on
  // demand often contain it.
  if (file.access() == Access::read_only && out.size() <= file.options().small_data_limit &&
      file.store().is_inside(address, out.size()) &&
      file.store().read_on_demand_bytes() < file.options().metadata_budget) {
    const ByteView bytes = file.store().view(address, out.size(), "Raw Data");
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return;
  }
  read_file(file, address, out);
}

void read_file(FileState& file, Address address, std::span<std::byte> out) {
  const auto read = [&](std::size_t first, std::size_t size) {
    const auto part = out.subspan(first, size);
    const std::size_t got =
        file.transport().read_at(file.store().base() + address.value + first, part);
    // A file grows to its end of address at the flush; bytes that nobody has written yet read as
    // zeros.
    std::fill(part.begin() + static_cast<std::ptrdiff_t>(got), part.end(), std::byte{0});
  };
  // For each call, the system copies and allocates memory on one core only.
  constexpr std::size_t kPart = std::size_t{16} << 20U;
  if (out.size() < 2 * kPart || file.options().decode_threads == 1)
    read(0, out.size());
  else
    run_parallel(file.options().decode_threads, (out.size() - 1) / kPart + 1,
                 [&](std::size_t i) { read(i * kPart, std::min(kPart, out.size() - i * kPart)); });
  // Collections of the heap are read here, too.
  file.store().patch(address, out);
}

void write_fill(FileState& file, Address address, std::uint64_t size, ByteView element) {
  constexpr std::uint64_t kPart = std::uint64_t{1} << 20U;
  const std::uint64_t unit = std::max<std::uint64_t>(element.size(), 1);
  std::vector<std::byte> part(
      static_cast<std::size_t>(std::min(size, std::max<std::uint64_t>(kPart / unit, 1) * unit)));
  fill(part, element);
  for (std::uint64_t done = 0; done < size; done += part.size())
    write_raw(file, address + done,
              std::span(part).first(
                  static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), size - done))));
}

}  // namespace onecast::elements
