#include "objects/any_layout/device_transfer.hpp"

#include <algorithm>
#include <vector>

#include "device/staging.hpp"
#include "objects/any_layout/direct_transfer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "space/selection_parts.hpp"

namespace onecast::any_layout {
namespace {

/// Returns about how many bytes a part has. Large reads of a file use several threads.
std::size_t size_of_part(const FileState& file, std::size_t all) {
  constexpr std::size_t kLeast = std::size_t{1} << 20U;
  constexpr std::size_t kOfThread = std::size_t{16} << 20U;
  constexpr std::size_t kMostThreads = 4;
  constexpr std::size_t kParts = 4;
  const std::size_t most =
      kOfThread * std::clamp<std::size_t>(file.options().decode_threads, 1, kMostThreads);
  return std::clamp(all / kParts, kLeast, most);
}

/// A transfer between a device and a dataset, part after part.
class DeviceTransfer {
 public:
  /// A chunk, of the shape `cell`, is in one part.
  DeviceTransfer(Node& dataset, const Packing& packing, const Shape& cell)
      : dataset_(dataset),
        packing_(packing),
        element_(dataset.dataset().type.size()),
        parts_(parts_of(dataset, packing, cell)),
        staging_(*packing.place(), largest_part() * packing.staged_size()) {}

  void read(std::span<std::byte> out) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const std::span<std::byte> room = staging_.buffer(k);
      read_selected(dataset_, selection_of(parts_[k]), room.first(bytes_of(parts_[k])));
      const auto elements = packing_.staged_for_caller(room, parts_[k].count);
      for_each_run(parts_[k], elements, [&](std::uint64_t number, std::span<std::byte> run) {
        packing_.begin_scatter(run, number, out, staging_.copies());
      });
      staging_.begun(k);
    }
    staging_.finish();
  }

  void write(std::span<const std::byte> bytes, Allocation allocation) {
    if (!parts_.empty()) fetch(0, bytes);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (k + 1 < parts_.size()) fetch(k + 1, bytes);
      const std::span<std::byte> stored =
          packing_.staged_for_file(staging_.buffer(k), parts_[k].count);
      write_stored(dataset_, selection_of(parts_[k]), stored, allocation);
    }
    staging_.finish();
  }

 private:
  static std::vector<SelectionPart> parts_of(Node& dataset, const Packing& packing,
                                             const Shape& cell) {
    std::vector<SelectionPart> parts;
    const std::size_t element = packing.staged_size();
    const std::size_t all = static_cast<std::size_t>(packing.selection().element_count()) * element;
    for_each_part(packing.selection(), cell,
                  std::max<std::size_t>(1, size_of_part(file_of(dataset), all) / element),
                  [&](const SelectionPart& part) { parts.push_back(part); });
    return parts;
  }

  [[nodiscard]] std::size_t largest_part() const {
    std::uint64_t most = 0;
    for (const SelectionPart& part : parts_) most = std::max(most, part.count);
    return static_cast<std::size_t>(most);
  }

  [[nodiscard]] std::size_t bytes_of(const SelectionPart& part) const {
    return static_cast<std::size_t>(part.count) * element_;
  }

  [[nodiscard]] BoundSelection selection_of(const SelectionPart& part) const {
    return {dataset_.dataset().space, packing_.selection().within(part.box), dataset_};
  }

  /// Calls each(number of the first element, elements of the caller's type) for runs of a part.
  template <class F>
  void for_each_run(const SelectionPart& part, std::span<std::byte> elements, F&& each) const {
    const std::size_t size = packing_.element_of_caller();
    for_each_run_of_part(packing_.selection(), part,
                         [&](std::uint64_t number, std::uint64_t at, std::uint64_t count) {
                           each(number, elements.subspan(static_cast<std::size_t>(at) * size,
                                                         static_cast<std::size_t>(count) * size));
                         });
  }

  /// Begins to copy a part from the device.
  void fetch(std::size_t k, std::span<const std::byte> bytes) {
    for_each_run(parts_[k], staging_.buffer(k),
                 [&](std::uint64_t number, std::span<std::byte> run) {
                   packing_.begin_gather(bytes, number, run, staging_.copies());
                 });
    staging_.begun(k);
  }

  Node& dataset_;
  const Packing& packing_;
  std::size_t element_;
  std::vector<SelectionPart> parts_;
  device::Staging staging_;
};

}  // namespace

bool goes_by_staging(Node& dataset, const Packing& packing) {
  // Reading a part of a virtual dataset opens its sources and decodes their chunks.
  return packing.place() && !packing.needs_old_contents() &&
         dataset.dataset().layout != Layout::virtual_dataset;
}

void read_to_device(Node& dataset, const Packing& packing, std::span<std::byte> out) {
  packing.naming_dataset([&] {
    if (read_directly(dataset, packing, out)) return;
    DeviceTransfer(dataset, packing, decoded_at_once(dataset.dataset())).read(out);
  });
}

void write_by_parts(Node& dataset, const Packing& packing, std::span<const std::byte> bytes,
                    Allocation allocation, const ExtentList* known) {
  if (!goes_by_staging(dataset, packing)) {
    note_other_way(dataset, packing);
    return write_stored(dataset, packing.selection(), StoredElements(packing, bytes), allocation);
  }
  const DatasetInfo& info = dataset.dataset();
  packing.naming_dataset([&] {
    if (write_directly(dataset, packing, bytes, known)) return;
    DeviceTransfer(dataset, packing, info.layout == Layout::chunked ? info.chunk : Shape())
        .write(bytes, allocation);
  });
}

}  // namespace onecast::any_layout
