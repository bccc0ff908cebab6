#include "objects/any_layout/direct_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "base/buffer.hpp"
#include "base/elapsed.hpp"
#include "device/direct_file.hpp"
#include "objects/any_layout/stored_extents.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "types/gaps.hpp"

namespace onecast::any_layout {
namespace {

/// Storage is written in whole blocks: a rank must not write again what another one has beside its
/// part, so the ends of an extent go through memory of the process.
constexpr std::uint64_t kBlock = 4096;
/// Shorter pieces cost more by themselves than staged, unless the option wants it.
constexpr std::uint64_t kWorthwhile = std::uint64_t{64} << 10U;

[[noreturn]] void refuse(const std::string& why) { throw DeviceError(ErrorCode::unsupported, why); }

/// Transfers the pieces of an extent list, and counts this as calls for the file.
class DirectTransfer {
 public:
  DirectTransfer(Node& dataset, const Packing& packing, bool writes)
      : file_(file_of(dataset)),
        place_(*packing.place()),
        direct_(place_, descriptor_of(file_), writes,
                file_.options().device_io == DeviceIo::direct),
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
      if (body != 0)
        done += counted(false, [&] { return direct_.read(&piece[head], body, offset + head); });
      read_staged(offset + done, piece.subspan(done));  // what is behind the end of the file, too
    });
  }

  void write(const ExtentList& extents, std::span<const std::byte> bytes) {
    extents.for_each([&](std::uint64_t offset, std::uint64_t size, std::uint64_t position) {
      const auto piece = bytes.subspan(position, size);
      const auto [head, body] = parts_of(offset, size);
      note_raw_write(file_, address_of(offset), size);
      write_staged(offset, piece.first(head));
      if (body != 0)
        counted(true, [&] {
          direct_.write(&piece[head], body, offset + head);
          return body;
        });
      write_staged(offset + head + body, piece.subspan(head + body));
    });
  }

 private:
  static int descriptor_of(FileState& file) {
    const int descriptor = file.transport().descriptor();
    if (descriptor < 0) refuse("the bytes are not those of a file that Onecast opened by itself");
    return descriptor;
  }

  struct Parts {
    std::size_t head;  ///< the bytes before the first whole block
    std::size_t body;  ///< those in whole blocks
  };
  static Parts parts_of(std::uint64_t offset, std::uint64_t size) {
    const std::uint64_t head = std::min((kBlock - offset % kBlock) % kBlock, size);
    return {head, (size - head) / kBlock * kBlock};
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

  void write_staged(std::uint64_t offset, std::span<const std::byte> device) {
    if (device.empty()) return;
    const auto part = room().first(device.size());
    copies_.from_device(part.data(), device.data(), part.size());
    copies_.finish();
    file_.transport().write_at(offset, part);
  }

  [[nodiscard]] std::span<std::byte> room() {
    constexpr std::size_t kRoom = std::size_t{1} << 20U;
    if (room_.empty()) room_ = Buffer(kRoom);
    return room_.span();
  }

  /// Makes a transfer, which returns how many bytes it moved.
  template <class F>
  std::size_t counted(bool writes, F&& transfer) {
    IoStats& stats = file_.stats();
    const auto add = [](std::uint64_t& count, std::uint64_t n) {
      std::atomic_ref(count).fetch_add(n, std::memory_order_relaxed);
    };
    const auto start = std::chrono::steady_clock::now();
    add(writes ? stats.writes : stats.reads, 1);
    const std::size_t moved = transfer();
    add(writes ? stats.bytes_written : stats.bytes_read, moved);
    add(stats.file_nanoseconds, nanoseconds_since(start));
    return moved;
  }

  FileState& file_;
  const Place& place_;
  DirectFile direct_;
  Copies copies_;
  Buffer room_;
};

/// Throws the reason, if the elements are not the bytes of the file.
void require_plain(Node& dataset, const Packing& packing) {
  const DatasetInfo& info = dataset.dataset();
  if (!packing.keeps_bytes())
    refuse("elements are converted, or have a layout of their own in memory");
  if (info.layout == Layout::chunked && !info.filters.empty()) refuse("chunks have filters");
  if (info.is_external()) refuse("the data is in external files");
}

void require_worthwhile(const FileState& file, const ExtentList& extents) {
  if (file.options().device_io == DeviceIo::direct || extents.empty()) return;
  const std::uint64_t mean = extents.bytes() / extents.pieces();
  if (mean < kWorthwhile) refuse(fmt::format("pieces of {} bytes are too short", mean));
}

ExtentList extents_of_read(Node& dataset, const Packing& packing) {
  require_plain(dataset, packing);
  std::optional<StoredExtents> stored;
  if (!may_be_unfilled(dataset)) stored = extents_to_read(dataset, packing.selection());
  if (!stored || stored->has_gaps) refuse("not all elements have a place in the file");
  return std::move(stored->extents);
}

ExtentList extents_of_write(Node& dataset, const Packing& packing) {
  require_plain(dataset, packing);
  if (!Gaps(dataset.dataset().type).none()) refuse("elements have gaps between their members");
  auto stored = extents_to_write(dataset, packing.selection());
  if (!stored) refuse("not all elements have a place in the file");
  return std::move(*stored);
}

/// Makes a transfer that the option allows; returns false if it cannot be made.
template <class F>
bool is_made(Node& dataset, const Packing& packing, F&& transfer) {
  FileState& file = file_of(dataset);
  const DeviceIo wanted = file.options().device_io;
  const auto staged = [&](const std::string& why) {
    file.transfers().device_way.note("staged: " + why);
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
    throw DeviceError(error.code(), std::string("device_io: direct: ") + error.what());
  }
  file.transfers().device_way.note("direct");
  return true;
}

}  // namespace

bool read_directly(Node& dataset, const Packing& packing, std::span<std::byte> out) {
  return is_made(dataset, packing, [&] {
    const ExtentList extents = extents_of_read(dataset, packing);
    require_worthwhile(file_of(dataset), extents);
    DirectTransfer(dataset, packing, false).read(extents, out);
  });
}

bool write_directly(Node& dataset, const Packing& packing, std::span<const std::byte> bytes) {
  return is_made(dataset, packing, [&] {
    const ExtentList extents = extents_of_write(dataset, packing);
    require_worthwhile(file_of(dataset), extents);
    DirectTransfer(dataset, packing, true).write(extents, bytes);
    if (dataset.dataset().layout != Layout::contiguous) return;
    // Note this last: elements that could not be written are filled.
    note_written(dataset, packing.selection());
    limit_notes(dataset);
  });
}

}  // namespace onecast::any_layout
