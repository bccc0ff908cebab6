#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "onecast/space/dataspace.hpp"

namespace onecast {

class SpanTree;

/// [first, end) of one dimension.
struct Interval {
  std::uint64_t first, end;
  bool operator==(const Interval&) const = default;
};

/// Which elements of an array are meant: all, none, a hyperslab, any set made of hyperslabs, or
/// points. A value that knows no array: whether it fits one is checked where it is used. All of
/// Selection is @independent, and throws Error (invalid_argument) for what is said to be wrong.
///
/// Elements are taken in C order; points in the order given, and as often as given. Sets are kept
/// as intervals that their coordinates share: the memory they take does not grow with the number of
/// elements. Beyond 16 million intervals they are refused.
class Selection {
 public:
  enum class Kind : std::uint8_t { all, none, hyperslab, irregular, points };

  /// All elements, of an array of any shape.
  Selection() = default;
  /// A hyperslab. One count or block of Dataspace::kUnlimited means as many as the array has.
  Selection(Hyperslab part);  // NOLINT(google-explicit-constructor): a hyperslab is a selection
  static Selection none();
  /// `coordinates`: `rank` numbers for each point. Wrong: a number of them that is no multiple.
  static Selection points(std::size_t rank, std::vector<std::uint64_t> coordinates);
  /// All elements whose coordinate in each dimension lies in one of the intervals in
  /// `sides[dimension]`. Wrong: these do not ascend, or overlap.
  static Selection product(std::span<const std::vector<Interval>> sides);
  /// All elements of the blocks, each given by `rank` intervals. They may overlap. Wrong: a number
  /// of intervals that is no multiple; an interval that ends before it begins.
  static Selection blocks(std::size_t rank, std::span<const Interval> intervals);

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(what_.index()); }
  /// Dimensions of the arrays it fits; 0 of all and none, which fit any.
  [[nodiscard]] std::size_t rank() const;
  /// Of Kind::hyperslab; as it was given. Else std::bad_variant_access.
  [[nodiscard]] const Hyperslab& hyperslab() const { return std::get<Hyperslab>(what_); }
  /// Of Kind::points: rank() for each.
  [[nodiscard]] const std::vector<std::uint64_t>& coordinates() const {
    return std::get<Points>(what_).coordinates;
  }
  [[nodiscard]] bool is_unlimited() const;

  /// Wrong: of all, and of an unlimited hyperslab.
  [[nodiscard]] std::uint64_t element_count() const;
  /// The first coordinates, and those behind the last, that a selection reaches.
  struct Box {
    Shape start, end;
    bool operator==(const Box&) const = default;
  };
  /// Start and end are equal where there are no elements. Wrong: of all and of the unlimited.
  [[nodiscard]] Box bounding_box() const;

  /// How many coordinates it has in each dimension, if any of them goes with any of the others; so
  /// that its elements fill an array of that shape. Absent of points and other sets. Wrong: of all
  /// and of the unlimited.
  [[nodiscard]] std::optional<Shape> product_shape() const;

  /// Set operations of two with the same rank: union, intersection, difference, and what is in one
  /// of them alone. Points become a set, in C order. Wrong: another rank; one that is unlimited;
  /// a difference from all, which only complement() can make.
  friend Selection operator|(const Selection& a, const Selection& b);
  friend Selection operator&(const Selection& a, const Selection& b);
  friend Selection operator-(const Selection& a, const Selection& b);
  friend Selection operator^(const Selection& a, const Selection& b);
  Selection& operator|=(const Selection& b) { return *this = *this | b; }
  Selection& operator&=(const Selection& b) { return *this = *this & b; }
  Selection& operator-=(const Selection& b) { return *this = *this - b; }
  Selection& operator^=(const Selection& b) { return *this = *this ^ b; }
  /// What it leaves of an array of this shape.
  [[nodiscard]] Selection complement(const Shape& shape) const;
  /// What of it lies in an array of this shape; an unlimited one then ends there.
  [[nodiscard]] Selection clipped(const Shape& shape) const;

  /// Calls `each` with the rank() intervals of blocks without common elements that together are the
  /// selection; points one by one. Wrong: of all and of the unlimited.
  void for_each_block(const std::function<void(std::span<const Interval>)>& each) const;

  /// The same elements in the same order, whatever made them. (Points are never equal to a set, nor
  /// is all to a hyperslab.)
  friend bool operator==(const Selection& a, const Selection& b);
  /// Equal for equal selections.
  [[nodiscard]] std::uint64_t digest() const;

 private:
  friend class BoundSelection;
  struct All {
    bool operator==(const All&) const = default;
  };
  struct None {
    bool operator==(const None&) const = default;
  };
  struct Points {
    std::size_t rank;
    std::vector<std::uint64_t> coordinates;
    bool operator==(const Points&) const = default;
  };
  using Tree = std::shared_ptr<const SpanTree>;  ///< of a set without such a regular form

  /// The hyperslab that the tree is, or the tree.
  static Selection of_tree(Tree tree);
  static Selection combine(const Selection& a, const Selection& b, bool only_first,
                           bool only_second, bool both);
  /// The set of the elements; null: none.
  [[nodiscard]] Tree tree() const;
  /// Of selections with equal elements the same form.
  [[nodiscard]] Selection normal() const;

  // In the order of Kind.
  std::variant<All, None, Hyperslab, Tree, Points> what_;
};

/// How elements lie in memory: those of `selection` in an array of `shape`, the first of them for
/// the first that is read or written, and so on. Bytes of others are not touched.
class MemoryLayout {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a shape is a layout
  MemoryLayout(Shape shape, Selection selection = {})
      : shape_(std::move(shape)), selection_(std::move(selection)) {}
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const Selection& selection() const { return selection_; }

 private:
  Shape shape_;
  Selection selection_;
};

}  // namespace onecast
