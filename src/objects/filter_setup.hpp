#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "filters/filters.hpp"
#include "onecast/filters/filter.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast {

/// What filters have to know of a new dataset.
struct FilteredDataset {
  const Datatype& type;
  const Shape& chunk;  ///< elements per chunk in each dimension
  /// One element in `type`; empty: zeros, the default; absent: what nobody wrote is undefined.
  std::optional<std::span<const std::byte>> fill_value = std::span<const std::byte>{};
};

/// The entry of the Filter Pipeline message: the user's parameters, checked, and those that follow
/// from the dataset, as the HDF5 library and the registered plugins store them. Throws Error,
/// beginning with `where`: invalid_argument, if they are not valid or the filter cannot be applied
/// to such a dataset; unsupported, if it is not optional and Onecast lacks it.
FilterSpec prepare_filter(const Filter& filter, const FilteredDataset& dataset,
                          const std::string& where);

}  // namespace onecast
