#ifndef CGNSCONFIG_H
#define CGNSCONFIG_H

/* How this library was built: all of it is in cgnstypes.h. */

#include "cgnstypes.h"

#endif
