#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace onecast {

/// Unique values in ascending order, in blocks of memory.
///
/// Building it from a sorted list costs one copy, and a change moves at most one block. So it is
/// faster to build than a tree of nodes, and not slower to change.
template <class T>
class SortedBlocks {
 public:
  using Block = std::vector<T>;
  using Blocks = std::vector<Block>;
  static constexpr std::size_t kMostInBlock = 512;

  /// Valid until the next change.
  class Iterator {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    Iterator() = default;
    Iterator(const Blocks& blocks, std::size_t block, std::size_t at)
        : blocks_(&blocks), block_(block), at_(at) {}

    reference operator*() const { return (*blocks_)[block_][at_]; }
    pointer operator->() const { return &**this; }
    Iterator& operator++() {
      if (++at_ == (*blocks_)[block_].size()) {
        ++block_;
        at_ = 0;
      }
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, std::next(*this)); }
    Iterator& operator--() {
      if (at_ == 0) at_ = (*blocks_)[--block_].size();
      --at_;
      return *this;
    }
    Iterator operator--(int) { return std::exchange(*this, std::prev(*this)); }
    bool operator==(const Iterator&) const = default;

   private:
    friend SortedBlocks;
    const Blocks* blocks_ = nullptr;
    std::size_t block_ = 0;
    std::size_t at_ = 0;
  };

  SortedBlocks() = default;
  /// `sorted` must be in ascending order, without duplicates.
  explicit SortedBlocks(Block sorted) : count_(sorted.size()) {
    if (sorted.empty()) return;
    if (sorted.size() <= kMostInBlock) {
      blocks_.push_back(std::move(sorted));
      return;
    }
    // Each block has room for more.
    constexpr std::size_t kInBlock = kMostInBlock / 2;
    for (std::size_t first = 0; first < sorted.size(); first += kInBlock) {
      const std::size_t end = std::min(first + kInBlock, sorted.size());
      blocks_.emplace_back(sorted.begin() + static_cast<std::ptrdiff_t>(first),
                           sorted.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] Iterator begin() const { return {blocks_, 0, 0}; }
  [[nodiscard]] Iterator end() const { return {blocks_, blocks_.size(), 0}; }

  /// The first value that is not less.
  [[nodiscard]] Iterator lower_bound(const T& value) const {
    if (blocks_.empty()) return end();
    const std::size_t block = block_for(value);
    const Block& values = blocks_[block];
    const auto at = std::lower_bound(values.begin(), values.end(), value);
    if (at == values.end()) return {blocks_, block + 1, 0};
    return {blocks_, block, static_cast<std::size_t>(at - values.begin())};
  }

  /// Inserts a value, which must be new.
  void insert(const T& value) {
    if (blocks_.empty()) blocks_.emplace_back();
    const std::size_t block = block_for(value);
    Block& values = blocks_[block];
    values.insert(std::lower_bound(values.begin(), values.end(), value), value);
    ++count_;
    if (values.size() > kMostInBlock) split(block);
  }

  void erase(const Iterator& at) {
    Block& values = blocks_[at.block_];
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at.at_));
    --count_;
    if (values.empty())
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(at.block_));
    else if (at.block_ + 1 < blocks_.size())
      join(at.block_);
  }

 private:
  /// The last block that does not begin after the value, or the first block.
  [[nodiscard]] std::size_t block_for(const T& value) const {
    const auto behind =
        std::upper_bound(blocks_.begin() + 1, blocks_.end(), value,
                         [](const T& v, const Block& block) { return v < block.front(); });
    return static_cast<std::size_t>(behind - blocks_.begin()) - 1;
  }
  void split(std::size_t block) {
    const auto at = blocks_.begin() + static_cast<std::ptrdiff_t>(block);
    const auto middle = at->begin() + static_cast<std::ptrdiff_t>(at->size() / 2);
    Block second(middle, at->end());
    at->erase(middle, at->end());
    blocks_.insert(std::next(at), std::move(second));
  }
  /// Joins a block with the next one, if both are small.
  void join(std::size_t block) {
    Block& values = blocks_[block];
    const auto next = blocks_.begin() + static_cast<std::ptrdiff_t>(block + 1);
    if (values.size() + next->size() > kMostInBlock / 2) return;
    values.insert(values.end(), next->begin(), next->end());
    blocks_.erase(next);
  }

  Blocks blocks_;  ///< no block is empty
  std::size_t count_ = 0;
};

}  // namespace onecast
