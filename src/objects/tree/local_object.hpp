#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::tree {

/// A message as the other ranks need it: with its values of variable length beside it, not in a
/// heap.
struct Unsettled {
  ByteView message;
  std::vector<std::byte> values;  ///< packed
};

/// What is known of an object that this rank created inside independent(), until the next flush
/// tells the other ranks of it.
struct LocalObject {
  /// A group that was required, or made for the sake of what is in it: other ranks may make it too.
  bool on_the_way = false;
  std::uint64_t links = 1;          ///< that lead to it
  bool compact_by_default = false;  ///< nobody asked for it: the flush may place the data elsewhere
  std::optional<Unsettled> fill_value{};
  ByteView beside{};  ///< beside the header: the names of external files, the mappings of a virtual
                      ///< dataset
  std::uint64_t number = kNoNumber;  ///< among those that this rank sends

  static constexpr std::uint64_t kNoNumber = UINT64_MAX;
};

}  // namespace onecast::tree
