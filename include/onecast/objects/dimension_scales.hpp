#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/dataset.hpp"

/// Dimension scales, as the HDF5 library's "dimension scales" interface (H5DS) and netCDF-4 store
/// them: attributes that name one dataset, the scale, as the coordinates along a dimension of
/// another. Functions that change something are structural: @replicated. Lookups are
/// @independent. All of them throw Error: invalid_argument (no
/// such dimension), format (attributes of these names with other contents), and what Object's
/// functions throw.
namespace onecast {

/// Makes a dataset a scale, with a name that may be empty. Throws Error (invalid_argument) if the
/// dataset has scales itself. @replicated
void make_scale(Dataset& scale, std::string_view name = {});
/// @independent
[[nodiscard]] bool is_scale(const Dataset& dataset);
/// The name that make_scale gave; empty if there is none. @independent
[[nodiscard]] std::string scale_name(const Dataset& scale);

/// Appends a scale to the scales of a dimension of a dataset; does nothing if it is one of them. If
/// `scale` is not a scale yet, it becomes one. Throws Error (invalid_argument) if `dataset` is a
/// scale, if `scale` has scales, or if they are in different files. @replicated
void attach_scale(Dataset& dataset, std::size_t dimension, Dataset& scale);
/// Removes a scale from a dimension. Throws Error (not_found) if it is not one of the dimension's
/// scales. @replicated
void detach_scale(Dataset& dataset, std::size_t dimension, Dataset& scale);
/// @independent
[[nodiscard]] bool is_attached(const Dataset& dataset, std::size_t dimension, const Dataset& scale);
/// The scales of a dimension, in the order in which they were attached. Throws Error (format,
/// not_found) if one of them was removed from the file. @independent
[[nodiscard]] std::vector<Dataset> scales_of(const Dataset& dataset, std::size_t dimension);

/// Gives a dimension of a dataset a label. @replicated
void set_dimension_label(Dataset& dataset, std::size_t dimension, std::string_view label);
/// The label of a dimension; empty if there is none. @independent
[[nodiscard]] std::string dimension_label(const Dataset& dataset, std::size_t dimension);

}  // namespace onecast
