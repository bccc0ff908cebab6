#include "objects/elements/packing.hpp"

#include <algorithm>
#include <cstring>

#include "base/buffer.hpp"
#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/device/wait_for_stream.hpp"
#include "types/gaps.hpp"

namespace onecast::elements {
namespace {

Node& open_one(Node& dataset) {
  file_of(dataset).require_open();
  return dataset;
}

}  // namespace

Packing::Packing(Direction direction, Node& dataset, std::span<const std::byte> memory,
                 const MemoryLayout* layout, const Selection& part,
                 const std::optional<Datatype>& memory_type, std::optional<std::uintptr_t> stream)
    : node_(open_one(dataset)),
      selection_(dataset.dataset().space, part, dataset),
      arrangement_(selection_, layout, dataset) {
  const Datatype& stored = dataset.dataset().type;
  stored_size_ = memory_size_ = stored.size();
  if (memory_type) {
    memory_size_ = memory_type->size();
    if (direction == Direction::reading) {
      conversion_.emplace(stored, *memory_type, dataset);
    } else {
      conversion_.emplace(*memory_type, stored, dataset);
    }
    if (conversion_->is_identity()) conversion_.reset();
  }
  const std::uint64_t count = arrangement_.memory_count();
  if (count > UINT64_MAX / memory_size_ || memory.size() != count * memory_size_)
    throw argument_error("{}: buffer: {} elements of {} bytes expected, {} bytes given",
                         dataset.where(), count, memory_size_, memory.size());
  if (!memory.empty() && device::driver() != nullptr)
    device_ = naming_dataset([&] { return device::place_of(memory.data()); });
  if (device_ && stream)
    device_->stream = reinterpret_cast<void*>(*stream);  // NOLINT(performance-no-int-to-ptr)
  else if (stream && !memory.empty())  // managed memory is used by the process itself
    naming_dataset([&] { wait_for_stream(memory.data(), *stream); });
  keeps_gaps_ =
      direction == Direction::reading && conversion_ && !is_packed() && !Gaps(*memory_type).none();
}

bool Packing::works_by_parts(std::size_t room) const {
  const auto count = static_cast<std::size_t>(selection_.element_count());
  return !is_direct() && arrangement_.has_parts() && (!conversion_ || conversion_->is_complete()) &&
         count > room / std::max(stored_size_, memory_size_);
}

template <class F>
void Packing::in_blocks(std::uint64_t first, std::uint64_t count, F&& each) const {
  constexpr std::size_t kBlock = std::size_t{64} << 10U;
  const std::uint64_t most = std::max<std::uint64_t>(1, kBlock / memory_size_);
  for (std::uint64_t done = 0; done < count; done += most)
    each(first + done, done, std::min(most, count - done));
}

void Packing::unpack(std::span<const std::byte> packed, std::uint64_t first,
                     std::span<std::byte> out) const {
  const std::uint64_t count = packed.size() / stored_size_;
  if (is_packed())
    return conversion_->run(packed, out.subspan(static_cast<std::size_t>(first) * memory_size_,
                                                static_cast<std::size_t>(count) * memory_size_));
  if (!conversion_) return scatter(packed, first, count, out);
  Buffer block;
  in_blocks(first, count, [&](std::uint64_t at, std::uint64_t done, std::uint64_t n) {
    if (block.empty()) block = Buffer(static_cast<std::size_t>(n) * memory_size_);
    const auto converted = block.span().first(static_cast<std::size_t>(n) * memory_size_);
    if (keeps_gaps_) gather(out, at, n, converted);
    conversion_->run(packed.subspan(static_cast<std::size_t>(done) * stored_size_), converted);
    scatter(converted, at, n, out);
  });
}

void Packing::pack(std::span<const std::byte> bytes, std::uint64_t first,
                   std::span<std::byte> out) const {
  pack_part(bytes, first, out);
  Gaps(node_.dataset().type).clear(out);
}

void Packing::pack_part(std::span<const std::byte> bytes, std::uint64_t first,
                        std::span<std::byte> out) const {
  const std::uint64_t count = out.size() / stored_size_;
  if (is_packed())
    return conversion_->run(bytes.subspan(static_cast<std::size_t>(first) * memory_size_), out);
  if (!conversion_) return gather(bytes, first, count, out);
  Buffer block;
  in_blocks(first, count, [&](std::uint64_t at, std::uint64_t done, std::uint64_t n) {
    if (block.empty()) block = Buffer(static_cast<std::size_t>(n) * memory_size_);
    const auto gathered = block.span().first(static_cast<std::size_t>(n) * memory_size_);
    gather(bytes, at, n, gathered);
    conversion_->run(gathered, out.subspan(static_cast<std::size_t>(done) * stored_size_,
                                           static_cast<std::size_t>(n) * stored_size_));
  });
}

void Packing::unpack(std::span<const std::byte> packed, std::span<std::byte> out) const {
  if (is_packed()) {
    if (conversion_) return conversion_->run(packed, out);
    if (!out.empty()) std::memcpy(out.data(), packed.data(), out.size());
    return;
  }
  if (!conversion_) return scatter(packed, out);
  Buffer converted(static_cast<std::size_t>(selection_.element_count()) * memory_size_);
  // Members that the stored type lacks keep their values, as do bytes that belong to no member.
  if (needs_old_contents()) gather(out, converted.span());
  conversion_->run(packed, converted.span());
  scatter(converted.span(), out);
}

std::span<const std::byte> Packing::pack(std::span<const std::byte> bytes,
                                         std::vector<std::byte>& own) const {
  std::vector<std::byte> stored;
  if (keeps_members()) stored = std::exchange(own, {});
  if (!is_packed()) {
    own.resize(static_cast<std::size_t>(selection_.element_count()) * memory_size_);
    gather(bytes, own);
    bytes = own;
  }
  const Gaps gaps(node_.dataset().type);
  if (conversion_) {
    stored.resize(packed_size());
    conversion_->run(bytes, stored);
    own = std::move(stored);
  } else if (gaps.are_zero(bytes)) {
    return bytes;
  } else if (is_packed()) {
    own.assign(bytes.begin(), bytes.end());
  }
  gaps.clear(own);
  return own;
}

template <class F>
void Packing::copy_with_device(F&& copy) const {
  file_of(node_).transfers().device_way.note(
      "staged: elements pass through the buffers of the transfer");
  naming_dataset([&] {
    device::Copies copies(*device_);
    copy(copies);
    copies.finish();
  });
}

void Packing::scatter(std::span<const std::byte> elements, std::span<std::byte> out) const {
  if (!device_) return arrangement_.scatter(elements, out, memory_size_);
  copy_with_device([&](device::Copies& copies) {
    arrangement_.scatter(elements, 0, out, memory_size_, copies);
  });
}

void Packing::gather(std::span<const std::byte> bytes, std::span<std::byte> elements) const {
  if (!device_) return arrangement_.gather(bytes, elements, memory_size_);
  copy_with_device([&](device::Copies& copies) {
    arrangement_.gather(bytes, 0, elements, memory_size_, copies);
  });
}

void Packing::scatter(std::span<const std::byte> elements, std::uint64_t first, std::uint64_t count,
                      std::span<std::byte> out) const {
  if (!device_) return arrangement_.scatter(elements, first, count, out, memory_size_);
  copy_with_device([&](device::Copies& copies) {
    arrangement_.scatter(elements.first(static_cast<std::size_t>(count) * memory_size_), first, out,
                         memory_size_, copies);
  });
}

void Packing::gather(std::span<const std::byte> bytes, std::uint64_t first, std::uint64_t count,
                     std::span<std::byte> elements) const {
  if (!device_) return arrangement_.gather(bytes, first, count, elements, memory_size_);
  copy_with_device([&](device::Copies& copies) {
    arrangement_.gather(bytes, first,
                        elements.first(static_cast<std::size_t>(count) * memory_size_),
                        memory_size_, copies);
  });
}

std::span<std::byte> Packing::staged_for_caller(std::span<std::byte> room,
                                                std::uint64_t count) const {
  const auto stored = room.first(static_cast<std::size_t>(count) * stored_size_);
  if (!conversion_) return stored;
  const auto converted =
      room.subspan(stored.size(), static_cast<std::size_t>(count) * memory_size_);
  conversion_->run(stored, converted);
  return converted;
}

std::span<std::byte> Packing::staged_for_file(std::span<std::byte> room,
                                              std::uint64_t count) const {
  auto elements = room.first(static_cast<std::size_t>(count) * memory_size_);
  if (conversion_) {
    const auto stored =
        room.subspan(elements.size(), static_cast<std::size_t>(count) * stored_size_);
    conversion_->run(elements, stored);
    elements = stored;
  }
  Gaps(node_.dataset().type).clear(elements);
  return elements;
}

}  // namespace onecast::elements
