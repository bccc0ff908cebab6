#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace onecast {

/// A value that few of very many objects have; without one, it takes a pointer.
template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(const Rare& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) *this = Rare(other);
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  /// Returns null if there is none.
  [[nodiscard]] const T* get() const { return value_.get(); }
  /// Returns the value, which is made if there is none.
  T& change() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }
  [[nodiscard]] bool is_set() const { return value_ != nullptr; }
  void reset() { value_.reset(); }

 private:
  std::unique_ptr<T> value_;
};

/// A vector that mostly is empty.
template <class T>
class RareVector {
 public:
  [[nodiscard]] bool empty() const { return all().empty(); }
  [[nodiscard]] std::size_t size() const { return all().size(); }
  [[nodiscard]] const T& front() const { return all().front(); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return all()[i]; }
  [[nodiscard]] auto begin() const { return all().begin(); }
  [[nodiscard]] auto end() const { return all().end(); }
  [[nodiscard]] std::span<const T> all() const {
    const std::vector<T>* const known = all_.get();
    return known != nullptr ? std::span<const T>(*known) : std::span<const T>();
  }
  void push_back(const T& element) { all_.change().push_back(element); }
  void clear() { all_.reset(); }

 private:
  Rare<std::vector<T>> all_;
};

}  // namespace onecast
