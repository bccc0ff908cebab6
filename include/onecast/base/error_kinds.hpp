#pragma once

#include "onecast/base/error.hpp"

/// The kinds of errors in all languages: KIND(CODE, STATUS, TEXT, EXCEPTION) with the ErrorCode,
/// the onecast_status of C (ONECAST_...), its name in words, and the exception of Python: a
/// built-in one or one of the package.
#define ONECAST_ERROR_KINDS(KIND)                                          \
  KIND(invalid_argument, INVALID_ARGUMENT, "invalid argument", ValueError) \
  KIND(not_found, NOT_FOUND, "not found", KeyError)                        \
  KIND(already_exists, ALREADY_EXISTS, "already exists", NameTakenError)   \
  KIND(io, IO, "input or output failed", OSError)                          \
  KIND(format, FORMAT, "damaged, or not HDF5", FormatError)                \
  KIND(unsupported, UNSUPPORTED, "not supported", UnsupportedError)        \
  KIND(diverged, DIVERGED, "ranks made different calls", DivergedError)    \
  KIND(state, STATE, "not possible now", StateError)

/// The exceptions of the Python package: EXCEPTION(NAME, BASES, TEXT). Where a name is taken or a
/// file cannot be changed, different calls of h5py raise different exceptions; the bases are all of
/// these.
#define ONECAST_PYTHON_EXCEPTIONS(EXCEPTION)                                                       \
  EXCEPTION(FormatError, "OSError",                                                                \
            "The bytes of a file are not what the HDF5 specification allows.")                     \
  EXCEPTION(UnsupportedError, "NotImplementedError",                                               \
            "Valid HDF5 that Onecast cannot read or write faithfully; names the feature.")         \
  EXCEPTION(DivergedError, "RuntimeError",                                                         \
            "Ranks of one communicator made different calls, or one left the file; raised on all " \
            "of them.")                                                                            \
  EXCEPTION(NameTakenError, "OSError ValueError RuntimeError",                                     \
            "There is an object or a link of that name already.")                                  \
  EXCEPTION(StateError, "OSError ValueError RuntimeError",                                         \
            "Not possible now: the file is closed, or open for reading only.")
