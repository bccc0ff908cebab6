#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/name_index.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"
#include "structures/dense_place.hpp"
#include "structures/object_contents.hpp"

namespace onecast::tree {
class Node;
}  // namespace onecast::tree

namespace onecast::memory {

/// An attribute as it was once: handles look at it even after it was replaced or removed.
struct AttributeEntry : StoredAttribute {
  explicit AttributeEntry(const StoredAttribute& stored) : StoredAttribute(stored) {}

  int maker = -1;                  ///< the rank that created it for itself; -1: all ranks
  mutable bool is_stored = false;  ///< the file has it
  /// The type, where its address is not in the message yet.
  tree::Node* committed_type = nullptr;
  /// Null until somebody looked.
  mutable std::atomic<const Datatype*> datatype{nullptr};
  mutable std::atomic<const Dataspace*> dataspace{nullptr};
};

/// The attributes of one object.
class AttributeTable {
 public:
  using Entries = std::pmr::vector<const AttributeEntry*>;

  explicit AttributeTable(Arena& arena) : arena_(arena), entries_(arena.memory()) {}

  [[nodiscard]] const Entries& entries() const { return entries_; }
  void reserve(std::size_t count) { entries_.reserve(count); }
  /// The one of this name, or null.
  const AttributeEntry* find(std::string_view name);
  /// Puts it in the place of one that is there and has its name.
  AttributeEntry& replace(const AttributeEntry& before, const StoredAttribute& attribute);
  /// Puts one, of a name that is not there, in the place of the one of `name`.
  AttributeEntry& replace(std::string_view name, const StoredAttribute& attribute);
  /// Adds one of a name that is not there.
  AttributeEntry& add(const StoredAttribute& attribute);
  void erase(std::string_view name);
  /// Removes those for which `is_one` says so.
  template <class F>
  void erase_if(const F& is_one) {
    std::erase_if(entries_, [&](const AttributeEntry* entry) {
      const bool goes = is_one(entry);
      if (goes) miss(entry);
      return goes;
    });
    number_anew();
  }
  /// A new one, behind all others; its name is not there.
  AttributeEntry& add_new(const StoredAttribute& attribute);
  /// Adds one that was taken away before, behind all others.
  void put_back(AttributeEntry& entry);
  /// As if there had never been any; none is in the file.
  void clear();

  void sort_by_name();
  /// Are they in the order that people see?
  [[nodiscard]] bool is_sorted() const;

  /// The file has what is here, at `place` if they are dense.
  void settle(const DensePlace& place);

  DensePlace stored;  ///< where the file has them, if they are dense there
  /// Removed or replaced since the last flush; the file has them.
  std::vector<const AttributeEntry*> missed;
  bool by_creation_order = false;  ///< else by name, but new ones are added at the end
  std::uint32_t next_creation_order = 0;

 private:
  std::optional<std::size_t> position(std::string_view name);
  /// Names by the numbers of their entries.
  [[nodiscard]] auto name_of() const;
  [[nodiscard]] std::size_t number_at(std::size_t position) const;
  [[nodiscard]] std::size_t position_of(std::size_t number) const;
  void number_anew();
  void miss(const AttributeEntry* entry);
  AttributeEntry* make(const StoredAttribute& attribute);
  void add(const AttributeEntry* entry);

  Arena& arena_;
  Entries entries_;
  bool sorted_ = true;  ///< known to be in the order of names
  /// What the index knows each entry by: a number that stays when other entries go. They rise.
  /// Empty while they are the positions.
  std::vector<std::uint32_t> numbers_;
  NameIndex index_;
};

}  // namespace onecast::memory
