#include "values/types.hpp"

#include <algorithm>
#include <array>
#include <onecast/base/error.hpp>
#include <onecast/types/encode.hpp>

namespace onecast_hdf5 {
namespace {

/// The number of the message, and the version of the encoding.
constexpr std::array<std::byte, 2> kBeforeMessage{std::byte{3}, std::byte{0}};

}  // namespace

std::vector<std::byte> encoded_type(const onecast::Datatype& type) {
  const auto message = onecast::encode(type);
  std::vector<std::byte> all(kBeforeMessage.size() + message.size());
  std::ranges::copy(message, std::ranges::copy(kBeforeMessage, all.begin()).out);
  return all;
}

h5::Id type_id(Library& library, const onecast::Datatype& type) {
  const h5::Functions& call = library.call;
  auto bytes = encoded_type(type);
  const h5::Id decoded = call.decode_sized != nullptr
                             ? call.decode_sized(bytes.data(), bytes.size())
                             : call.decode(bytes.data());
  if (decoded < 0 || !type.points_elsewhere()) return decoded;
  // References in sequences are in memory only after a copy.
  const h5::Id copied = call.H5Tcopy(decoded);
  call.H5Tclose(decoded);
  return copied;
}

std::optional<onecast::Datatype> plain_type(Library& library, h5::Id type) {
  std::array<std::byte, 512> few;
  std::vector<std::byte> many;
  std::span<std::byte> bytes = few;
  std::size_t size = bytes.size();
  if (library.call.H5Tencode(type, bytes.data(), &size) < 0) return std::nullopt;
  if (size > few.size()) {
    // The library has only said how many bytes it needs.
    many.resize(size);
    bytes = many;
    if (library.call.H5Tencode(type, bytes.data(), &size) < 0) return std::nullopt;
  }
  try {
    auto decoded = onecast::decode_datatype(bytes.first(size).subspan(kBeforeMessage.size()));
    if (decoded.points_elsewhere()) return std::nullopt;
    return decoded;
  } catch (const onecast::Error&) {
    return std::nullopt;
  }
}

bool has_old_regions(const onecast::Datatype& type) {
  switch (type.type_class()) {
    case onecast::TypeClass::reference:
      return type.reference_kind() == onecast::ReferenceKind::region;
    case onecast::TypeClass::compound:
      return std::ranges::any_of(type.members(),
                                 [](const auto& member) { return has_old_regions(member.type); });
    case onecast::TypeClass::array:
    case onecast::TypeClass::sequence:
      return has_old_regions(type.base());
    default:
      return false;
  }
}

}  // namespace onecast_hdf5
