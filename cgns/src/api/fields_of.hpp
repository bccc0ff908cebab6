#pragma once

#include "api/locations.hpp"

/// The fields of a solution, for cg_field_ and cgp_field_ functions.
namespace onecast::cgns {

/// The holder of fields of a solution, in a file open for writing or for reading.
ArrayHolder fields_for_writing(int fn, int base, int zone, int solution);
ArrayHolder fields_for_reading(int fn, int base, int zone, int solution);
/// Throws Failure unless the type is a number: fields have no characters.
void check_field_type(DataType_t type);

}  // namespace onecast::cgns
