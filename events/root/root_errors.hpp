#pragma once

#include <exception>
#include <string>

#include "onecast/base/error.hpp"

/// The components that read and write ROOT files, in a shared library of their own.
namespace onecast::events::root {

/// Called once before ROOT is used: enables threads, and keeps ROOT's reports for checked().
void prepare_root();
/// Returns the error that ROOT has reported in this thread since the last call; empty if none.
std::string take_report();
/// Returns the text of an exception, without the location in ROOT's own sources.
std::string said_by(const std::exception& error);

/// Does `work`. Throws its exceptions, and errors that ROOT reports meanwhile, as an Error that
/// begins with `where`.
template <class F>
void checked(const std::string& where, F&& work) {
  take_report();
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::format, where + ": " + said_by(error));
  }
  if (const std::string report = take_report(); !report.empty())
    throw Error(ErrorCode::format, where + ": " + report);
}

}  // namespace onecast::events::root
