#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace onecast {

/// Stretches of the file that are free, neighbours joined. A value.
///
/// What is asked for comes from the smallest stretch that fits, of equals from the one in front:
/// that takes no search, unlike the first that fits, and leaves large stretches whole.
class FreeSpace {
 public:
  /// Does nothing if some of it is free already: then two structures of a damaged file share it.
  void add(std::uint64_t address, std::uint64_t size) {
    if (size == 0 || overlaps(address, size)) return;
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
  }

  /// `place(start)`: the first address from `start` on that may be used.
  template <class Place>
  std::optional<std::uint64_t> take(std::uint64_t size, Place&& place) {
    constexpr int kMostTried = 32;
    int tried = 0;
    for (auto at = by_size_.lower_bound({size, 0}); at != by_size_.end() && tried < kMostTried;
         ++at, ++tried) {
      const auto [whole, start] = *at;
      const std::uint64_t address = place(start);
      if (address - start > whole || size > whole - (address - start)) continue;
      erase(sizes_.find(start));
      insert(start, address - start);
      insert(address + size, start + whole - (address + size));
      return address;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [address, size] : sizes_) sum += size;
    return sum;
  }

 private:
  [[nodiscard]] bool overlaps(std::uint64_t address, std::uint64_t size) const {
    const auto next = sizes_.lower_bound(address);
    if (next != sizes_.end() && next->first - address < size) return true;
    if (next == sizes_.begin()) return false;
    const auto& [before, length] = *std::prev(next);
    return address - before < length;
  }
  void insert(std::uint64_t address, std::uint64_t size) {
    if (size == 0) return;
    sizes_.emplace(address, size);
    by_size_.emplace(size, address);
  }
  void erase(std::map<std::uint64_t, std::uint64_t>::iterator at) {
    by_size_.erase({at->second, at->first});
    sizes_.erase(at);
  }

  std::map<std::uint64_t, std::uint64_t> sizes_;               ///< by address
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  ///< size and address
};

}  // namespace onecast
