#ifndef ONECAST_CAPI_MULTI_H
#define ONECAST_CAPI_MULTI_H

#include "onecast/capi/dataset.h"
#include "onecast/capi/file.h"

ONECAST_BEGIN_C

/// One write in a list: the arguments of onecast_dataset_write_all.
typedef struct onecast_write_request {
  onecast_object* dataset;
  const onecast_selection* part;    ///< NULL: all
  const onecast_type* memory_type;  ///< NULL: the stored type
  const void* data;
  size_t size;  ///< bytes at `data`
} onecast_write_request;

/// One read in a list: the arguments of onecast_dataset_read_all.
typedef struct onecast_read_request {
  const onecast_object* dataset;
  const onecast_selection* part;
  const onecast_type* memory_type;
  void* out;
  size_t size;
} onecast_read_request;

/// Writes to many datasets of the file in one collective call. All ranks name the same datasets in
/// one order, each with its own part or nothing. Contiguous data and unfiltered chunks of all
/// datasets go to the file in one transfer, with one agreement. Other data follows in the order of
/// the list. Parts of one dataset must not overlap. Errors: those of onecast_dataset_write_all, and
/// DIVERGED (the lists name different datasets). @collective @local
ONECAST_API onecast_status onecast_file_write_multi(onecast_file* file, size_t count,
                                                    const onecast_write_request* requests);
/// Reads from many datasets of the file in one collective call, with lists as
/// onecast_file_write_multi takes them; parts may overlap. Parts that all ranks want, and filtered
/// chunks that several ranks want, are read once. @collective @local
ONECAST_API onecast_status onecast_file_read_multi(const onecast_file* file, size_t count,
                                                   const onecast_read_request* requests);
/// Like onecast_file_write_multi and onecast_file_read_multi, but the list of each rank names
/// datasets of its own, any number of them, or none. @collective @local
ONECAST_API onecast_status onecast_file_write_multi_own(onecast_file* file, size_t count,
                                                        const onecast_write_request* requests);
ONECAST_API onecast_status onecast_file_read_multi_own(const onecast_file* file, size_t count,
                                                       const onecast_read_request* requests);

ONECAST_END_C

#endif
