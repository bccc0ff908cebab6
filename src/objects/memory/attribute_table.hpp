#pragma once

#include <algorithm>
#include <atomic>
#include <string_view>
#include <vector>

#include "objects/memory/name_index.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"
#include "structures/dense_place.hpp"
#include "structures/object_contents.hpp"

namespace onecast {

class Node;

/// An attribute as it was once: handles look at it even after it was replaced or removed.
struct AttributeEntry : StoredAttribute {
  explicit AttributeEntry(const StoredAttribute& stored) : StoredAttribute(stored) {}

  int maker = -1;                  ///< the rank that created it for itself; -1: all ranks
  mutable bool is_stored = false;  ///< the file has it
  /// The type, where its address is not in the message yet.
  Node* committed_type = nullptr;
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
  const AttributeEntry* find(std::string_view name) {
    const auto at = position(name);
    return at ? entries_[*at] : nullptr;
  }
  /// Adds it as the last created, or replaces the one of its name, whose creation order it gets.
  void set(const StoredAttribute& attribute, Node* committed_type = nullptr) {
    AttributeEntry* entry = make(attribute);
    entry->committed_type = committed_type;
    if (const auto at = position(entry->name())) {
      entry->set_creation_order(entries_[*at]->creation_order());
      miss(entries_[*at]);
      entries_[*at] = entry;
    } else {
      entry->set_creation_order(next_creation_order++);
      add(entry);
    }
  }
  /// Adds one of a name that is not there.
  AttributeEntry& add(const StoredAttribute& attribute) {
    AttributeEntry* entry = make(attribute);
    add(entry);
    return *entry;
  }
  void erase(std::string_view name) {
    if (const auto at = position(name)) {
      miss(entries_[*at]);
      entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(*at));
    }
    index_.reset();
  }

  /// Removes those for which `is_one` says so.
  template <class F>
  void erase_if(const F& is_one) {
    std::erase_if(entries_, [&](const AttributeEntry* entry) {
      const bool goes = is_one(entry);
      if (goes) miss(entry);
      return goes;
    });
    index_.reset();
  }
  /// A new one, behind all others; its name is not there.
  AttributeEntry& add_new(const StoredAttribute& attribute) {
    AttributeEntry* entry = make(attribute);
    put_back(*entry);
    return *entry;
  }
  /// Adds one that was taken away before, behind all others.
  void put_back(AttributeEntry& entry) {
    entry.set_creation_order(next_creation_order++);
    add(&entry);
  }
  /// As if there had never been any; none is in the file.
  void clear() {
    entries_.clear();
    index_.reset();
    next_creation_order = 0;
  }

  void sort_by_name() {
    std::sort(entries_.begin(), entries_.end(), before);
    index_.reset();
  }
  /// Are they in the order that people see?
  [[nodiscard]] bool is_sorted() const {
    return by_creation_order || std::is_sorted(entries_.begin(), entries_.end(), before);
  }

  /// The file has what is here, at `place` if they are dense.
  void settle(const DensePlace& place) {
    for (const AttributeEntry* entry : entries_) entry->is_stored = true;
    missed = {};
    stored = place;
  }

  DensePlace stored;  ///< where the file has them, if they are dense there
  /// Removed or replaced since the last flush; the file has them.
  std::vector<const AttributeEntry*> missed;
  bool by_creation_order = false;  ///< else by name, but new ones are added at the end
  std::uint32_t next_creation_order = 0;

 private:
  static bool before(const AttributeEntry* a, const AttributeEntry* b) {
    return a->name() < b->name();
  }
  std::optional<std::size_t> position(std::string_view name) {
    const auto name_at = [&](std::size_t i) { return entries_[i]->name(); };
    return index_.find(arena_, name, entries_.size(), name_at);
  }
  void miss(const AttributeEntry* entry) {
    if (entry->is_stored) missed.push_back(entry);
  }
  AttributeEntry* make(const StoredAttribute& attribute) {
    return arena_.make<AttributeEntry>(attribute).release();
  }
  void add(const AttributeEntry* entry) {
    index_.add(entry->name(), entries_.size());
    entries_.push_back(entry);
  }

  Arena& arena_;
  Entries entries_;
  NameIndex index_;
};

}  // namespace onecast
