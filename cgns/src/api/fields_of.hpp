#pragma once

#include "api/locations.hpp"

/// The fields of a solution, for cg_field_ and cgp_field_ functions.
namespace onecast::cgns {

/// Where new fields go.
ArrayHolder fields_for_writing(int fn, int base, int zone, int solution);
ArrayHolder fields_for_reading(int fn, int base, int zone, int solution);
/// Fields are numbers, not characters.
void check_field_type(DataType_t type);

}  // namespace onecast::cgns
