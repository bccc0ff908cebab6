#pragma once

#include <new>
#include <string>
#include <type_traits>

#include "cgns_io.h"
#include "grammar/failure.hpp"
#include "session/session.hpp"

/// The building blocks of the cgio_ functions. All functions here throw Failure, whose status is
/// the number that the cgio_ function returns: negative for errors that cgio itself detects,
/// positive for errors in the file.
namespace onecast::cgns::cgio {

/// The positive numbers. They are those of the CGNS library.
enum Code : int {
  kNameEmpty = 3,
  kTextTooLong = 4,
  kNullText = 12,
  kNameExists = 26,
  kBadDimensionCount = 28,
  kNotAChild = 29,
  kBadType = 31,
  kNoData = 33,
  kBadEnd = 36,
  kBadStride = 37,
  kEndBeforeStart = 38,
  kBadStart = 45,
  kBadDimension = 47,
  kOtherCount = 49,
  kIsNoLink = 51,
  kLinkLeadsNowhere = 52,
  kBadName = 56,
  kBadChildIndex = 65,
  kBadNode = 72,
  kNotMoved = 74,
  kNotFound = 76,
  kOther = 79,  ///< any other error of HDF5
};

/// The last error of the process.
struct LastError {
  int code = CGIO_ERR_NONE;
  std::string text;
  int exit_code = 0;  ///< the argument of cgio_error_abort; 0: an error does not end the program
};
LastError& last_error();
/// Stores an error, ends the program if it asked for that, and returns the code.
int report(int code, const char* text) noexcept;

/// Runs the body of a function and converts an exception to the number that the function returns. A
/// body may return a number itself.
template <class Body>
int numbered(Body&& body) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      last_error().code = CGIO_ERR_NONE;
      return CGIO_ERR_NONE;
    } else {
      return body();
    }
  } catch (const Failure& failure) {
    const int status = failure.status();
    return report(status == Failure::kError ? kOther : status, failure.what());
  } catch (const std::bad_alloc&) {
    return report(CGIO_ERR_MALLOC, "no memory");
  } catch (const std::exception& error) {
    return report(kOther, error.what());
  }
}

/// Returns the file, which cgio_open_file or cg_open has opened.
OpenFile& file_of(int cgio_num);
OpenFile& writable_file_of(int cgio_num);
/// Returns the node of an id in that file.
Node& node_of(OpenFile& file, double id);
/// Returns the node, whose value or children are requested. Throws Failure if it is a dangling
/// link.
Node& reached(Node& node);

/// Throws Failure for a null pointer.
template <class T>
T* given(T* argument, const char* name) {
  if (argument == nullptr) throw Failure(std::string(name) + " is NULL", kNullText);
  return argument;
}
std::string given_name(const char* name);
std::string given_label(const char* label);
/// @param type a text of two letters
ValueType given_type(const char* type);
/// Copies the text with its NUL to the caller's memory.
void give(std::string_view text, char* out);

}  // namespace onecast::cgns::cgio
