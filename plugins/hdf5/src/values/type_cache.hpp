#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <onecast/types/datatype.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "library/library.hpp"

namespace onecast_hdf5 {

/// The types that a library was asked about last. Programs ask for few types, many times.
class TypeCache {
 public:
  /// The cache of a library. It is empty again after the library has ended.
  static TypeCache& of(Library& library);

  /// Returns a type that the library has predefined, and that the program cannot change; null for
  /// other ids.
  const onecast::Datatype* predefined(h5::Id type);

  /// Returns what decode() made of an encoded type, now or before.
  template <class Decode>
  std::optional<onecast::Datatype> decoded(std::span<const std::byte> bytes, const Decode& decode) {
    if (const Decoded* const known = find(decoded_, bytes)) return known->type;
    Decoded made{{bytes.begin(), bytes.end()}, decode()};
    return keep(decoded_, std::move(made)).type;
  }

  /// Returns a new id of an encoded type, of which decode() returns an id; -1 if that is -1.
  template <class Decode>
  h5::Id new_id(std::span<const std::byte> bytes, const Decode& decode) {
    if (const WithId* const known = find(ids_, bytes)) return library_->call.H5Tcopy(known->id);
    const h5::Id id = decode();
    if (id >= 0) {
      WithId& kept = keep(ids_, WithId{{bytes.begin(), bytes.end()}, library_->call.H5Tcopy(id)});
      if (kept.id < 0) kept.bytes.clear();
    }
    return id;
  }

 private:
  struct Decoded {
    std::vector<std::byte> bytes{};
    std::optional<onecast::Datatype> type{};
  };
  struct WithId {
    std::vector<std::byte> bytes{};
    h5::Id id = h5::kNoId;
  };
  template <class Entry>
  struct Ring {
    std::array<Entry, 16> entries{};
    std::size_t next = 0;
  };

  template <class Entry>
  static const Entry* find(const Ring<Entry>& ring, std::span<const std::byte> bytes) {
    for (const Entry& entry : ring.entries)
      if (!bytes.empty() && std::ranges::equal(entry.bytes, bytes)) return &entry;
    return nullptr;
  }
  template <class Entry>
  Entry& keep(Ring<Entry>& ring, Entry entry) {
    Entry& place = ring.entries[ring.next++ % ring.entries.size()];
    if constexpr (requires { place.id; })
      if (place.id >= 0) library_->call.H5Tclose(place.id);
    return place = std::move(entry);
  }

  Library* library_ = nullptr;
  unsigned start_ = 0;
  std::vector<std::pair<h5::Id, onecast::Datatype>> predefined_;
  Ring<Decoded> decoded_;
  Ring<WithId> ids_;
};

}  // namespace onecast_hdf5
