#include "objects/contiguous/external_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/make_error.hpp"
#include "format/objects/external_data_files_message.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/external_paths.hpp"
#include "objects/files/file_state.hpp"
#include "structures/heaps/local_heap.hpp"

namespace onecast::contiguous {

namespace {

// Missing files and folders have an errno, since not_found alone means a missing object.
[[noreturn]] void throw_for_raw_data(const Node& dataset, const Error& error) {
  throw Error(error.code(), fmt::format("{}: raw data: {}", dataset.where(), error.what()),
              error.code() == ErrorCode::not_found ? ENOENT : error.system_errno());
}

}  // namespace

ExternalData::ExternalData(Node& dataset, const HeaderMessage& message) : dataset_(dataset) {
  // Names that overlap in the heap could take far more memory than the file.
  constexpr std::uint64_t kMostNames = std::uint64_t{16} << 20U;
  FileState& file = file_of(dataset);
  const auto stored =
      decode<ExternalDataFilesMessage>(message.data, message.address, file.store().file());
  const LocalHeap heap(file.structures(), stored.heap);
  const ByteReader at({}, message.address, file.store().file(), ExternalDataFilesMessage::kTitle);
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

template <class Each>
void ExternalData::for_each_part(std::uint64_t offset, std::size_t size, Each&& each) const {
  auto slot = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), offset) -
                                       ends_.begin());
  for (std::size_t done = 0; done < size; ++slot) {
    if (slot == slots_.size())
      throw format_error(
          "{}: address {:#x}: External Data Files Message: Slot Definitions: "
          "the files hold less than the dataset",
          dataset_.where(), dataset_.address.value);
    const std::uint64_t start = slot == 0 ? 0 : ends_[slot - 1];
    const auto part =
        static_cast<std::size_t>(std::min<std::uint64_t>(size - done, ends_[slot] - offset));
    if (part != 0) each(slots_[slot], offset - start, done, part);
    done += part;
    offset += part;
  }
}

void ExternalData::require_followed(const ExternalSlot& slot) const {
  require_following(file_of(dataset_), dataset_.where() + ": raw data in external file", slot.file);
}

void ExternalData::read(std::uint64_t offset, std::span<std::byte> out) const {
  for_each_part(offset, out.size(),
                [&](const ExternalSlot& slot, std::uint64_t at, std::size_t done,
                    std::size_t size) { read(slot, at, out.subspan(done, size)); });
}

void ExternalData::write(std::uint64_t offset, std::span<const std::byte> bytes) const {
  const FileState& file = file_of(dataset_);
  for_each_part(
      offset, bytes.size(),
      [&](const ExternalSlot& slot, std::uint64_t at, std::size_t done, std::size_t size) {
        require_followed(slot);
        if (slot.offset > INT64_MAX - at - size)
          throw format_error("{}: external file \"{}\": behind 2^63 bytes", dataset_.where(),
                             slot.file);
        try {
          file.external_files()
              ->raw_data(dataset_, slot.file, OpenMode::read_write)
              ->write_at(slot.offset + at, bytes.subspan(done, size));
        } catch (const Error& error) {
          throw_for_raw_data(dataset_, error);
        }
      });
}

void ExternalData::read(const ExternalSlot& slot, std::uint64_t offset,
                        std::span<std::byte> out) const {
  const FileState& file = file_of(dataset_);
  require_followed(slot);
  std::size_t got = 0;
  if (slot.offset <= UINT64_MAX - offset) {
    try {
      got =
          file.external_files()->raw_data(dataset_, slot.file)->read_at(slot.offset + offset, out);
    } catch (const Error& error) {
      throw_for_raw_data(dataset_, error);
    }
  }
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(got), out.end(), std::byte{0});
}

}  // namespace onecast::contiguous
