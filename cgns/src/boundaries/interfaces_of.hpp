#pragma once

#include "api/lookup.hpp"

/// The connectivities of zones: functions that those on interfaces and on holes share.
namespace onecast::cgns {

// --- the set of connectivities that is active in a zone: the last written, or that of cg_zconn_set
/// The index of the active set; 0 if the zone has none.
int active_set_index(OpenFile& file, Node& zone);
void set_active(OpenFile& file, Node& zone, int index);
/// The active set; null if the zone has none.
Node* active_set(OpenFile& file, Node& zone);
/// The active set, which is created if the zone has none.
Node& active_set_for_writing(OpenFile& file, Node& zone);

// --- the nodes of the active set
int count_in_active(OpenFile& file, int base, int zone, Label kind);
/// Throws Failure (node not found) if there is no such node.
Node& in_active(OpenFile& file, int base, int zone, Label kind, int index);

// --- donor zones
/// Throws Failure unless `donor` is the name of a zone, or of a base and a zone: "Base/Zone".
std::string checked_donor(const char* name);
/// The name of the donor as it is stored, at most 65 characters.
std::string donor_name(Node& interface);
/// Returns the donor zone of an interface, in its base or another. Throws Failure if there is none.
Node& donor_of(Node& interface);

}  // namespace onecast::cgns
