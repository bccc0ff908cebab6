#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/packer.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::tree {
class FileState;
}  // namespace onecast::tree

namespace onecast::values {

/// Reads values of variable length from the global heap, for one caller at a time: each reading has
/// one of its own. It keeps the collections read last, a bounded number of bytes.
class HeapReader {
 public:
  explicit HeapReader(FileState& file);

  struct Object {
    ByteView bytes;
    std::shared_ptr<const void> owner;  ///< keeps the bytes
  };
  /// Throws Error (format) if there is no such object, unsupported if values share objects and are
  /// far longer, together, than the file, or are spread so that reading them takes too long.
  /// @param size bytes of it; else `field` is what was wrong
  Object object(const GlobalHeapId& id, std::uint64_t size, const char* field);
  /// All of its bytes.
  Object object(const GlobalHeapId& id);

  /// All of a collection as it is now; valid until the next call.
  const HeapCollection& collection(Address address);
  /// Counts bytes of a value that the caller found in a collection; throws as object() does.
  void count(std::uint64_t bytes) {
    spend(values_left_, bytes, "values that share objects of the heap");
  }

  /// The collections that it keeps and that are in the file, but not in every rank's memory: each
  /// its address and its bytes.
  void pack(Packer& out) const;

 private:
  ByteView find(const GlobalHeapId& id);
  void look_at(Address collection);

  struct Bytes {
    Buffer bytes{};
    std::uint64_t size = 0;  ///< of the collection; there may be more bytes
  };
  struct Loaded {
    Loaded(Bytes a, HeapCollection o) : all(std::move(a)), objects(std::move(o)) {}
    Bytes all;
    HeapCollection objects;
  };
  using Collection = std::shared_ptr<const Loaded>;
  struct Pending {
    std::uint64_t revision = 0;
    Collection collection;
  };

  const Collection& kept(Address address);
  /// One that is being written, as it is now.
  const Collection& pending(Address address, std::uint64_t revision);
  Collection load_pending(Address address);
  Bytes load_bytes(Address address);
  [[nodiscard]] Collection loaded(Bytes all, Address address) const;
  Collection load(Address address);
  /// Where collections may lie: also those written since the last flush.
  [[nodiscard]] std::uint64_t end() const;
  /// Takes `amount` off what is `left`; throws Error (unsupported) if that is less.
  void spend(std::uint64_t& left, std::uint64_t amount, const char* on) const;

  FileState& file_;
  std::unordered_map<Address, Collection> collections_;
  std::uint64_t kept_ = 0;  ///< bytes of these
  std::unordered_map<Address, Pending> pending_;
  Address last_address_;
  std::uint64_t last_revision_ = 0;  ///< of a collection that is being written; else 0
  Collection last_;
  VisitedExtents visited_;
  std::uint64_t values_left_;  ///< bytes of values that may still be read
  std::uint64_t loads_left_;   ///< bytes of collections
};

}  // namespace onecast::values
