#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/decoded_once.hpp"

namespace onecast::memory {

/// Finds names in a table. An index is made only for a large table, by the first search. Any number
/// of threads may search at once while none changes the table.
///
/// A name keeps its position in the table as long as it exists. `name_at(i)` returns the name at
/// position i, or std::nullopt if there is none.
class NameIndex {
 public:
  /// @param all_positions the positions of all names, a range of std::size_t
  /// @return the position of the name
  template <class Range, class NameAt>
  std::optional<std::size_t> find(Arena& arena, std::string_view name, const Range& all_positions,
                                  NameAt&& name_at) {
    const std::size_t count = std::ranges::size(all_positions);
    if (count < kFrom) {
      for (const std::size_t i : all_positions)
        if (name_at(i) == name) return i;
      return std::nullopt;
    }
    const Positions& positions = positions_.get([&] {
      auto made = arena.make<Positions>(count);
      for (const std::size_t i : all_positions)
        if (const std::optional<std::string_view> each = name_at(i);
            each && !made->find(*each, name_at))
          made->add(*each, i);
      return made;
    });
    return positions.find(name, name_at);
  }

  /// Adds a name that is not in the table.
  void add(std::string_view name, std::size_t position) {
    if (Positions* p = positions_.get()) p->add(name, position);
  }
  /// Removes a name. The table must still have it.
  template <class NameAt>
  void remove(std::string_view name, NameAt&& name_at) {
    if (Positions* p = positions_.get()) p->remove(name, name_at);
  }
  void reset() { positions_.reset(); }

 private:
  /// A hash table with open addressing. It stores no names: a slot is 8 bytes.
  class Positions {
   public:
    explicit Positions(std::size_t count) : slots_(slots_for(count)) {}

    template <class NameAt>
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name, NameAt&& name_at) const {
      const Slot& slot = slots_[slot_of(name, name_at)];
      return slot.position == kFree ? std::nullopt : std::optional<std::size_t>(slot.position);
    }

    void add(std::string_view name, std::size_t position) {
      if (position >= kRemoved) throw std::bad_alloc();
      if (used_ >= slots_.size() / 4 * 3) rebuild();
      put({hash_of(name), static_cast<std::uint32_t>(position)});
      ++names_;
    }

    template <class NameAt>
    void remove(std::string_view name, NameAt&& name_at) {
      Slot& slot = slots_[slot_of(name, name_at)];
      if (slot.position == kFree) return;
      // The slot stays used, so that names behind it are still found.
      slot.position = kRemoved;
      --names_;
    }

   private:
    static constexpr std::uint32_t kFree = UINT32_MAX;
    static constexpr std::uint32_t kRemoved = kFree - 1;

    struct Slot {
      std::uint32_t hash = 0;
      std::uint32_t position = kFree;
    };

    static std::size_t slots_for(std::size_t names) { return std::bit_ceil(2 * names + 1); }
    static std::uint32_t hash_of(std::string_view name) {
      return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
    }

    /// Returns the free slot behind it if the name is not there.
    template <class NameAt>
    [[nodiscard]] std::size_t slot_of(std::string_view name, NameAt&& name_at) const {
      const std::size_t mask = slots_.size() - 1;
      const std::uint32_t hash = hash_of(name);
      for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.position == kFree) return i;
        if (slot.hash == hash && slot.position != kRemoved && name_at(slot.position) == name)
          return i;
      }
    }

    void put(const Slot& slot) {
      const std::size_t mask = slots_.size() - 1;
      std::size_t i = slot.hash & mask;
      while (slots_[i].position != kFree) i = (i + 1) & mask;
      slots_[i] = slot;
      ++used_;
    }

    void rebuild() {
      const std::vector<Slot> before =
          std::exchange(slots_, std::vector<Slot>(slots_for(names_ + 1)));
      used_ = 0;
      for (const Slot& slot : before)
        if (slot.position < kRemoved) put(slot);
    }

    std::vector<Slot> slots_;  ///< their number is a power of two; some are free
    std::size_t used_ = 0;
    std::size_t names_ = 0;
  };
  static constexpr std::size_t kFrom = 16;

  DecodedOnce<Positions> positions_;
};

}  // namespace onecast::memory
