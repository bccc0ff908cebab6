#ifndef ONECAST_CAPI_DIMENSION_SCALE_H
#define ONECAST_CAPI_DIMENSION_SCALE_H

#include "onecast/capi/dataset.h"

ONECAST_BEGIN_C

/// Dimension scales, as the HDF5 library's "dimension scales" interface (H5DS) and netCDF-4 store
/// them: attributes that name one dataset, the scale, as the coordinates along a dimension of
/// another. Functions that change something are @collective with the @same arguments, and do not
/// communicate; the others are @independent. Errors: INVALID_ARGUMENT (no such dimension), FORMAT
/// (attributes of these names with other contents), and those of object.h.

/// Makes a dataset a scale. Errors: INVALID_ARGUMENT (the dataset has scales itself). @param name
/// NULL or "": no name @replicated
ONECAST_API onecast_status onecast_scale_make(onecast_object* dataset, const char* name);
/// Sets `scale` to 1 if the dataset is a scale, else to 0. @independent
ONECAST_API onecast_status onecast_scale_check(const onecast_object* dataset, int* scale);
/// Returns the name of a scale; "" if it has none. The caller frees it with onecast_free(*name).
/// @independent
ONECAST_API onecast_status onecast_scale_get_name(const onecast_object* scale, char** name);

/// Appends a scale to the scales of a dimension of a dataset; does nothing if it is one of them. If
/// `scale` is not a scale yet, it becomes one. Errors: INVALID_ARGUMENT (`dataset` is a scale,
/// `scale` has scales, or they are in different files). @replicated
ONECAST_API onecast_status onecast_scale_attach(onecast_object* dataset, size_t dimension,
                                                onecast_object* scale);
/// Removes a scale from a dimension. Errors: NOT_FOUND (it is not one of the dimension's scales).
/// @replicated
ONECAST_API onecast_status onecast_scale_detach(onecast_object* dataset, size_t dimension,
                                                onecast_object* scale);
/// Sets `attached` to 1 if `scale` is one of the dimension's scales, else to 0. @independent
ONECAST_API onecast_status onecast_scale_is_attached(const onecast_object* dataset,
                                                     size_t dimension, const onecast_object* scale,
                                                     int* attached);
/// Returns the number of scales of a dimension. @independent
ONECAST_API onecast_status onecast_scale_get_count(const onecast_object* dataset, size_t dimension,
                                                   size_t* count);
/// Opens a scale of a dimension. Errors: NOT_FOUND (the scale was removed from the file),
/// INVALID_ARGUMENT. @param number counted from 0, in the order in which the scales were attached
/// @independent
ONECAST_API onecast_status onecast_scale_open(const onecast_object* dataset, size_t dimension,
                                              size_t number, onecast_object** scale);

/// Gives a dimension of a dataset a label. @replicated
ONECAST_API onecast_status onecast_dimension_set_label(onecast_object* dataset, size_t dimension,
                                                       const char* label);
/// Returns the label of a dimension; "" if it has none. The caller frees it with
/// onecast_free(*label). @independent
ONECAST_API onecast_status onecast_dimension_get_label(const onecast_object* dataset,
                                                       size_t dimension, char** label);

ONECAST_END_C

#endif
