#pragma once

#include <cstddef>
#include <memory>
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
  Rare& operator=(const Rare& other) { return *this = Rare(other); }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  /// Returns the value, or one that was constructed without arguments.
  [[nodiscard]] const T& get() const {
    static const T kNone;
    return value_ ? *value_ : kNone;
  }
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
  [[nodiscard]] const std::vector<T>& all() const { return all_.get(); }
  void push_back(const T& element) { all_.change().push_back(element); }
  void clear() { all_.reset(); }

 private:
  Rare<std::vector<T>> all_;
};

}  // namespace onecast
