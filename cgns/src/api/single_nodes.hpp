#pragma once

#include "api/lookup.hpp"

/// Nodes of which a parent has at most one, whatever its name.
namespace onecast::cgns {

/// Returns the only child of that label. Throws Failure (node not found).
Node& only(Node& parent, Label label);
/// Creates the only child of that label, with `name` or the name in the table of labels. If there
/// is one already, replaces it, or throws Failure if the file is new.
Node& create_only(Node& parent, Label label, const Value& value, const char* name = nullptr);

/// Returns the nearest node of that label among the node and its ancestors; null if there is none.
Node* nearest(Node& node, Label label);
/// Returns the base that contains the node.
Node& base_of(Node& node);
/// True if the node lies in a zone or in a zone of particles.
bool has_indices(Node& node);
/// Returns the number of indices of a point below a node: that of its zone, or 1 for particles.
/// Throws Failure (no index dimension) outside of zones.
int index_dimension_at(Node& node);

}  // namespace onecast::cgns
