#pragma once

#include "api/lookup.hpp"

/// The connectivities of zones: what the functions on interfaces and holes have in common.
namespace onecast::cgns {

// --- the set of connectivities that is active in a zone: the last written, or that of cg_zconn_set
/// 0 if the zone has none.
int active_set_index(OpenFile& file, Node& zone);
void set_active(OpenFile& file, Node& zone, int index);
/// Null if the zone has none.
Node* active_set(OpenFile& file, Node& zone);
/// Created if the zone has none.
Node& active_set_for_writing(OpenFile& file, Node& zone);

// --- what is in it
int count_in_active(OpenFile& file, int base, int zone, Label kind);
/// Failure (node not found) if there is none.
Node& in_active(OpenFile& file, int base, int zone, Label kind, int index);

// --- donor zones
/// Failure unless it is the name of a zone, or that of a base and a zone: "Base/Zone".
std::string checked_donor(const char* name);
/// As it is stored, at most 65 characters.
std::string donor_name(Node& interface);
/// The donor zone of an interface, in its base or another. Failure if there is none.
Node& donor_of(Node& interface);

}  // namespace onecast::cgns
