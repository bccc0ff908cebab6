#include "objects/transfer.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/buffer.hpp"
#include "objects/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

Node& open_one(Node& dataset) {
  dataset.file->require_open();
  return dataset;
}

}  // namespace

Transfer::Transfer(Direction direction, Node& dataset, std::size_t size, const MemoryLayout* layout,
                   const Selection& part, const std::optional<Datatype>& memory_type)
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
      if (!conversion_->is_complete())
        throw Error(ErrorCode::unsupported,
                    dataset.where() + ": not supported: writing some members of a compound type");
    }
    if (conversion_->is_identity()) conversion_.reset();
  }
  const std::uint64_t count = arrangement_.memory_count();
  if (count > UINT64_MAX / memory_size_ || size != count * memory_size_)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: buffer: {} elements of {} bytes expected, {} bytes given",
                            dataset.where(), count, memory_size_, size));
}

void Transfer::read(std::span<std::byte> out) const {
  if (is_direct()) return read_packed(out);
  if (arrangement_.is_packed() && conversion_->works_in_place() && conversion_->is_complete()) {
    const auto tail = out.last(packed_size());
    read_packed(tail);
    return conversion_->run(tail, out);
  }
  Buffer packed(packed_size());
  read_packed(packed.span());
  unpack(packed.span(), out);
}

void Transfer::unpack(std::span<const std::byte> packed, std::span<std::byte> out) const {
  if (arrangement_.is_packed()) {
    if (conversion_) return conversion_->run(packed, out);
    if (!out.empty()) std::memcpy(out.data(), packed.data(), out.size());
    return;
  }
  if (!conversion_) return arrangement_.scatter(packed, out, stored_size_);
  Buffer converted(static_cast<std::size_t>(selection_.element_count()) * memory_size_);
  // What the stored type lacks stays as it is.
  if (!conversion_->is_complete()) arrangement_.gather(out, converted.span(), memory_size_);
  conversion_->run(packed, converted.span());
  arrangement_.scatter(converted.span(), out, memory_size_);
}

std::span<const std::byte> Transfer::pack(std::span<const std::byte> bytes,
                                          std::vector<std::byte>& own) const {
  if (!arrangement_.is_packed()) {
    own.resize(static_cast<std::size_t>(selection_.element_count()) * memory_size_);
    arrangement_.gather(bytes, own, memory_size_);
    bytes = own;
  }
  if (!conversion_) return bytes;
  std::vector<std::byte> stored(packed_size());
  conversion_->run(bytes, stored);
  own = std::move(stored);
  return own;
}

}  // namespace onecast
