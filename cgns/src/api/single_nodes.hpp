#pragma once

#include "api/lookup.hpp"

/// Nodes of which their parent has one, whatever its name.
namespace onecast::cgns {

/// The only child of that label, or Failure (node not found).
Node& only(Node& parent, Label label);
/// Creates it, under that name or the one that the table of labels has. Failure if there is one and
/// the file is new; else it takes the old one's place.
Node& create_only(Node& parent, Label label, const Value& value, const char* name = nullptr);

/// The nearest node of that label among the node and those above it; null if there is none.
Node* nearest(Node& node, Label label);
/// The base in which the node is.
Node& base_of(Node& node);
/// Whether it lies in a zone, or one of particles.
bool has_indices(Node& node);
/// How many dimensions indices below a node have: those of its zone; 1 for particles. Failure (no
/// index dimension) outside of zones.
int index_dimension_at(Node& node);

}  // namespace onecast::cgns
