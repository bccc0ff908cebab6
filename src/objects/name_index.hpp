#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "objects/decoded_once.hpp"

namespace onecast {

/// Finds names in a table. Only large tables pay for an index, once somebody searches. Any number
/// of threads may search at once, while nobody changes.
class NameIndex {
 public:
  /// Where the name stands among `count` names; `name_at(i)` is empty if there is none at i.
  template <class NameAt>
  std::optional<std::size_t> find(Arena& arena, std::string_view name, std::size_t count,
                                  NameAt&& name_at) {
    if (count < kFrom) {
      for (std::size_t i = 0; i < count; ++i)
        if (name_at(i) == name) return i;
      return std::nullopt;
    }
    const Positions& positions = positions_.get([&] {
      auto made = arena.make<Positions>();
      made->reserve(count);
      for (std::size_t i = 0; i < count; ++i)
        if (!name_at(i).empty()) made->emplace(name_at(i), i);
      return made;
    });
    const auto found = positions.find(name);
    return found == positions.end() ? std::nullopt : std::optional(found->second);
  }

  void add(std::string_view name, std::size_t position) {
    if (Positions* p = positions_.get()) p->emplace(name, position);
  }
  void remove(std::string_view name) {
    if (Positions* p = positions_.get()) p->erase(name);
  }
  void reset() { positions_.reset(); }

 private:
  using Positions = std::unordered_map<std::string_view, std::size_t>;
  static constexpr std::size_t kFrom = 16;

  DecodedOnce<Positions> positions_;
};

}  // namespace onecast
