#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "onecast/space/selection.hpp"
#include "support/selection_model.hpp"

namespace onecast::test {

/// A set of elements of an array, with one flag for each. It defines the set operations of
/// Selection.
struct Bitmap {
  Shape shape;
  std::vector<bool> in;

  explicit Bitmap(Shape s) : shape(std::move(s)), in(Dataspace(shape).element_count()) {}
  Bitmap(Shape s, const Hyperslab& part) : Bitmap(std::move(s)) {
    for (const std::uint64_t e : SelectionModel(shape, part).elements) in[e] = true;
  }

  /// Returns the elements in C order.
  [[nodiscard]] std::vector<std::uint64_t> elements() const {
    std::vector<std::uint64_t> found;
    for (std::size_t e = 0; e < in.size(); ++e)
      if (in[e]) found.push_back(e);
    return found;
  }

  template <class F>
  static Bitmap combine(const Bitmap& a, const Bitmap& b, F&& rule) {
    Bitmap result(a.shape);
    for (std::size_t e = 0; e < result.in.size(); ++e) result.in[e] = rule(a.in[e], b.in[e]);
    return result;
  }
};

inline std::vector<std::uint64_t> coordinates_of(const Shape& shape, std::uint64_t element) {
  std::vector<std::uint64_t> at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; element /= shape[d]) at[d] = element % shape[d];
  return at;
}

inline std::uint64_t element_at(const Shape& shape, std::span<const std::uint64_t> at) {
  std::uint64_t element = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) element = element * shape[d] + at[d];
  return element;
}

/// A selection and its elements: random hyperslabs, joined and cut.
struct RandomSet {
  Selection selection;
  Bitmap bitmap;

  RandomSet(const Shape& shape, std::mt19937& random, int depth)
      : selection(Selection::none()), bitmap(shape) {
    if (depth == 0) {
      const Hyperslab part = random_part(shape, random);
      selection = part;
      bitmap = Bitmap(shape, part);
      return;
    }
    const RandomSet a(shape, random, static_cast<int>(random() % static_cast<unsigned>(depth)));
    const RandomSet b(shape, random, static_cast<int>(random() % static_cast<unsigned>(depth)));
    switch (random() % 4) {
      case 0:
        selection = a.selection | b.selection;
        bitmap = Bitmap::combine(a.bitmap, b.bitmap, [](bool x, bool y) { return x || y; });
        break;
      case 1:
        selection = a.selection & b.selection;
        bitmap = Bitmap::combine(a.bitmap, b.bitmap, [](bool x, bool y) { return x && y; });
        break;
      case 2:
        selection = a.selection - b.selection;
        bitmap = Bitmap::combine(a.bitmap, b.bitmap, [](bool x, bool y) { return x && !y; });
        break;
      default:
        selection = a.selection ^ b.selection;
        bitmap = Bitmap::combine(a.bitmap, b.bitmap, [](bool x, bool y) { return x != y; });
    }
  }
};

inline Shape random_shape(std::mt19937& random, std::size_t most_dimensions, unsigned most) {
  Shape shape(1 + random() % most_dimensions);
  for (std::uint64_t& n : shape) n = 1 + random() % most;
  return shape;
}

}  // namespace onecast::test
