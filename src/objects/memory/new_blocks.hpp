#pragma once

#include <map>

#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::memory {

/// Blocks of metadata beside object headers that were made since the last flush, on all ranks
/// alike. It serves their contents before they are in the store.
class NewBlocks final : public MetadataSource {
 public:
  explicit NewBlocks(MetadataSource& inner) : inner_(inner), file_(inner.file()) {}

  /// Adds or replaces a block; `bytes` must stay valid.
  void put(Address address, ByteView bytes) { blocks_.insert_or_assign(address, bytes); }
  /// Forgets all blocks, as the store has them now.
  void forget() { blocks_.clear(); }
  /// Drops the blocks at `first` and behind it.
  void forget_from(Address first) { blocks_.erase(blocks_.lower_bound(first), blocks_.end()); }
  [[nodiscard]] const std::map<Address, ByteView>& blocks() const { return blocks_; }

  ByteView view(Address address, std::uint64_t length, const char* what) override {
    const ByteView rest = find(address);
    return length <= rest.size() ? rest.first(static_cast<std::size_t>(length))
                                 : inner_.view(address, length, what);
  }
  ByteView view_from(Address address, std::uint64_t length, const char* what) override {
    const ByteView rest = find(address);
    return length <= rest.size() ? rest : inner_.view_from(address, length, what);
  }
  [[nodiscard]] bool is_verified(Address address, std::uint64_t length) const override {
    return inner_.is_verified(address, length);
  }
  [[nodiscard]] const FileContext& file() const override { return file_; }

 private:
  /// Returns the bytes from the address on if they are in a block here; else nothing.
  [[nodiscard]] ByteView find(Address address) const {
    if (blocks_.empty()) return {};
    auto next = blocks_.upper_bound(address);
    if (next == blocks_.begin()) return {};
    const auto& [start, bytes] = *--next;
    const std::uint64_t offset = address.value - start.value;
    return offset < bytes.size() ? bytes.subspan(static_cast<std::size_t>(offset)) : ByteView();
  }

  MetadataSource& inner_;
  const FileContext& file_;
  std::map<Address, ByteView> blocks_;
};

}  // namespace onecast::memory
