#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/packer.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::files {
class FileState;
}  // namespace onecast::files

namespace onecast::values {

/// Returns true unless the place was never written (zeros) or was set to nothing.
[[nodiscard]] inline bool is_set(Address place) { return place.value != 0 && place.is_defined(); }

/// Reads values of variable length from the global heap. Each caller that reads has a reader of its
/// own. It keeps the collections read last, up to a fixed number of bytes.
class HeapReader {
 public:
  explicit HeapReader(FileState& file);

  struct Object {
    ByteView bytes;
    std::shared_ptr<const void> owner;  ///< keeps the bytes
  };
  /// Throws Error: format if there is no such object; unsupported if values share objects and are
  /// far longer in total than the file, or are so scattered that reading them takes too long.
  /// @param size the bytes of the object; if they differ, the error names `field`
  Object object(const GlobalHeapId& id, std::uint64_t size, const char* field);
  /// Returns all of the object's bytes.
  Object object(const GlobalHeapId& id);

  /// Returns the present contents of a collection, valid until the next call.
  const HeapCollection& collection(Address address);
  /// Counts the bytes of a value that the caller found in a collection; throws what object()
  /// throws.
  void count(std::uint64_t bytes) {
    spend(values_left_, bytes, "values that share objects of the heap");
  }

  /// Packs the collections that are kept and that are in the file but not in every rank's memory,
  /// each with its address and its bytes.
  void pack(Packer& out) const;

 private:
  ByteView find(const GlobalHeapId& id);
  void look_at(Address collection);

  struct Bytes {
    Buffer bytes{};
    std::uint64_t size = 0;  ///< the collection's size; there may be more bytes
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
  /// Returns the present contents of a collection that is being written.
  const Collection& pending(Address address, std::uint64_t revision);
  Collection load_pending(Address address);
  Bytes load_bytes(Address address);
  [[nodiscard]] Collection loaded(Bytes all, Address address) const;
  Collection load(Address address);
  /// Returns the end of the space where collections may lie, including those written since the last
  /// flush.
  [[nodiscard]] std::uint64_t end() const;
  /// Subtracts `amount` from `left`; throws Error (unsupported) if `left` is less.
  void spend(std::uint64_t& left, std::uint64_t amount, const char* on) const;

  FileState& file_;
  std::unordered_map<Address, Collection> collections_;
  std::uint64_t kept_ = 0;  ///< the bytes of collections_
  std::unordered_map<Address, Pending> pending_;
  Address last_address_;
  std::uint64_t last_revision_ = 0;  ///< the revision of a collection that is being written; else 0
  Collection last_;
  VisitedExtents visited_;
  std::uint64_t values_left_;  ///< the bytes of values that may still be read
  std::uint64_t loads_left_;   ///< the bytes of collections that may still be read
};

}  // namespace onecast::values
