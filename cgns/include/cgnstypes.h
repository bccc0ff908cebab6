#ifndef CGNSTYPES_H
#define CGNSTYPES_H

/* The types that follow from how this library was built. */

#include <limits.h>
#include <stdint.h>

#include "cgnsconfig.h"

#if LONG_MAX > 0x7FFFFFFF
#define CG_LONG_T long
#else
#define CG_LONG_T long long
#endif

#define CG_MAX_INT32 0x7FFFFFFF

#if CG_BUILD_64BIT
#define CG_SIZEOF_SIZE 64
#define CG_SIZE_DATATYPE "I8"
#define CG_SIZE_MAX INT64_MAX
#define PRIdCGSIZE PRId64
typedef int64_t cgsize_t;
#else
#define CG_SIZEOF_SIZE 32
#define CG_SIZE_DATATYPE "I4"
#define CG_SIZE_MAX CG_MAX_INT32
#define PRIdCGSIZE PRId32
typedef int32_t cgsize_t;
#endif
#include <inttypes.h>

typedef int cgint_t;
typedef int cgerr_t;
typedef int cgint_f;
typedef double cgid_t;
typedef int64_t cglong_t;
typedef uint64_t cgulong_t;

#endif
