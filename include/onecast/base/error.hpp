#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "onecast/base/language.hpp"

namespace onecast {

/// The kind of an error. The table ONECAST_ERROR_KINDS (error_kinds.hpp) maps these codes to C
/// status codes and to Python exceptions.
enum class ErrorCode : unsigned char {
  invalid_argument,  ///< a wrong argument, or an object of another kind (ValueError)
  not_found,         ///< no object, attribute or file of that name (KeyError, FileNotFoundError)
  already_exists,    ///< the name is taken (NameTakenError)
  io,                ///< a system call failed (OSError)
  format,            ///< the bytes are not what the HDF5 specification allows (FormatError)
  unsupported,       ///< valid HDF5 that Onecast cannot read or write faithfully (UnsupportedError)
  diverged,          ///< ranks of one communicator made different calls (DivergedError)
  state,             ///< not possible now: the file is closed or read-only (StateError)
};

/// The one exception of Onecast. Its text names the file, the address and the field, or the
/// argument and what was expected. An Error of a collective call has equal code and text on all
/// ranks: those of the lowest rank that failed, with "rank K: " in front if there are several
/// ranks. Its functions are @independent.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& what, int system_errno = 0)
      : std::runtime_error(what), code_(code), system_errno_(system_errno) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

  /// The errno of the failed system call, or 0. Set only with ErrorCode::io, not_found and
  /// already_exists.
  [[nodiscard]] int system_errno() const noexcept { return system_errno_; }

 private:
  ErrorCode code_;
  int system_errno_;
};

}  // namespace onecast
