#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "onecast/onecast.hpp"

/// A model of a dataset in memory, to compare with.
namespace onecast::test {

/// Elements of int32. Missing elements have the fill value.
class ChunkedModel {
 public:
  ChunkedModel(Shape shape, std::int32_t fill) : shape_(std::move(shape)), fill_(fill) {}

  [[nodiscard]] const Shape& shape() const { return shape_; }

  /// Elements outside of the new shape are lost.
  void resize(const Shape& shape) {
    shape_ = shape;
    std::erase_if(values_, [&](const auto& entry) {
      for (std::size_t d = 0; d < shape_.size(); ++d)
        if (entry.first[d] >= shape_[d]) return true;
      return false;
    });
  }

  void write(const Hyperslab& part, const std::vector<std::int32_t>& values) {
    std::size_t i = 0;
    for_each(part, [&](const Shape& at) { values_[at] = values[i++]; });
  }

  [[nodiscard]] std::vector<std::int32_t> read(const Hyperslab& part) const {
    std::vector<std::int32_t> values;
    for_each(part, [&](const Shape& at) {
      const auto found = values_.find(at);
      values.push_back(found == values_.end() ? fill_ : found->second);
    });
    return values;
  }
  [[nodiscard]] Hyperslab all() const { return {Shape(shape_.size(), 0), shape_, {}, {}}; }

  /// Returns a random part; an empty one in dimensions without elements.
  template <class Random>
  Hyperslab some_part(Random& random) const {
    Hyperslab part;
    for (const std::uint64_t n : shape_) {
      const std::uint64_t stride = random() % 4 == 0 ? 1 + random() % 3 : 1;
      const std::uint64_t start = n == 0 ? 0 : random() % n;
      const std::uint64_t most = n == 0 ? 0 : (n - start - 1) / stride + 1;
      part.start.push_back(start);
      part.count.push_back(most == 0 ? 0 : 1 + random() % most);
      part.stride.push_back(stride);
    }
    return part;
  }

 private:
  template <class F>
  static void for_each(const Hyperslab& part, F&& each) {
    Shape k(part.start.size(), 0);
    if (std::find(part.count.begin(), part.count.end(), 0) != part.count.end()) return;
    for (;;) {
      Shape at = part.start;
      for (std::size_t d = 0; d < at.size(); ++d)
        at[d] += k[d] * (part.stride.empty() ? 1 : part.stride[d]);
      each(at);
      std::size_t d = k.size();
      while (d > 0 && ++k[d - 1] == part.count[d - 1]) k[--d] = 0;
      if (d == 0) return;
    }
  }

  Shape shape_;
  std::int32_t fill_;
  std::map<Shape, std::int32_t> values_;
};

inline std::uint64_t count_of(const Hyperslab& part) {
  std::uint64_t n = 1;
  for (const std::uint64_t c : part.count) n *= c;
  return n;
}

inline std::vector<std::int32_t> read_int32(const Dataset& data, const Hyperslab& part) {
  std::vector<std::int32_t> values(count_of(part));
  data.read(std::as_writable_bytes(std::span(values)), part);
  return values;
}

inline std::vector<std::byte> bytes_of(std::int32_t value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace onecast::test
