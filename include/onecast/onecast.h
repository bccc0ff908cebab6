#ifndef ONECAST_ONECAST_H
#define ONECAST_ONECAST_H

/// The C API of Onecast, C99, also for C++ and for Fortran's ISO_C_BINDING. Opening on an MPI
/// communicator is onecast_mpi.h.
///
/// - Functions return a status, ONECAST_OK (0) if all is well; onecast_last_error() says what was
///   wrong. Nothing throws, and NULL where something is needed is ONECAST_INVALID_ARGUMENT.
/// - What a function makes comes back through its last parameter, which is set to NULL (a number:
///   left alone) if it fails. Handles are given back by onecast_X_close or onecast_X_free, which
///   take the address of the handle and set it to NULL; NULL is allowed there. All other memory
///   that a function returns is given back by onecast_free.
/// - Paths and names are UTF-8 and end with NUL. Shapes count elements, slowest dimension first (C
///   order; Fortran programs give them in reverse). Sizes are bytes.
/// - @collective: all ranks of the file's communicator call it, in the same order; it fails on all
///   of them or on none. @independent: any rank, any time. "Does not communicate": the next flush
///   compares. Parameters are @same (equal on all ranks) or @local. Of a file that is open on one
///   process these are all the same. A NULL handle on one rank only cannot be told to the others:
///   they wait.
/// - Any number of threads may read one file at once; everything else is for one thread, while no
///   other uses the file. A handle may be freed by any thread.

#include "onecast/capi/attribute.h"
#include "onecast/capi/check.h"
#include "onecast/capi/chunk.h"
#include "onecast/capi/communicator.h"
#include "onecast/capi/dataset.h"
#include "onecast/capi/file.h"
#include "onecast/capi/group.h"
#include "onecast/capi/multi.h"
#include "onecast/capi/object.h"
#include "onecast/capi/pending.h"
#include "onecast/capi/random_access_file.h"
#include "onecast/capi/reference.h"
#include "onecast/capi/selection.h"
#include "onecast/capi/space.h"
#include "onecast/capi/status.h"
#include "onecast/capi/structs.h"
#include "onecast/capi/type.h"

#endif
