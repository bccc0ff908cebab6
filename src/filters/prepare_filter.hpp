#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "filters/filter_setup.hpp"
#include "filters/filter_spec.hpp"
#include "onecast/filters/filter.hpp"

namespace onecast::filters {

/// The entry of the Filter Pipeline message: the user's parameters, checked, and those that follow
/// from the dataset, as the HDF5 library and the registered plugins store them. Throws Error
/// beginning with `where`: invalid_argument if parameters are invalid or the filter cannot be
/// applied to such a dataset; unsupported if it is not optional and Onecast lacks it.
FilterSpec prepare_filter(const Filter& filter, const FilteredDataset& dataset,
                          const std::string& where);

/// The reverse: the Filter for which prepare_filter returns such an entry.
Filter asked_for(const FilterSpec& spec);

}  // namespace onecast::filters
