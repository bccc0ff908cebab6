#pragma once

#include <exception>
#include <string>

#include "onecast/base/error.hpp"

/// The components that read and write ROOT files, in a shared library of their own.
namespace onecast::events::root {

/// Once, before ROOT is used: several threads use it, and what it reports is kept for checked().
void prepare_root();
/// What ROOT has reported as an error in this thread since the last call; empty: nothing.
std::string take_report();
/// What an exception says, without the place in ROOT's own sources.
std::string said_by(const std::exception& error);

/// Does `work`; throws what goes wrong in it, and what ROOT reports meanwhile, as an Error that
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
