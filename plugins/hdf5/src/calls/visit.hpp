#pragma once

#include "abi/connector.hpp"
#include "handles/handle.hpp"

/// Calls of functions of the program for each link or object. They return what the last one
/// returned.
namespace onecast_hdf5 {

h5::LinkInfo link_info(const Handle& group, const onecast::Link& link);
/// Returns the times of an object. One that is not in the file yet was changed now.
std::optional<onecast::ObjectTimes> times_of(const onecast::Object& object);
h5::ObjectInfo object_info(const Handle& object, unsigned fields);

/// The links of a group, from a position on.
h5::Status iterate_links(Handle& on, const h5::Location& where, h5::LinkSpecific& args);
/// The links of a group and of all groups below it; a group with several links once.
h5::Status visit_links(Handle& on, const h5::Location& where, h5::LinkSpecific& args);
/// An object, and all objects below it; an object with several links once.
h5::Status visit_objects(Handle& on, const h5::Location& where, h5::ObjectSpecific& args);

}  // namespace onecast_hdf5
