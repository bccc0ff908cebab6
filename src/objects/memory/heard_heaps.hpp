#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::memory {

/// The collections of the global heap that one rank has read for all, as they are in the file:
/// those with the values of the last collective read. Only collective calls change it.
class HeardHeaps {
 public:
  /// Takes what HeapReader::pack() packed, in place of the former contents.
  void take(Unpacker packed) {
    bytes_.clear();
    while (!packed.at_end()) {
      const Address address{packed.number()};
      const auto collection = packed.block();
      bytes_[address] = {collection.begin(), collection.end()};
    }
  }
  void forget() { bytes_.clear(); }
  /// Forgets a collection that has changed.
  void forget(Address collection) { bytes_.erase(collection); }

  [[nodiscard]] std::optional<ByteView> find(Address collection) const {
    const auto found = bytes_.find(collection);
    if (found == bytes_.end()) return std::nullopt;
    return ByteView(found->second);
  }

 private:
  std::map<Address, std::vector<std::byte>> bytes_;
};

}  // namespace onecast::memory
