#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/elements/raw_data.hpp"
#include "structures/heaps/heap_packer.hpp"

namespace onecast::values {

/// Plans collections: finds out their sizes.
class PlannedCollections final : public HeapPacker::Target {
 public:
  std::vector<std::uint64_t> sizes;

 private:
  Address begin(std::uint64_t) override { return Address{0}; }
  void complete(const HeapRoom&, std::span<const std::byte> bytes, std::uint64_t) override {
    sizes.push_back(bytes.size());
  }
};

/// Puts collections at the places that they were given.
class AllocatedCollections final : public HeapPacker::Target {
 public:
  AllocatedCollections(FileState& file, std::span<const Address> places)
      : file_(file), places_(places) {}

 private:
  Address begin(std::uint64_t) override { return places_[next_++]; }
  void complete(const HeapRoom& room, std::span<const std::byte> bytes, std::uint64_t) override {
    write_raw(file_, room.address, bytes);
  }

  FileState& file_;
  std::span<const Address> places_;
  std::size_t next_ = 0;
};

/// Calls work(put), where put(value) puts a value into a collection.
template <class F>
void with_packer(const FileContext& context, HeapPacker::Target& target, F&& work) {
  HeapPacker packer(context, target);
  work([&](ByteView value) { return packer.put(value); });
  packer.finish();
}

}  // namespace onecast::values
