#pragma once

#include <stdexcept>
#include <string>

#include "library/library.hpp"

namespace onecast_hdf5 {

/// An error as the native library reports it: it becomes a record of the error stack.
class Failure : public std::runtime_error {
 public:
  /// @param major, minor names of HDF5's error numbers, as "H5E_SYM_g"
  Failure(const char* major, const char* minor, const std::string& text)
      : std::runtime_error(text), major_(major), minor_(minor) {}
  [[nodiscard]] const char* major() const { return major_; }
  [[nodiscard]] const char* minor() const { return minor_; }

 private:
  const char* major_;
  const char* minor_;
};

/// Puts the exception that is being handled on the library's error stack. Nothing of HDF5 may be
/// called afterwards, since a call that succeeds clears the stack.
void report_current_exception(Library& library, const char* call) noexcept;
/// Reports a failure that nobody threw.
void report_failure(Library& library, const char* call, const Failure& failure);

/// Keeps the error stack as it is while the object exists, whatever is called meanwhile.
class ErrorStackKeeper {
 public:
  explicit ErrorStackKeeper(Library& library)
      : library_(library),
        // A copy of the stack takes longer than most calls.
        stack_(library.call.H5Eget_num(kCurrent) > 0 ? library.call.H5Eget_current_stack()
                                                     : h5::kNoId) {}
  ErrorStackKeeper(const ErrorStackKeeper&) = delete;
  ErrorStackKeeper& operator=(const ErrorStackKeeper&) = delete;
  ~ErrorStackKeeper() {
    if (stack_ >= 0)
      library_.call.H5Eset_current_stack(stack_);
    else
      library_.call.H5Eclear2(kCurrent);
  }

 private:
  static constexpr h5::Id kCurrent = 0;

  Library& library_;
  h5::Id stack_;
};

/// Keeps the library from printing errors of calls that may fail.
class Silence {
 public:
  explicit Silence(Library& library) : library_(library) {
    known_ = library.call.H5Eget_auto2(0, &function_, &data_) >= 0;
    if (known_) library.call.H5Eset_auto2(0, nullptr, nullptr);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    if (known_) library_.call.H5Eset_auto2(0, function_, data_);
  }

 private:
  Library& library_;
  void* function_ = nullptr;
  void* data_ = nullptr;
  bool known_ = false;
};

}  // namespace onecast_hdf5
