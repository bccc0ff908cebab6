#include <cstdlib>

#include "c99_calls.h"
#include "capi_test.hpp"

namespace onecast::test {
namespace {

TEST(C99, RoundTrip) {
  const TemporaryDirectory folder;
  // Other programs read that file afterwards; see test_c_files.py.
  const char* kept = std::getenv("ONECAST_C99_FILE");
  const std::string path = kept != nullptr ? kept : folder / "c99.h5";
  const char* wrong = c99_round_trip(path.c_str());
  EXPECT_EQ(wrong, nullptr) << wrong << "\n" << onecast_last_error();
}

}  // namespace
}  // namespace onecast::test
