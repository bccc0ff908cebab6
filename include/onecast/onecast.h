#ifndef ONECAST_ONECAST_H
#define ONECAST_ONECAST_H

/// The C API of Onecast: C99, usable from C++ and through Fortran's ISO_C_BINDING. onecast_mpi.h
/// adds opening a file on an MPI communicator.
///
/// - Functions return a status: ONECAST_OK (0) on success. onecast_last_error() describes the
///   failure. Functions do not throw. If a required argument is NULL, a function returns
///   ONECAST_INVALID_ARGUMENT.
/// - A function returns what it creates through its last parameter. On failure it sets that
///   parameter to NULL, and sizes and counts to 0 (flags and other numbers are left unchanged). The
///   caller closes handles with onecast_X_close or frees them with onecast_X_free, which take the
///   address of the handle and set the handle to NULL; a handle that is NULL already is allowed.
///   The caller frees all other returned memory with onecast_free.
/// - Paths and names are UTF-8 and end with NUL. Shapes count elements, slowest dimension first (C
///   order; Fortran programs reverse them). Sizes are in bytes.
/// - @collective: all ranks of the file's communicator make the call, in one order. The call fails
///   on all ranks or on none. @replicated: all ranks make the call, in one order and with equal
///   arguments. It sends no message; the next collective call compares what the ranks called.
///   @independent: any rank may make the call at any time. A parameter
///   marked @same is equal on all ranks, one marked @local may differ. For a file that is open on
///   one process alone, the marks have no effect. A rank that passes a NULL handle to a collective
///   call cannot report it to the others, which wait for it.
/// - Any number of threads may read one file at the same time. All other calls require that no
///   other thread uses the file. Any thread may free a handle.

#include "onecast/capi/attribute.h"
#include "onecast/capi/check.h"
#include "onecast/capi/chunk.h"
#include "onecast/capi/communicator.h"
#include "onecast/capi/dataset.h"
#include "onecast/capi/dataspace.h"
#include "onecast/capi/dimension_scale.h"
#include "onecast/capi/file.h"
#include "onecast/capi/group.h"
#include "onecast/capi/multi.h"
#include "onecast/capi/object.h"
#include "onecast/capi/pending.h"
#include "onecast/capi/random_access_file.h"
#include "onecast/capi/reference.h"
#include "onecast/capi/selection.h"
#include "onecast/capi/set.h"
#include "onecast/capi/status.h"
#include "onecast/capi/structs.h"
#include "onecast/capi/type.h"

#endif
