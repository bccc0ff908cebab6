#pragma once

#include "handles/handle.hpp"
#include "handles/why_native.hpp"

namespace onecast_hdf5 {

inline constexpr const char* kUnknownFilter = "a filter that Onecast does not have";

/// Hands the file of an object that Onecast serves over to the native library: writes what has
/// changed, closes the file, and opens it natively, for this object and for all others that the
/// program has open in the file. Onecast does nothing more with the file. Throws Failure if that
/// is impossible, and onecast::Error if the file cannot be written; nothing has changed then,
/// except if the native library cannot open the file: its objects can then only be closed.
/// @param reason what the trace says
void hand_over(Handle& on, const char* reason);

/// hand_over() at the end of a callback: false if it fails; the error stack then says why.
bool is_handed_over(Handle& on, const char* call, const char* reason) noexcept;

/// Closes a native object that no id keeps.
void close_native(Library& library, h5::IdType type, void* native);

}  // namespace onecast_hdf5
