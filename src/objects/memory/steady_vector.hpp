#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"

namespace onecast::memory {

/// A vector in an arena, which takes no memory back: it grows by further blocks, so elements do not
/// move and are never copied.
template <class T>
class SteadyVector {
  template <class Owner, class Element>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::remove_const_t<Element>;
    using difference_type = std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element&;

    Iterator() = default;
    Iterator(Owner& owner, std::size_t index) : owner_(&owner), index_(index) { enter(); }

    reference operator*() const { return *at_; }
    pointer operator->() const { return at_; }
    Iterator& operator++() {
      ++index_;
      if (++at_ == end_) enter();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    /// Enters the block of the element.
    void enter() {
      if (index_ >= owner_->size_) return;
      at_ = &(*owner_)[index_];
      end_ = at_ + owner_->left_in_block(index_);
    }

    Owner* owner_ = nullptr;
    std::size_t index_ = 0;
    Element* at_ = nullptr;
    Element* end_ = nullptr;
  };

 public:
  explicit SteadyVector(Arena& arena) : arena_(&arena) {}
  SteadyVector(const SteadyVector&) = delete;
  SteadyVector& operator=(const SteadyVector&) = delete;
  ~SteadyVector() { clear(); }

  [[nodiscard]] Arena& arena() const { return *arena_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return *slot(i); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return *slot(i); }
  [[nodiscard]] T& back() { return *slot(size_ - 1); }

  /// Returns the index of one of its elements.
  [[nodiscard]] std::size_t index_of(const T& element) const {
    std::size_t start = 0;
    std::size_t size = first_size_;
    const T* block = first_;
    for (std::size_t i = 0; !lies_in(block, size, element); ++i) {
      start += size;
      size = kStep << i;
      block = further_[i];
    }
    return start + static_cast<std::size_t>(&element - block);
  }

  auto begin() { return Iterator<SteadyVector, T>(*this, 0); }
  auto end() { return Iterator<SteadyVector, T>(*this, size_); }
  auto begin() const { return Iterator<const SteadyVector, const T>(*this, 0); }
  auto end() const { return Iterator<const SteadyVector, const T>(*this, size_); }
  /// Calls each(element) for the elements from this index on.
  template <class F>
  void for_each_from(std::size_t index, F&& each) {
    for (const std::size_t last = size_; index < last;) {
      T* at = slot(index);
      const std::size_t count = std::min(left_in_block(index), last - index);
      for (T* const end = at + count; at != end; ++at) each(*at);
      index += count;
    }
  }

  /// Reserves one block for `count` elements. Must come before the first element.
  void reserve(std::size_t count) {
    if (first_ != nullptr || count == 0) return;
    if (count > UINT32_MAX) throw std::bad_alloc();
    first_ = allocate(count);
    first_size_ = static_cast<std::uint32_t>(count);
  }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (size_ == capacity_end()) grow();
    T* made = new (slot(size_)) T{std::forward<Arguments>(arguments)...};
    ++size_;
    return *made;
  }
  void clear() {
    if constexpr (!std::is_trivially_destructible_v<T>)
      for (T& element : *this) std::destroy_at(&element);
    size_ = 0;
  }

 private:
  // The first block has the reserved size or kStep elements; the later ones have kStep, 2 kStep, 4
  // kStep ... elements. Most groups that a mesh's file has hold one or two links.
  static constexpr std::size_t kStep = 2;

  [[nodiscard]] static bool lies_in(const T* block, std::size_t size, const T& element) {
    return !std::less<>()(&element, block) && std::less<>()(&element, block + size);
  }
  [[nodiscard]] static std::size_t block_of(std::size_t behind_first) {
    return static_cast<std::size_t>(std::bit_width(behind_first / kStep + 1)) - 1;
  }
  [[nodiscard]] static std::size_t start_of(std::size_t block) {
    return kStep * ((std::size_t{1} << block) - 1);
  }
  [[nodiscard]] T* slot(std::size_t i) const {
    if (i < first_size_) return first_ + i;
    const std::size_t behind = i - first_size_;
    const std::size_t block = block_of(behind);
    return further_[block] + (behind - start_of(block));
  }
  [[nodiscard]] std::size_t left_in_block(std::size_t i) const {
    if (i < first_size_) return first_size_ - i;
    const std::size_t behind = i - first_size_;
    return start_of(block_of(behind) + 1) - behind;
  }
  [[nodiscard]] std::size_t capacity_end() const { return first_size_ + start_of(blocks_); }
  void grow() {
    if (first_ == nullptr) return reserve(kStep);
    constexpr std::size_t kFew = 4;
    if (blocks_ == 0 || (blocks_ >= kFew && std::has_single_bit(blocks_))) {
      T** more = static_cast<T**>(arena_->memory()->allocate(
          std::max(kFew, std::size_t{2} * blocks_) * sizeof(T*), alignof(T*)));
      std::copy_n(further_, blocks_, more);
      further_ = more;
    }
    further_[blocks_] = allocate(kStep << blocks_);
    ++blocks_;
  }
  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(arena_->memory()->allocate(count * sizeof(T), alignof(T)));
  }

  Arena* arena_;
  T* first_ = nullptr;
  T** further_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t first_size_ = 0;
  std::uint32_t blocks_ = 0;  ///< the number of further blocks
};

}  // namespace onecast::memory
