#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::nodes {

/// A message in the form that other ranks need: its values of variable length lie beside it instead
/// of in a heap.
struct PackedMessage {
  ByteView message;
  std::vector<std::byte> values;  ///< packed
};

/// The properties of an object that this rank created inside independent(), until the next flush
/// tells the other ranks.
struct LocalObject {
  /// True for a group that the program did not create explicitly: other ranks may create it, too.
  bool on_the_way = false;
  std::uint64_t links = 1;  ///< the number of links that lead to it
  /// True if the program did not request it: the flush may place the data elsewhere.
  bool compact_by_default = false;
  std::optional<PackedMessage> fill_value{};
  ByteView beside{};  ///< the block beside the header: names of external files, or mappings
  std::uint64_t number = kNoNumber;  ///< its number among the objects that this rank sends

  static constexpr std::uint64_t kNoNumber = UINT64_MAX;
};

}  // namespace onecast::nodes
