#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "base/sorted_blocks.hpp"

namespace onecast::pages {

/// The free stretches of the file; adjacent ones are joined.
///
/// A request gets the smallest stretch that fits, the first one of equal size. That needs no
/// search, unlike "first fit", and keeps large stretches whole.
class FreeSpace {
 public:
  struct Stretch {
    std::uint64_t address = 0;
    std::uint64_t size = 0;

    [[nodiscard]] std::uint64_t end() const { return address + size; }
    auto operator<=>(const Stretch&) const = default;
  };

  /// Adds each stretch. They must be in ascending order, not empty, and apart from each other.
  void add_all(std::vector<Stretch> ascending) {
    if (!stretches_.empty() || marks_ != 0) {
      for (const Stretch& s : ascending) add(s.address, s.size);
      return;
    }
    join_neighbours(ascending);
    stretches_ = SortedBlocks<Stretch>(std::move(ascending));
    by_size_.reset();
  }

  /// Does nothing if a part of it is already free, which happens in a damaged file where two
  /// structures share space.
  /// @returns the free stretch that it is now a part of
  std::optional<Stretch> add(std::uint64_t address, std::uint64_t size) {
    if (size == 0 || overlaps(address, size)) return std::nullopt;
    std::uint64_t end = address + size;
    const auto next = from(address);
    if (next != stretches_.end() && next->address == end) {
      end += next->size;
      erase(*next);
    }
    const auto behind = from(address);
    if (behind != stretches_.begin()) {
      const Stretch before = *std::prev(behind);
      if (before.end() == address) {
        address = before.address;
        erase(before);
      }
    }
    insert(address, end - address);
    return Stretch{address, end - address};
  }

  /// `fit(start)` returns the first permitted address from `start` on, which is less than `step`
  /// after it.
  template <class Fit>
  std::optional<std::uint64_t> take(std::uint64_t size, Fit&& fit, std::uint64_t step = 1) {
    constexpr int kMostTried = 32;
    int tried = 0;
    const auto& all = by_size();
    auto at = all.lower_bound({size, 0});
    for (; at != all.end() && tried < kMostTried; ++at, ++tried)
      if (const auto address = take_from(*at, size, fit)) return address;
    // The first stretch that is larger by a step always fits.
    if (at == all.end()) return std::nullopt;
    at = all.lower_bound({std::max(at->first, size + step - 1), 0});
    return at == all.end() ? std::nullopt : take_from(*at, size, fit);
  }

  /// Takes a whole stretch: the smallest one of exactly this size, or of at least `more` bytes
  /// more.
  std::optional<Stretch> take_whole(std::uint64_t size, std::uint64_t more) {
    const auto& all = by_size();
    auto at = all.lower_bound({size, 0});
    if (at != all.end() && at->first != size) at = all.lower_bound({size + more, 0});
    if (at == all.end()) return std::nullopt;
    const auto [whole, address] = *at;
    erase({address, whole});
    return Stretch{address, whole};
  }

  /// The stretch that holds the whole range, if one does.
  [[nodiscard]] std::optional<Stretch> holding(std::uint64_t address, std::uint64_t size) const {
    auto next = after(address);
    if (next == stretches_.begin()) return std::nullopt;
    const auto& [start, whole] = *--next;
    if (address - start > whole || size > whole - (address - start)) return std::nullopt;
    return Stretch{start, whole};
  }
  /// Takes a part of a stretch that holding() returned.
  void remove(std::uint64_t address, std::uint64_t size) {
    const auto [start, whole] = *std::prev(after(address));
    erase({start, whole});
    insert(start, address - start);
    insert(address + size, start + whole - (address + size));
  }
  [[nodiscard]] bool overlaps(std::uint64_t address, std::uint64_t size) const {
    const auto next = from(address);
    if (next != stretches_.end() && next->address - address < size) return true;
    if (next == stretches_.begin()) return false;
    const auto& [before, length] = *std::prev(next);
    return address - before < length;
  }

  /// Begins to note changes, for undo(). Marks are undone or forgotten in reverse order.
  std::size_t mark() {
    ++marks_;
    return changes_.size();
  }
  /// Restores the state at the mark.
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
    for (const Stretch& s : stretches_) sum += s.size;
    return sum;
  }
  [[nodiscard]] std::size_t count() const { return stretches_.size(); }
  /// The stretches in ascending order.
  [[nodiscard]] const SortedBlocks<Stretch>& stretches() const { return stretches_; }

 private:
  using SizeAndAddress = std::pair<std::uint64_t, std::uint64_t>;

  static void join_neighbours(std::vector<Stretch>& ascending) {
    if (ascending.empty()) return;
    auto last = ascending.begin();
    for (auto next = std::next(last); next != ascending.end(); ++next)
      if (last->end() == next->address)
        last->size += next->size;
      else
        *++last = *next;
    ascending.erase(std::next(last), ascending.end());
  }
  /// The first stretch that begins at or after this address.
  [[nodiscard]] SortedBlocks<Stretch>::Iterator from(std::uint64_t address) const {
    return stretches_.lower_bound({address, 0});
  }
  [[nodiscard]] SortedBlocks<Stretch>::Iterator after(std::uint64_t address) const {
    return stretches_.lower_bound({address, UINT64_MAX});
  }
  /// Built at the first request, since many sessions make none.
  const SortedBlocks<SizeAndAddress>& by_size() {
    if (!by_size_) {
      std::vector<SizeAndAddress> all;
      all.reserve(stretches_.size());
      for (const auto& [address, size] : stretches_) all.emplace_back(size, address);
      std::sort(all.begin(), all.end());
      by_size_.emplace(std::move(all));
    }
    return *by_size_;
  }
  template <class Fit>
  std::optional<std::uint64_t> take_from(SizeAndAddress stretch, std::uint64_t size, Fit&& fit) {
    const auto [whole, start] = stretch;
    const std::uint64_t address = fit(start);
    if (address - start > whole || size > whole - (address - start)) return std::nullopt;
    remove(address, size);
    return address;
  }
  void insert(std::uint64_t address, std::uint64_t size) {
    if (size == 0) return;
    if (marks_ != 0) changes_.push_back({{address, size}, true});
    keep({address, size});
  }
  void erase(Stretch stretch) {
    if (marks_ != 0) changes_.push_back({stretch, false});
    drop(stretch);
  }
  void keep(const Stretch& stretch) {
    stretches_.insert(stretch);
    if (by_size_) by_size_->insert({stretch.size, stretch.address});
  }
  void drop(Stretch stretch) {
    stretches_.erase(stretches_.lower_bound(stretch));
    if (by_size_) by_size_->erase(by_size_->lower_bound({stretch.size, stretch.address}));
  }

  struct Change {
    Stretch stretch;
    bool added;
  };

  SortedBlocks<Stretch> stretches_;
  std::optional<SortedBlocks<SizeAndAddress>> by_size_;
  int marks_ = 0;
  std::vector<Change> changes_;  ///< since the first mark
};

}  // namespace onecast::pages
