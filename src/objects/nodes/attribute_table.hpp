#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "base/rare.hpp"
#include "objects/memory/name_index.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"
#include "structures/dense_place.hpp"
#include "structures/object_contents.hpp"

namespace onecast::nodes {
class Node;
}  // namespace onecast::nodes

namespace onecast::nodes {

/// One state of an attribute: handles refer to it even after the attribute was replaced or removed.
struct AttributeEntry : StoredAttribute {
  explicit AttributeEntry(const StoredAttribute& stored) : StoredAttribute(stored) {}

  mutable bool is_stored : 1 = false;  ///< the file has it
  bool is_shared : 1 = false;          ///< several objects may have it: see EqualAttributes
  int maker = -1;                      ///< the rank that created it independently; -1: all ranks
  /// The committed type, if the message does not have its address yet.
  nodes::Node* committed_type = nullptr;
  /// Null until it is decoded.
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
  /// Returns the attribute of this name, or null.
  const AttributeEntry* find(std::string_view name);
  /// Puts the attribute in the place of an existing one of the same name.
  AttributeEntry& replace(const AttributeEntry& before, const StoredAttribute& attribute);
  /// Puts the attribute, whose name is new, in the place of the one of `name`.
  AttributeEntry& replace(std::string_view name, const StoredAttribute& attribute);
  /// Adds an attribute whose name is new.
  AttributeEntry& add(const StoredAttribute& attribute);
  void erase(std::string_view name);
  /// Removes the attributes for which `is_one` returns true.
  template <class F>
  void erase_if(const F& is_one) {
    std::erase_if(entries_, [&](const AttributeEntry* entry) {
      const bool goes = is_one(entry);
      if (goes) miss(entry);
      return goes;
    });
    number_anew();
  }
  /// Adds a new attribute behind all others; its name is new.
  AttributeEntry& add_new(const StoredAttribute& attribute);
  /// Adds an entry that other objects have, too, whose creation order is the next one here.
  void add_shared(const AttributeEntry& entry) {
    ++next_creation_order;
    add(&entry);
  }
  /// Adds an attribute that was removed before, behind all others.
  void put_back(AttributeEntry& entry);
  /// Removes all attributes without a trace; none may be in the file.
  void clear();

  void sort_by_name();
  /// Returns true if the attributes are in the order that users see.
  [[nodiscard]] bool is_sorted() const;

  /// Notes that the file has the present attributes, at `place` if they are dense.
  void note_place(const DensePlace& place);

  /// The place of dense attributes in the file.
  [[nodiscard]] DensePlace stored() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? rare->stored : DensePlace();
  }
  void set_stored(const DensePlace& place) {
    if (place.is_defined() || rare_.is_set()) rare_.change().stored = place;
  }
  /// Attributes that were removed or replaced since the last flush, and that the file has.
  [[nodiscard]] std::span<const AttributeEntry* const> missed() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? std::span<const AttributeEntry* const>(rare->missed)
                           : std::span<const AttributeEntry* const>();
  }

  std::uint32_t next_creation_order = 0;
  bool by_creation_order = false;  ///< false: by name, but new attributes are at the end

 private:
  struct Beside {
    DensePlace stored;
    std::vector<const AttributeEntry*> missed;
    /// The numbers by which the index knows the entries, which do not change when other entries are
    /// removed. They ascend. Empty while they equal the positions.
    std::vector<std::uint32_t> numbers;
  };

  [[nodiscard]] std::span<const std::uint32_t> numbers() const {
    const Beside* const rare = rare_.get();
    return rare != nullptr ? std::span<const std::uint32_t>(rare->numbers)
                           : std::span<const std::uint32_t>();
  }
  std::optional<std::size_t> position(std::string_view name);
  /// Maps the numbers of entries to names.
  [[nodiscard]] auto name_of() const;
  [[nodiscard]] std::size_t number_at(std::size_t position) const;
  [[nodiscard]] std::size_t position_of(std::size_t number) const;
  void number_anew();
  void miss(const AttributeEntry* entry);
  AttributeEntry* make(const StoredAttribute& attribute);
  void add(const AttributeEntry* entry);

  bool sorted_ = true;  ///< true if they are known to be in the order of names
  Arena& arena_;
  Entries entries_;
  Rare<Beside> rare_;
  NameIndex index_;
};

}  // namespace onecast::nodes
