#pragma once

#include <cstdint>
#include <optional>

#include "api/lookup.hpp"

/// The points of a solution, a boundary condition, a connectivity, and so on: a range or a list. A
/// point has as many indices as the zone has dimensions.
namespace onecast::cgns {

// --- what a node has
struct PointSet {
  Node* node;
  PointSetType_t type;
  cgsize_t count;      ///< number of points that are stored: 2 of a range, its first and its last
  std::uint64_t size;  ///< number of points in the set
};

/// Returns the number of points that a list or range stores. Throws Failure if they do not have
/// that many indices.
cgsize_t count_of_points(Node& points, int dimensions);
/// Returns the points of a node; absent if it has neither a range nor a list. Throws Failure if
/// they do not fit `dimensions`.
std::optional<PointSet> point_set_of(Node& parent, int dimensions);
/// Returns the points of a node. Throws Failure if it has none.
PointSet required_points(Node& parent, int dimensions);
/// Returns what cg_..._info functions tell about a node's points: PointSetTypeNull and 0 if it has
/// none.
void give_points_info(Node& parent, int dimensions, PointSetType_t* type, cgsize_t* count);
/// Reads the indices of all stored points to the caller's memory.
void read_points(Node& points, cgsize_t* indices);

// --- what is to be written
struct NewPoints {
  PointSetType_t type;
  cgsize_t count;
  const cgsize_t* indices;  ///< null: ranks write them later
};

/// Throws Failure unless `points` is a range of two points, or a list of one or more.
void check_points(const NewPoints& points);
/// Returns the number of points in a set that was checked. Requires the indices of a range.
std::uint64_t size_of(const NewPoints& points, int dimensions);
/// Creates PointRange or PointList.
void write_points(Node& parent, int dimensions, const NewPoints& points);
/// Creates a list or range of any name.
void write_indices(Node& parent, const char* name, Label label, int dimensions, cgsize_t count,
                   const cgsize_t* indices);

}  // namespace onecast::cgns
