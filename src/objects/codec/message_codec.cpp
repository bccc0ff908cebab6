#include "objects/codec/message_codec.hpp"

#include <algorithm>

#include "format/objects/dataspace_message.hpp"
#include "format/objects/datatype_message.hpp"
#include "format/objects/group_messages.hpp"
#include "objects/codec/datatype_codec.hpp"
#include "onecast/base/error.hpp"

namespace onecast::codec {
namespace {

static_assert(kMaxRank == Dataspace::kMaxRank);

}  // namespace

Datatype read_datatype(const HeaderMessage& m, const FileContext& file) {
  return to_datatype(decode<DatatypeMessage>(m.data, m.address, file));
}

Dataspace read_dataspace(const HeaderMessage& m, const FileContext& file) {
  const auto space = decode<DataspaceMessage>(m.data, m.address, file);
  if (space.type == DataspaceType::null) return Dataspace::null();
  if (space.rank == 0) return {};
  const auto* sizes = space.sizes.data();
  Shape shape(sizes, sizes + space.rank);
  std::uint64_t elements = 1;
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (const std::uint64_t n : shape)
    if (!empty && __builtin_mul_overflow(elements, n, &elements))
      ByteReader({}, m.address, file, DataspaceMessage::kTitle)
          .refuse("Dimension #n Size", "more than 2^64 elements");
  if (!space.has_maximum()) return {std::move(shape)};
  const auto* maximum = space.maximum_sizes.data();
  if (std::equal(sizes, sizes + space.rank, maximum)) return {std::move(shape)};
  return {std::move(shape), Shape(maximum, maximum + space.rank)};
}

ByteView encode_datatype(const Datatype& type, const FileContext& file, Arena& arena) {
  return arena.keep(types::encode_datatype(type, file));
}

ByteView encode_dataspace(const Dataspace& space, const FileContext& file, Arena& arena) {
  DataspaceMessage m;
  m.type = static_cast<DataspaceType>(space.kind());
  m.rank = static_cast<std::uint8_t>(space.rank());
  std::copy(space.shape().begin(), space.shape().end(), m.sizes.begin());
  if (space.kind() == Dataspace::Kind::simple) {
    // Store them even if they equal the sizes: without them the HDF5 library lets a dataset grow
    // without limit, beyond what its chunk index has room for.
    const Shape& most = space.max_shape().empty() ? space.shape() : space.max_shape();
    m.flags = DataspaceMessage::kHasMaximum;
    std::copy(most.begin(), most.end(), m.maximum_sizes.begin());
  }
  return encode_kept(m, file, arena);
}

HeaderMessage group_info_message(const DenseLimits& links, const FileContext& file, Arena& arena) {
  GroupInfoMessage info;
  if (links != DenseLimits()) info.flags = GroupInfoMessage::kHasPhaseChange;
  info.max_compact_links = static_cast<std::uint16_t>(links.max_compact);
  info.min_dense_links = static_cast<std::uint16_t>(links.min_dense);
  return {MessageType::group_info, message_flag::kConstant, 0, {}, encode_kept(info, file, arena)};
}

}  // namespace onecast::codec
