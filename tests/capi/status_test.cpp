#include <thread>

#include "capi/guard.hpp"
#include "capi_test.hpp"
#include "onecast/base/error_kinds.hpp"

namespace onecast::test {
namespace {

TEST(Status, EveryCodeHasAStatusAndAName) {
  const auto first = static_cast<int>(ErrorCode::invalid_argument);
  const auto last = static_cast<int>(ErrorCode::state);
  for (int code = first; code <= last; ++code)
    EXPECT_EQ(capi::status_of(static_cast<ErrorCode>(code)), code - first + 1);
  for (int status = ONECAST_OK; status <= ONECAST_INTERNAL; ++status)
    EXPECT_STRNE(onecast_status_name(static_cast<onecast_status>(status)), "no status of Onecast");
  EXPECT_STREQ(onecast_status_name(static_cast<onecast_status>(99)), "no status of Onecast");
}

TEST(Status, TheTableOfKindsHasEveryCodeOnce) {
  int next = static_cast<int>(ErrorCode::invalid_argument);
#define ONECAST_KIND(CODE, STATUS, TEXT, EXCEPTION)              \
  EXPECT_EQ(static_cast<int>(ErrorCode::CODE), next++);          \
  EXPECT_EQ(capi::status_of(ErrorCode::CODE), ONECAST_##STATUS); \
  EXPECT_STREQ(onecast_status_name(ONECAST_##STATUS), TEXT);
  ONECAST_ERROR_KINDS(ONECAST_KIND)
#undef ONECAST_KIND
  EXPECT_EQ(next - 1, static_cast<int>(ErrorCode::state));
}

TEST(Status, TheGuardCatchesEverything) {
  EXPECT_EQ(capi::guard([] {}), ONECAST_OK);
  EXPECT_FAILS(capi::guard([] { throw Error(ErrorCode::io, "disk", 5); }), ONECAST_IO, "disk");
  EXPECT_EQ(onecast_last_errno(), 5);
  EXPECT_FAILS(capi::guard([] { throw std::bad_alloc(); }), ONECAST_NO_MEMORY, "memory");
  EXPECT_EQ(onecast_last_errno(), 0);
  EXPECT_FAILS(capi::guard([] { throw std::length_error("vector"); }), ONECAST_NO_MEMORY, "memory");
  EXPECT_FAILS(capi::guard([] { throw std::logic_error("oops"); }), ONECAST_INTERNAL, "oops");
  EXPECT_FAILS(capi::guard([] { throw 42; }), ONECAST_INTERNAL, "unknown");
}

TEST(Status, TheLastErrorIsThatOfTheThread) {
  EXPECT_FAILS(onecast_file_flush(nullptr), ONECAST_INVALID_ARGUMENT, "file is NULL");
  std::thread([] {
    EXPECT_STREQ(onecast_last_error(), "");
    EXPECT_EQ(onecast_last_status(), ONECAST_OK);
    EXPECT_FAILS(onecast_type_get_size(nullptr, nullptr), ONECAST_INVALID_ARGUMENT, "type is NULL");
  }).join();
  EXPECT_STREQ(onecast_last_error(), "file is NULL");
}

TEST(Status, Version) {
  EXPECT_STREQ(onecast_version(), ONECAST_VERSION);
#ifdef ONECAST_HAVE_MPI
  EXPECT_EQ(onecast_has_mpi(), 1);
#else
  EXPECT_EQ(onecast_has_mpi(), 0);
#endif
}

}  // namespace
}  // namespace onecast::test
