#include "objects/external_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "format/objects/external_data_files_message.hpp"
#include "objects/file_state.hpp"
#include "objects/node.hpp"
#include "onecast/base/error.hpp"
#include "structures/local_heap.hpp"

namespace onecast {

ExternalData::ExternalData(Node& dataset, const HeaderMessage& message) : dataset_(dataset) {
  // Names that lie in each other could take far more memory than the file.
  constexpr std::uint64_t kMostNames = std::uint64_t{16} << 20U;
  FileState& file = *dataset.file;
  const auto stored =
      decode<ExternalDataFilesMessage>(message.data, message.address, file.store->file());
  const LocalHeap heap(*file.structures, stored.heap);
  const ByteReader at({}, message.address, file.store->file(), ExternalDataFilesMessage::kTitle);
  std::uint64_t end = 0;
  std::uint64_t names = 0;
  for (const ExternalDataFilesMessage::Slot& slot : stored.slots) {
    const std::string_view name = heap.text(slot.name_offset, "Name Offset in Local Heap");
    names += name.size();
    if (names > kMostNames) at.refuse("Used Slots", "more than 16 MiB of names");
    if (__builtin_add_overflow(end, slot.data_size, &end)) end = UINT64_MAX;
    slots_.push_back({std::string(name), slot.file_offset, slot.data_size});
    ends_.push_back(end);
  }
}

void ExternalData::read(std::uint64_t offset, std::span<std::byte> out) const {
  auto slot = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), offset) -
                                       ends_.begin());
  for (; !out.empty(); ++slot) {
    if (slot == slots_.size())
      throw Error(ErrorCode::format,
                  fmt::format("{}: address {:#x}: External Data Files Message: Slot Definitions: "
                              "the files hold less than the dataset",
                              dataset_.where(), dataset_.address.value));
    const std::uint64_t start = slot == 0 ? 0 : ends_[slot - 1];
    const std::size_t size =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), ends_[slot] - offset));
    read(slots_[slot], offset - start, out.first(size));
    out = out.subspan(size);
    offset += size;
  }
}

void ExternalData::read(const ExternalSlot& slot, std::uint64_t offset,
                        std::span<std::byte> out) const {
  if (out.empty()) return;
  const FileState& file = *dataset_.file;
  if (!file.options.follow_external)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: raw data in external file \"{}\": option follow_external is off",
                            dataset_.where(), slot.file));
  std::size_t got = 0;
  if (slot.offset <= UINT64_MAX - offset) {
    try {
      got = file.external_files()->raw_data(file, slot.file)->read_at(slot.offset + offset, out);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: raw data: {}", dataset_.where(), error.what()),
                  error.code() == ErrorCode::not_found ? ENOENT : error.system_errno());
    }
  }
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(got), out.end(), std::byte{0});
}

}  // namespace onecast
