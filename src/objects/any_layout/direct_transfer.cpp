#include "objects/any_layout/direct_transfer.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/buffer.hpp"
#include "device/direct_file.hpp"
#include "objects/any_layout/stored_extents.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"
#include "transport/counted_call.hpp"
#include "transport/system_error.hpp"
#include "types/gaps.hpp"

namespace onecast::any_layout {
namespace {

/// The most bytes that are staged at once.
constexpr std::size_t kRoom = std::size_t{1} << 20U;
/// Shorter pieces cost more by themselves than staged, unless the option wants it.
constexpr std::uint64_t kWorthwhile = std::uint64_t{64} << 10U;
constexpr const char* kRefusal = "device_io: direct: ";
constexpr const char* kFilters = "chunks have filters";
constexpr const char* kNoPlaceYet = "not all elements have a place in the file yet";

[[noreturn]] void refuse(const std::string& why) { throw DeviceError(ErrorCode::unsupported, why); }

int descriptor_of(FileState& file) {
  const int descriptor = file.transport().descriptor();
  if (descriptor < 0)
    refuse("the file is in memory, or followed, or not one that Onecast opened by itself");
  return descriptor;
}

/// Returns the bytes that storage writes as a whole: a rank must not write again what another one
/// has beside its part, so the ends of an extent go through memory of the process.
std::uint64_t block_of(FileState& file) {
  constexpr std::uint64_t kLeast = 4096;
  struct stat status{};
  if (fstat(descriptor_of(file), &status) != 0) status.st_blksize = 0;
  return std::clamp(std::max(static_cast<std::uint64_t>(status.st_blksize),
                             static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))),
                    kLeast, std::uint64_t{kRoom});
}

/// Transfers the pieces of an extent list, and counts this as calls for the file.
class DirectTransfer {
 public:
  DirectTransfer(Node& dataset, const Packing& packing, bool writes)
      : file_(file_of(dataset)),
        place_(*packing.place()),
        direct_(place_, descriptor_of(file_), writes,
                file_.options().device_io == DeviceIo::direct),
        block_(block_of(file_)),
        copies_(place_) {
    // cuFile knows no streams.
    place_.driver->must(place_.driver->wait_for_stream, place_.stream);
  }

  void read(const ExtentList& extents, std::span<std::byte> out) {
    extents.for_each([&](std::uint64_t offset, std::uint64_t size, std::uint64_t position) {
      const auto piece = out.subspan(position, size);
      const auto [head, body] = parts_of(offset, size);
      read_staged(offset, piece.first(head));
      std::size_t done = head;
      if (body != 0) done += read_blocks(offset + head, piece.subspan(head, body));
      read_staged(offset + done, piece.subspan(done));  // what is behind the end of the file, too
    });
  }

  void write(const ExtentList& extents, std::span<const std::byte> bytes) {
    extents.for_each([&](std::uint64_t offset, std::uint64_t size, std::uint64_t position) {
      const auto piece = bytes.subspan(position, size);
      // The last byte is staged in any case: so the transport knows how far the file reaches.
      const auto [head, body] = parts_of(offset, size - 1);
      note_raw_write(file_, address_of(offset), size);
      write_staged(offset, piece.first(head));
      if (body != 0) write_blocks(offset + head, piece.subspan(head, body));
      write_staged(offset + head + body, piece.subspan(head + body));
    });
  }

 private:
  struct Parts {
    std::size_t head;  ///< the bytes before the first whole block
    std::size_t body;  ///< those in whole blocks
  };
  [[nodiscard]] Parts parts_of(std::uint64_t offset, std::uint64_t size) const {
    const std::uint64_t head = std::min((block_ - offset % block_) % block_, size);
    return {head, (size - head) / block_ * block_};
  }

  [[nodiscard]] Address address_of(std::uint64_t offset) const {
    return Address{offset - file_.store().base()};
  }

  void read_staged(std::uint64_t offset, std::span<std::byte> device) {
    for (std::size_t done = 0; done < device.size();) {
      const auto part = room().first(std::min(device.size() - done, room().size()));
      read_file(file_, address_of(offset + done), part);
      copies_.to_device(&device[done], part.data(), part.size());
      copies_.finish();
      done += part.size();
    }
  }

  /// Returns how many bytes it read; see DirectFile::read().
  [[nodiscard]] std::size_t read_blocks(std::uint64_t offset, std::span<std::byte> device) {
    const transport::CountedCall call(file_.stats(), &IoStats::reads);
    const std::size_t got = direct_.read(device.data(), device.size(), offset);
    call.add(&IoStats::bytes_read, got);
    return got;
  }

  void write_blocks(std::uint64_t offset, std::span<const std::byte> device) {
    try {
      const transport::CountedCall call(file_.stats(), &IoStats::writes);
      direct_.write(device.data(), device.size(), offset);
      call.add(&IoStats::bytes_written, device.size());
    } catch (const DeviceError& error) {
      if (!transport::is_lack_of_room(error)) throw;
      write_staged(offset, device);  // the transport remembers the lack
    }
  }

  void write_staged(std::uint64_t offset, std::span<const std::byte> device) {
    for (std::size_t done = 0; done < device.size();) {
      const auto part = room().first(std::min(device.size() - done, room().size()));
      copies_.from_device(part.data(), &device[done], part.size());
      copies_.finish();
      file_.transport().write_at(offset + done, part);
      done += part.size();
    }
  }

  [[nodiscard]] std::span<std::byte> room() {
    if (room_.empty()) room_ = Buffer(kRoom);
    return room_.span();
  }

  FileState& file_;
  const Place& place_;
  DirectFile direct_;
  std::uint64_t block_;
  Buffer room_;
  Copies copies_;  ///< ends before the buffer
};

/// Throws the reason, if the elements are not the bytes of the file.
void require_plain(Node& dataset, const Packing& packing) {
  const DatasetInfo& info = dataset.dataset();
  if (!packing.keeps_bytes())
    refuse("elements are converted, or have a layout of their own in memory");
  if (info.layout == Layout::chunked && !info.filters.empty()) refuse(kFilters);
  if (info.is_external()) refuse("the data is in external files");
}

void require_worthwhile(FileState& file, const ExtentList& extents) {
  if (file.options().device_io == DeviceIo::direct || extents.empty()) return;
  const std::uint64_t mean = extents.bytes() / extents.pieces();
  if (mean < std::max(kWorthwhile, 2 * block_of(file)))
    refuse(fmt::format("pieces of {} bytes are too short", mean));
}

ExtentList extents_of_read(Node& dataset, const Packing& packing) {
  require_plain(dataset, packing);
  if (may_be_unfilled(dataset)) refuse("elements may never have been written");
  auto stored = extents_to_read(dataset, packing.selection());
  if (!stored) refuse("elements are in memory, or wait for the flush");
  if (stored->has_gaps) refuse("some chunks were never written");
  return std::move(stored->extents);
}

ExtentList extents_of_write(Node& dataset, const Packing& packing, const ExtentList* known) {
  require_plain(dataset, packing);
  if (!Gaps(dataset.dataset().type).none()) refuse("elements have gaps between their members");
  if (known != nullptr) return *known;
  auto stored = extents_to_write(dataset, packing.selection());
  if (!stored) refuse(kNoPlaceYet);
  return std::move(*stored);
}

void note(FileState& file, const std::string& why) {
  file.transfers().device_way.note("staged: " + why);
}

/// Makes a transfer that the option allows; returns false if it cannot be made.
template <class F>
bool is_made(Node& dataset, const Packing& packing, F&& transfer) {
  FileState& file = file_of(dataset);
  const DeviceIo wanted = file.options().device_io;
  const auto staged = [&](const std::string& why) {
    note(file, why);
    return false;
  };
  if (wanted == DeviceIo::staged) return staged("as the option device_io wants");
  if (wanted == DeviceIo::automatic)
    if (const std::string why = hindrance_of_cu_file(*packing.place()->driver); !why.empty())
      return staged(why);
  try {
    transfer();
  } catch (const DeviceError& error) {
    if (wanted == DeviceIo::automatic) return staged(error.what());
    throw DeviceError(error.code(), std::string(kRefusal) + error.what(), error.system_errno());
  }
  file.transfers().device_way.note("by cuFile");
  return true;
}

}  // namespace

void note_other_way(Node& dataset, const Packing& packing) {
  if (!packing.place()) return;
  const DatasetInfo& info = dataset.dataset();
  const char* why = info.filters.empty() ? kNoPlaceYet : kFilters;
  if (info.layout == Layout::virtual_dataset)
    why = "the elements of a virtual dataset are in other ones";
  else if (packing.needs_old_contents())
    why = "other members of the elements stay as they are";
  FileState& file = file_of(dataset);
  if (file.options().device_io == DeviceIo::direct)
    throw Error(ErrorCode::unsupported, dataset.where() + ": " + kRefusal + why);
  note(file, why);
}

bool read_directly(Node& dataset, const Packing& packing, std::span<std::byte> out) {
  return is_made(dataset, packing, [&] {
    const ExtentList extents = extents_of_read(dataset, packing);
    require_worthwhile(file_of(dataset), extents);
    DirectTransfer(dataset, packing, false).read(extents, out);
  });
}

bool write_directly(Node& dataset, const Packing& packing, std::span<const std::byte> bytes,
                    const ExtentList* known) {
  return is_made(dataset, packing, [&] {
    const ExtentList extents = extents_of_write(dataset, packing, known);
    require_worthwhile(file_of(dataset), extents);
    DirectTransfer(dataset, packing, true).write(extents, bytes);
    if (dataset.dataset().layout != Layout::contiguous) return;
    // Note this last: elements that could not be written are filled.
    note_written(dataset, packing.selection());
    limit_notes(dataset);
  });
}

}  // namespace onecast::any_layout
