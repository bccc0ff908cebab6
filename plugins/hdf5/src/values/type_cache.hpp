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
  const onecast::Datatype* predefined(h5::Id type) const {
    const auto place = static_cast<std::size_t>(type - first_predefined_);
    return place < predefined_.size() && predefined_[place] ? &*predefined_[place] : nullptr;
  }

  /// Returns what decode() made of an encoded type, now or before.
  template <class Decode>
  std::optional<onecast::Datatype> decoded(std::span<const std::byte> bytes, const Decode& decode) {
    for (const Decoded& entry : decoded_.entries)
      if (!bytes.empty() && std::ranges::equal(entry.bytes, bytes)) return entry.type;
    Decoded& place = decoded_.entries[decoded_.next++ % decoded_.entries.size()];
    place = {{bytes.begin(), bytes.end()}, decode()};
    return place.type;
  }

  /// Returns the id that make() made of a type, now or before; -1 if that is -1. It belongs to the
  /// cache, which closes it when other types have been asked for.
  template <class Make>
  h5::Id id(const onecast::Datatype& type, const Make& make) {
    for (const WithId& entry : ids_.entries)
      if (entry.id >= 0 && *entry.type == type) return entry.id;
    const h5::Id made = make();
    if (made >= 0 && converting_ == 0) {
      WithId& place = ids_.entries[ids_.next++ % ids_.entries.size()];
      if (place.id >= 0) library_->call.H5Tclose(place.id);
      place = {type, made};
    }
    return made;
  }

  /// Has the library convert elements of a type, in place; false if it cannot. Meanwhile the cache
  /// closes no id: functions of the program may ask for types.
  bool converts(const onecast::Datatype& from, h5::Id to, std::size_t count, std::byte* elements,
                h5::Id transfer);

  /// True if a conversion between two types was found before; remembers it.
  bool is_known_pair(const onecast::Datatype& from, const onecast::Datatype& to) {
    for (const auto& pair : pairs_.entries)
      if (pair && pair->first == from && pair->second == to) return true;
    pairs_.entries[pairs_.next++ % pairs_.entries.size()].emplace(from, to);
    return false;
  }

 private:
  void take_predefined();

  struct Decoded {
    std::vector<std::byte> bytes{};
    std::optional<onecast::Datatype> type{};
  };
  struct WithId {
    std::optional<onecast::Datatype> type{};
    h5::Id id = h5::kNoId;
  };
  template <class Entry>
  struct Ring {
    std::array<Entry, 16> entries{};
    std::size_t next = 0;
  };

  Library* library_ = nullptr;
  unsigned start_ = 0;
  unsigned converting_ = 0;
  h5::Id first_predefined_ = 0;
  std::vector<std::optional<onecast::Datatype>> predefined_;  ///< by id, from the first
  Ring<Decoded> decoded_;
  Ring<WithId> ids_;
  Ring<std::optional<std::pair<onecast::Datatype, onecast::Datatype>>> pairs_;
};

}  // namespace onecast_hdf5
