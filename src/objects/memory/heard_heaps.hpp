#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::memory {

/// Collections of the global heap as they are in the file, that one rank has read for all: those of
/// the values that were last read together. Changed by collective calls only.
class HeardHeaps {
 public:
  /// What HeapReader::pack() packed, in place of what was there.
  void take(Unpacker packed) {
    bytes_.clear();
    while (!packed.at_end()) {
      const Address address{packed.number()};
      const auto collection = packed.block();
      bytes_[address] = {collection.begin(), collection.end()};
    }
  }
  void forget() { bytes_.clear(); }
  /// It has changed.
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
