#pragma once

#include "handles/handle.hpp"

namespace onecast_hdf5 {

/// Make the creation lists of objects that Onecast serves. -1: a property that only the native
/// library can tell.
h5::Id file_creation_list(const Handle& object);
h5::Id dataset_creation_list(const Handle& dataset);
h5::Id group_creation_list(const Handle& group);
h5::Id type_creation_list(const Handle& type);
h5::Id attribute_creation_list(const Handle& attribute);

/// Makes the access list of a dataset, in which the cache of chunks is that of the file unless the
/// program chose another one.
h5::Id dataset_access_list(const Handle& dataset);

/// Returns a text of a property list.
/// @param property a function of HDF5, as H5Pget_efile_prefix
template <class Function>
std::string text_of(Function property, h5::Id list) {
  const std::ptrdiff_t length = property(list, nullptr, 0);
  std::string text(static_cast<std::size_t>(std::max<std::ptrdiff_t>(length, 0)) + 1, '\0');
  if (length > 0) property(list, text.data(), text.size());
  text.pop_back();
  return text;
}

}  // namespace onecast_hdf5
