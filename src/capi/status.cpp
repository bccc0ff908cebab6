#include "onecast/capi/status.h"

#include <cstdlib>
#include <new>
#include <string>

#include "base/per_thread.hpp"
#include "capi/guard.hpp"
#include "onecast/base/error_kinds.hpp"

namespace onecast::capi {
namespace {

struct LastError {
  onecast_status status = ONECAST_OK;
  int system_errno = 0;
  const char* shown = "";  ///< the text of this thread, or a constant text if there is no memory
};

thread_local LastError last_error;

onecast_status note(onecast_status status, const char* text, int system_errno = 0) noexcept {
  last_error.status = status;
  last_error.system_errno = system_errno;
  try {
    auto& kept = per_thread<std::string, LastError>();
    kept = text;
    last_error.shown = kept.c_str();
  } catch (...) {
    last_error.shown = "out of memory, also for the text of another error";
  }
  return status;
}

}  // namespace

onecast_status status_of(ErrorCode code) noexcept {
  switch (code) {
#define ONECAST_KIND(CODE, STATUS, TEXT, EXCEPTION) \
  case ErrorCode::CODE:                             \
    return ONECAST_##STATUS;
    ONECAST_ERROR_KINDS(ONECAST_KIND)
#undef ONECAST_KIND
  }
  return ONECAST_INTERNAL;
}

onecast_status note_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return note(status_of(error.code()), error.what(), error.system_errno());
  } catch (const std::bad_alloc&) {
    return note(ONECAST_NO_MEMORY, "out of memory");
  } catch (const std::length_error&) {
    return note(ONECAST_NO_MEMORY, "larger than memory can be");
  } catch (const std::exception& error) {
    return note(ONECAST_INTERNAL, error.what());
  } catch (...) {
    return note(ONECAST_INTERNAL, "unknown error");
  }
}

}  // namespace onecast::capi

using namespace onecast::capi;

const char* onecast_status_name(onecast_status status) {
  switch (status) {
    case ONECAST_OK:
      return "ok";
#define ONECAST_KIND(CODE, STATUS, TEXT, EXCEPTION) \
  case ONECAST_##STATUS:                            \
    return TEXT;
      ONECAST_ERROR_KINDS(ONECAST_KIND)
#undef ONECAST_KIND
    case ONECAST_NO_MEMORY:
      return "out of memory";
    case ONECAST_INTERNAL:
      return "internal error";
  }
  return "no status of Onecast";
}

const char* onecast_last_error(void) { return last_error.shown; }
onecast_status onecast_last_status(void) { return last_error.status; }
int onecast_last_errno(void) { return last_error.system_errno; }

const char* onecast_version(void) { return ONECAST_VERSION; }

int onecast_has_mpi(void) {
#ifdef ONECAST_HAVE_MPI
  return 1;
#else
  return 0;
#endif
}

void onecast_free(void* memory) { std::free(memory); }
