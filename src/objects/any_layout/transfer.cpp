#include "objects/any_layout/transfer.hpp"

#include "base/buffer.hpp"
#include "objects/any_layout/device_transfer.hpp"
#include "objects/any_layout/direct_transfer.hpp"
#include "objects/elements/stored_elements.hpp"

namespace onecast::any_layout {

std::size_t converted_together(const FileState& file) {
  return static_cast<std::size_t>(
      std::max<std::uint64_t>(kConvertedAtOnce, file.transfers().options.collective_buffer / 4));
}

void Transfer::read(std::span<std::byte> out) const {
  if (is_direct()) return read_packed(out);
  if (works_in_place()) {
    const auto tail = out.last(packed_size());
    read_packed(tail);
    return unpack(tail, out);
  }
  if (works_by_parts()) {
    if (goes_by_staging(node_, *this)) return read_to_device(node_, *this, out);
    note_other_way(node_, *this);
    return read_selected(node_, selection(), ElementTarget(*this, out));
  }
  Buffer packed(packed_size());
  read_packed(packed.span());
  unpack(packed.span(), out);
}

std::span<const std::byte> Transfer::packed(std::span<const std::byte> bytes,
                                            std::vector<std::byte>& own) const {
  if (keeps_members()) {
    own.resize(packed_size());
    read_packed(own);
  }
  return pack(bytes, own);
}

}  // namespace onecast::any_layout
