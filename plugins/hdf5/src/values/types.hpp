#pragma once

#include <onecast/types/datatype.hpp>
#include <optional>
#include <vector>

#include "handles/handle.hpp"

namespace onecast_hdf5 {

/// A type as H5Tencode writes it, and H5Tdecode reads it.
std::vector<std::byte> encoded_type(const onecast::Datatype& type);
/// Makes an id of a type. -1 if the library does not know such types.
h5::Id type_id(Library& library, const onecast::Datatype& type);
/// Returns an id of a type that nobody changes; it is valid until other types are asked for.
h5::Id known_id(Library& library, const onecast::Datatype& type);
/// True if the id is of this type, whose elements point to nothing: no conversion is needed.
bool is_type(Library& library, const onecast::Datatype& type, h5::Id id);
/// True if the program has registered a conversion (H5Tregister) between the two types, or between
/// parts of their elements. These types point to nothing.
bool has_own_conversion(Library& library, const onecast::Datatype& from,
                        const onecast::Datatype& to);
/// Returns the type of an id; absent if Onecast does not know such types. Elements that point
/// elsewhere have their size in memory.
std::optional<onecast::Datatype> type_of(Library& library, h5::Id type);
/// Returns what type_of() returns, without the cache.
std::optional<onecast::Datatype> decoded_type(Library& library, h5::Id type);
/// The committed type that an id stands for, if Onecast serves it; else null. It belongs to the id.
Handle* committed_type(Library& library, h5::Id type);
/// Returns the type of an id as the file of an object stores it. Throws Failure if there is none.
onecast::Datatype stored_form(const Handle& object, h5::Id type);
/// Returns the type of an id; absent if elements point elsewhere (values of variable length,
/// references), or if Onecast does not know such types: then the library has to convert.
std::optional<onecast::Datatype> plain_type(Library& library, h5::Id type);
/// True if a type, or a part of it, is a reference to a region as HDF5 had them before 1.12.
bool has_old_regions(const onecast::Datatype& type);

}  // namespace onecast_hdf5
