#include "library/errors.hpp"

#include <onecast/base/error.hpp>
#include <string>

namespace onecast_hdf5 {
namespace {

struct Numbers {
  const char* major;
  const char* minor;
};

Numbers numbers_of(onecast::ErrorCode code) {
  using onecast::ErrorCode;
  switch (code) {
    case ErrorCode::not_found:
      return {"H5E_SYM_g", "H5E_NOTFOUND_g"};
    case ErrorCode::already_exists:
      return {"H5E_SYM_g", "H5E_EXISTS_g"};
    case ErrorCode::io:
      return {"H5E_IO_g", "H5E_READERROR_g"};
    case ErrorCode::invalid_argument:
      return {"H5E_ARGS_g", "H5E_BADVALUE_g"};
    case ErrorCode::unsupported:
      return {"H5E_VOL_g", "H5E_UNSUPPORTED_g"};
    default:
      return {"H5E_OHDR_g", "H5E_CANTDECODE_g"};
  }
}

void push(Library& library, const char* call, const Numbers& numbers, const char* text) {
  library.call.H5Epush2(0, "onecast", call, 0, library.variable("H5E_ERR_CLS_g"),
                        library.variable(numbers.major), library.variable(numbers.minor), "%s",
                        text);
}

/// Programs look for the errno in the words of the native library.
std::string text_of(const onecast::Error& error) {
  const int number = error.system_errno();
  const std::string text = error.what();
  return number == 0 ? text : text + ", errno = " + std::to_string(number);
}

}  // namespace

void report_current_exception(Library& library, const char* call) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    push(library, call, {failure.major(), failure.minor()}, failure.what());
  } catch (const onecast::Error& error) {
    push(library, call, numbers_of(error.code()), text_of(error).c_str());
  } catch (const std::bad_alloc&) {
    push(library, call, {"H5E_RESOURCE_g", "H5E_NOSPACE_g"}, "not enough memory");
  } catch (const std::exception& error) {
    push(library, call, {"H5E_VOL_g", "H5E_SYSTEM_g"}, error.what());
  } catch (...) {
    push(library, call, {"H5E_VOL_g", "H5E_SYSTEM_g"}, "unknown error");
  }
}

void report_failure(Library& library, const char* call, const Failure& failure) {
  try {
    throw Failure(failure);
  } catch (...) {
    report_current_exception(library, call);
  }
}

}  // namespace onecast_hdf5
