#pragma once

#include <cstdint>
#include <optional>

#include "api/lookup.hpp"

/// The points of a solution, a boundary condition, a connectivity ...: a range, or a list. A point
/// has as many indices as the zone has dimensions.
namespace onecast::cgns {

// --- what a node has
struct PointSet {
  Node* node;
  PointSetType_t type;
  cgsize_t count;      ///< of points that are stored: of a range 2, its first and its last
  std::uint64_t size;  ///< of points in it
};

/// How many points a list or range stores. Failure if they do not have that many indices.
cgsize_t count_of_points(Node& points, int dimensions);
/// Absent if the node has neither a range nor a list. Failure if it does not fit `dimensions`.
std::optional<PointSet> point_set_of(Node& parent, int dimensions);
/// Failure if the node has none.
PointSet required_points(Node& parent, int dimensions);
/// What cg_..._info functions say of a node's points: PointSetTypeNull and 0 if it has none.
void give_points_info(Node& parent, int dimensions, PointSetType_t* type, cgsize_t* count);
/// The indices of all stored points, into the caller's memory.
void read_points(Node& points, cgsize_t* indices);

// --- what is to be written
struct NewPoints {
  PointSetType_t type;
  cgsize_t count;
  const cgsize_t* indices;  ///< null: ranks write them later
};

/// Failure unless it is a range of two points, or a list of one or more.
void check_points(const NewPoints& points);
/// The number of points in a set that was checked. Needs its indices if it is a range.
std::uint64_t size_of(const NewPoints& points, int dimensions);
/// Creates PointRange or PointList.
void write_points(Node& parent, int dimensions, const NewPoints& points);
/// Creates a list or range of any name.
void write_indices(Node& parent, const char* name, Label label, int dimensions, cgsize_t count,
                   const cgsize_t* indices);

}  // namespace onecast::cgns
