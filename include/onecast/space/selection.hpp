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

namespace space {
class BoundSelection;
class SpanTree;
}  // namespace space

/// The coordinates [first, end) of one dimension.
struct Interval {
  std::uint64_t first, end;
  bool operator==(const Interval&) const = default;
};

/// A selection of elements of an array: all, none, a hyperslab, any set made of hyperslabs, or
/// points. A selection is a value and does not know the array: the call that uses it checks that it
/// fits. All functions are @independent, and throw Error (invalid_argument) for arguments that
/// their comments call wrong.
///
/// Elements are taken in C order; points in the order given, and as often as given. Sets are kept
/// as intervals of coordinates, so their memory does not grow with the number of elements. A set of
/// more than 16 million intervals is refused.
class Selection {
 public:
  enum class Kind : std::uint8_t { all, none, hyperslab, irregular, points };

  /// Selects all elements of an array of any shape.
  Selection() = default;
  /// Selects a hyperslab. One count or block may be Dataspace::kUnlimited: as many as the array
  /// has.
  Selection(Hyperslab part);  // NOLINT(google-explicit-constructor): a hyperslab is a selection
  static Selection none();
  /// Selects points. `coordinates` has `rank` numbers for each point. Wrong: a number of
  /// coordinates that is not a multiple of `rank`.
  static Selection points(std::size_t rank, std::vector<std::uint64_t> coordinates);
  /// Selects all elements whose coordinate in each dimension lies in one of the intervals
  /// `sides[dimension]`. Wrong: intervals that do not ascend, or that overlap.
  static Selection product(std::span<const std::vector<Interval>> sides);
  /// Selects all elements of the blocks, each given by `rank` intervals. Blocks may overlap. Wrong:
  /// a number of intervals that is not a multiple of `rank`; an interval that ends before it
  /// begins.
  static Selection blocks(std::size_t rank, std::span<const Interval> intervals);

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(what_.index()); }
  /// The number of dimensions of the arrays that the selection fits; 0 for all and none, which fit
  /// any array.
  [[nodiscard]] std::size_t rank() const;
  /// The hyperslab as it was given, for Kind::hyperslab; else throws std::bad_variant_access.
  [[nodiscard]] const Hyperslab& hyperslab() const { return std::get<Hyperslab>(what_); }
  /// The coordinates for Kind::points: rank() numbers for each point.
  [[nodiscard]] const std::vector<std::uint64_t>& coordinates() const {
    return std::get<Points>(what_).coordinates;
  }
  [[nodiscard]] bool is_unlimited() const;

  /// The number of elements. Wrong: for all, and for an unlimited hyperslab.
  [[nodiscard]] std::uint64_t element_count() const;
  /// A box: its first coordinates, and the coordinates behind its last.
  struct Box {
    Shape start, end;
    bool operator==(const Box&) const = default;
  };
  /// The smallest box that contains all elements; empty (start equals end) if there are none.
  /// Wrong: for all, and for an unlimited hyperslab.
  [[nodiscard]] Box bounding_box() const;

  /// The sizes of the sets of coordinates, one for each dimension, whose product the selection is:
  /// its elements fill an array of that shape. Absent for points and for other sets. Wrong: for
  /// all, and for an unlimited hyperslab.
  [[nodiscard]] std::optional<Shape> product_shape() const;

  /// Returns the union, intersection, difference or symmetric difference of two selections with
  /// equal numbers of dimensions. Points become a set, in C order. Wrong: different numbers of
  /// dimensions; an unlimited hyperslab; a difference from all (use complement()).
  friend Selection operator|(const Selection& a, const Selection& b);
  friend Selection operator&(const Selection& a, const Selection& b);
  friend Selection operator-(const Selection& a, const Selection& b);
  friend Selection operator^(const Selection& a, const Selection& b);
  Selection& operator|=(const Selection& b) { return *this = *this | b; }
  Selection& operator&=(const Selection& b) { return *this = *this & b; }
  Selection& operator-=(const Selection& b) { return *this = *this - b; }
  Selection& operator^=(const Selection& b) { return *this = *this ^ b; }
  /// The elements of an array of this shape that are not selected.
  [[nodiscard]] Selection complement(const Shape& shape) const;
  /// The selected elements that lie in an array of this shape. An unlimited hyperslab ends at the
  /// array's end.
  [[nodiscard]] Selection clipped(const Shape& shape) const;

  /// Calls `each` for blocks that make up the selection and do not overlap, with rank() intervals
  /// each. For points, each point is one block. Wrong: for all, and for an unlimited hyperslab.
  void for_each_block(const std::function<void(std::span<const Interval>)>& each) const;

  /// True if both select equal elements in equal order, however they were made. Points never equal
  /// a set, and all never equals a hyperslab.
  friend bool operator==(const Selection& a, const Selection& b);
  /// A number that is equal for equal selections.
  [[nodiscard]] std::uint64_t digest() const;

 private:
  friend class space::BoundSelection;
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
  using Tree = std::shared_ptr<const space::SpanTree>;  ///< a set that is not a hyperslab

  /// Returns a hyperslab if the tree is one, else the tree.
  static Selection of_tree(Tree tree);
  static Selection combine(const Selection& a, const Selection& b, bool only_first,
                           bool only_second, bool both);
  /// The elements as a set; null if there are none.
  [[nodiscard]] Tree tree() const;
  /// A form that is equal for selections with equal elements.
  [[nodiscard]] Selection normal() const;

  // The alternatives are in the order of Kind.
  std::variant<All, None, Hyperslab, Tree, Points> what_;
};

/// The layout of elements in memory: the elements of `selection` in an array of `shape`, in the
/// order in which they are read or written. Other bytes of the array are not touched. A value.
/// @independent
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
