#include "values/types.hpp"

#include <algorithm>
#include <array>
#include <onecast/base/error.hpp>
#include <onecast/types/encode.hpp>

#include "handles/hand_over.hpp"
#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/type_cache.hpp"

namespace onecast_hdf5 {
namespace {

/// The number of the message, and the version of the encoding.
constexpr std::array<std::byte, 2> kBeforeMessage{std::byte{3}, std::byte{0}};

/// True if a type, or a part of it, is what `wanted` says.
template <class Wanted>
bool has_part(const onecast::Datatype& type, Wanted wanted) {
  switch (type.type_class()) {
    case onecast::TypeClass::compound:
      return std::ranges::any_of(type.members(),
                                 [&](const auto& member) { return has_part(member.type, wanted); });
    case onecast::TypeClass::array:
    case onecast::TypeClass::sequence:
      return has_part(type.base(), wanted);
    default:
      return wanted(type);
  }
}

bool has_complex(const onecast::Datatype& type) {
  return has_part(type, [](const onecast::Datatype& part) {
    return part.type_class() == onecast::TypeClass::complex;
  });
}

}  // namespace

std::vector<std::byte> encoded_type(const onecast::Datatype& type) {
  const auto message = onecast::encode(type);
  std::vector<std::byte> all(kBeforeMessage.size() + message.size());
  std::ranges::copy(message, std::ranges::copy(kBeforeMessage, all.begin()).out);
  return all;
}

h5::Id type_id(Library& library, const onecast::Datatype& type) {
  const h5::Id known = known_id(library, type);
  return known < 0 ? known : library.call.H5Tcopy(known);
}

h5::Id known_id(Library& library, const onecast::Datatype& type) {
  const h5::Functions& call = library.call;
  return TypeCache::of(library).id(type, [&] {
    const auto bytes = encoded_type(type);
    const h5::Id decoded = call.decode_sized != nullptr
                               ? call.decode_sized(bytes.data(), bytes.size())
                               : call.decode(bytes.data());
    if (decoded < 0 || !type.points_elsewhere()) return decoded;
    // References in sequences are in memory only after a copy.
    const h5::Id copied = call.H5Tcopy(decoded);
    call.H5Tclose(decoded);
    return copied;
  });
}

namespace {

/// Calls use(bytes) with the encoded type of an id. Returns what it returns, or nothing.
template <class Use>
std::optional<onecast::Datatype> with_encoded(Library& library, h5::Id type, const Use& use) {
  std::array<std::byte, 128> few{};  // the library does not write all bytes
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
  return use(bytes.first(size));
}

std::optional<onecast::Datatype> decoded_bytes(std::span<const std::byte> bytes) {
  try {
    return onecast::decode_datatype(bytes.subspan(kBeforeMessage.size()));
  } catch (const onecast::Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<onecast::Datatype> decoded_type(Library& library, h5::Id type) {
  return with_encoded(library, type, decoded_bytes);
}

std::optional<onecast::Datatype> type_of(Library& library, h5::Id type) {
  TypeCache& cache = TypeCache::of(library);
  if (const onecast::Datatype* const known = cache.predefined(type)) return *known;
  return with_encoded(library, type, [&](std::span<const std::byte> bytes) {
    return cache.decoded(bytes, [&] { return decoded_bytes(bytes); });
  });
}

bool is_type(Library& library, const onecast::Datatype& type, h5::Id id) {
  if (const onecast::Datatype* const known = TypeCache::of(library).predefined(id))
    return *known == type;
  const h5::Id own = known_id(library, type);
  return own >= 0 && library.call.H5Tequal(own, id) > 0;
}

namespace {

bool finds_own_conversion(Library& library, const onecast::Datatype& from,
                          const onecast::Datatype& to) {
  if (from == to) return false;
  // The second call cannot close the id of the first: the cache keeps several.
  const h5::Id ids[] = {known_id(library, from), known_id(library, to)};
  void* of_library = nullptr;
  if (ids[0] < 0 || ids[1] < 0) return false;
  const h5::AnyFunction found = library.call.H5Tfind(ids[0], ids[1], &of_library);
  if (found != nullptr && !library.has(found)) return true;
  using onecast::TypeClass;
  if (from.type_class() != to.type_class()) return false;
  if (from.type_class() == TypeClass::array)
    return finds_own_conversion(library, from.base(), to.base());
  if (from.type_class() != TypeClass::compound) return false;
  return std::ranges::any_of(from.members(), [&](const auto& member) {
    const auto other = std::ranges::find(to.members(), member.name, &onecast::CompoundMember::name);
    return other != to.members().end() && finds_own_conversion(library, member.type, other->type);
  });
}

}  // namespace

bool has_own_conversion(Library& library, const onecast::Datatype& from,
                        const onecast::Datatype& to) {
  if (from == to) return false;
  if (TypeCache::of(library).is_known_pair(from, to))
    return finds_own_conversion(library, from, to);
  // There may be no conversion.
  const ErrorStackKeeper keep(library);
  const Silence silence(library);
  return finds_own_conversion(library, from, to);
}

std::optional<onecast::Datatype> plain_type(Library& library, h5::Id type) {
  auto decoded = type_of(library, type);
  return decoded && decoded->points_elsewhere() ? std::nullopt : std::move(decoded);
}

Handle* committed_type(Library& library, h5::Id type) {
  if (library.call.H5Tcommitted(type) <= 0) return nullptr;
  const AskingForHandles asking;
  library.call.H5VLobject(type);
  Handle* const asked = AskingForHandles::asked;
  return asked != nullptr && asked->is_served() ? asked : nullptr;
}

onecast::Datatype stored_form(const Handle& object, h5::Id type) {
  Library& library = object.library;
  auto found = type_of(library, type);
  if (found && found->points_elsewhere()) {
    const h5::Id stored = object.opening->file_type(type);
    found = stored < 0 ? std::nullopt : type_of(library, stored);
    if (stored >= 0) library.call.H5Tclose(stored);
  }
  if (!found) throw NeedsNative{"a datatype that Onecast does not know"};
  // Onecast stores a compound of two numbers there.
  if (object.opening->file().profile() == onecast::Profile::compatible && has_complex(*found))
    throw NeedsNative{"the class of complex numbers in a file for old versions of HDF5"};
  return *std::move(found);
}

bool has_old_regions(const onecast::Datatype& type) {
  return has_part(type, [](const onecast::Datatype& part) {
    return part.type_class() == onecast::TypeClass::reference &&
           part.reference_kind() == onecast::ReferenceKind::region;
  });
}

}  // namespace onecast_hdf5
