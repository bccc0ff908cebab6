#pragma once

#include "api/lookup.hpp"

namespace onecast::cgns {

/// Returns a boundary condition of a zone. Throws Failure (node not found) if there is none.
Node& boundary_at(OpenFile& file, int base, int zone, int index);

}  // namespace onecast::cgns
