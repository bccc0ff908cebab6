#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::pages {

/// Stretches of the file that are free, neighbours joined. A value.
///
/// What is asked for comes from the smallest stretch that fits, of equals from the one in front:
/// that takes no search, unlike the first that fits, and leaves large stretches whole.
class FreeSpace {
 public:
  struct Stretch {
    std::uint64_t address = 0;
    std::uint64_t size = 0;

    [[nodiscard]] std::uint64_t end() const { return address + size; }
  };

  /// Does nothing if some of it is free already: then two structures of a damaged file share it.
  /// @returns the stretch that it is part of now
  std::optional<Stretch> add(std::uint64_t address, std::uint64_t size) {
    if (size == 0 || overlaps(address, size)) return std::nullopt;
    std::uint64_t end = address + size;
    const auto next = sizes_.lower_bound(address);
    if (next != sizes_.end() && next->first == end) {
      end += next->second;
      erase(next);
    }
    const auto behind = sizes_.lower_bound(address);
    if (behind != sizes_.begin()) {
      const auto before = std::prev(behind);
      if (before->first + before->second == address) {
        address = before->first;
        erase(before);
      }
    }
    insert(address, end - address);
    return Stretch{address, end - address};
  }

  /// `place(start)`: the first address from `start` on that may be used, less than `step` behind
  /// it.
  template <class Place>
  std::optional<std::uint64_t> take(std::uint64_t size, Place&& place, std::uint64_t step = 1) {
    constexpr int kMostTried = 32;
    int tried = 0;
    auto at = by_size_.lower_bound({size, 0});
    for (; at != by_size_.end() && tried < kMostTried; ++at, ++tried)
      if (const auto address = take_from(*at, size, place)) return address;
    // Of those that are larger by a step, the first fits.
    if (at == by_size_.end()) return std::nullopt;
    at = by_size_.lower_bound({std::max(at->first, size + step - 1), 0});
    return at == by_size_.end() ? std::nullopt : take_from(*at, size, place);
  }

  /// A whole stretch: the smallest that has just this size, or so much more at least.
  std::optional<Stretch> take_whole(std::uint64_t size, std::uint64_t more) {
    auto at = by_size_.lower_bound({size, 0});
    if (at != by_size_.end() && at->first != size) at = by_size_.lower_bound({size + more, 0});
    if (at == by_size_.end()) return std::nullopt;
    const auto [whole, address] = *at;
    erase(sizes_.find(address));
    return Stretch{address, whole};
  }

  /// The stretch that holds all of this, if one does.
  [[nodiscard]] std::optional<Stretch> holding(std::uint64_t address, std::uint64_t size) const {
    auto next = sizes_.upper_bound(address);
    if (next == sizes_.begin()) return std::nullopt;
    const auto& [start, whole] = *--next;
    if (address - start > whole || size > whole - (address - start)) return std::nullopt;
    return Stretch{start, whole};
  }
  /// Of what holding() found, a part is not free any more.
  void remove(std::uint64_t address, std::uint64_t size) {
    const auto at = std::prev(sizes_.upper_bound(address));
    const auto [start, whole] = *at;
    erase(at);
    insert(start, address - start);
    insert(address + size, start + whole - (address + size));
  }
  [[nodiscard]] bool overlaps(std::uint64_t address, std::uint64_t size) const {
    const auto next = sizes_.lower_bound(address);
    if (next != sizes_.end() && next->first - address < size) return true;
    if (next == sizes_.begin()) return false;
    const auto& [before, length] = *std::prev(next);
    return address - before < length;
  }

  /// What changes from now on can be undone. Marks are undone or forgotten in the reverse order.
  std::size_t mark() {
    ++marks_;
    return changes_.size();
  }
  /// All is again as it was at the mark.
  void undo(std::size_t mark) {
    for (; changes_.size() > mark; changes_.pop_back()) {
      const Change& change = changes_.back();
      if (change.added)
        drop(change.stretch);
      else
        keep(change.stretch);
    }
    --marks_;
  }
  void forget_mark() {
    if (--marks_ == 0) changes_.clear();
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [address, size] : sizes_) sum += size;
    return sum;
  }
  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  /// Sizes by address.
  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& stretches() const { return sizes_; }

 private:
  template <class Place>
  std::optional<std::uint64_t> take_from(std::pair<std::uint64_t, std::uint64_t> stretch,
                                         std::uint64_t size, Place&& place) {
    const auto [whole, start] = stretch;
    const std::uint64_t address = place(start);
    if (address - start > whole || size > whole - (address - start)) return std::nullopt;
    remove(address, size);
    return address;
  }
  void insert(std::uint64_t address, std::uint64_t size) {
    if (size == 0) return;
    if (marks_ != 0) changes_.push_back({{address, size}, true});
    keep({address, size});
  }
  void erase(std::map<std::uint64_t, std::uint64_t>::iterator at) {
    const Stretch stretch{at->first, at->second};
    if (marks_ != 0) changes_.push_back({stretch, false});
    drop(stretch);
  }
  void keep(const Stretch& stretch) {
    sizes_.emplace(stretch.address, stretch.size);
    by_size_.emplace(stretch.size, stretch.address);
  }
  void drop(const Stretch& stretch) {
    by_size_.erase({stretch.size, stretch.address});
    sizes_.erase(stretch.address);
  }

  struct Change {
    Stretch stretch;
    bool added;
  };

  std::map<std::uint64_t, std::uint64_t> sizes_;               ///< by address
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  ///< size and address
  int marks_ = 0;
  std::vector<Change> changes_;  ///< since the first mark
};

}  // namespace onecast::pages
