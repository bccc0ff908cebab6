#pragma once

#include <cerrno>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "onecast/base/error.hpp"

namespace onecast {

/// An exception of user code, as text.
struct Caught {
  std::string text;
  int system_errno = 0;

  /// Describes the exception that is being handled.
  static Caught now() {
    try {
      throw;
    } catch (const Error& e) {
      return {e.what(), e.system_errno()};
    } catch (const std::bad_alloc&) {
      return {"out of memory", ENOMEM};
    } catch (const std::system_error& e) {
      return {e.what(), e.code().value()};
    } catch (const std::exception& e) {
      return {e.what()};
    } catch (...) {
      return {"an exception of unknown type"};
    }
  }
};

}  // namespace onecast
