#pragma once

namespace onecast::test {

/// The name of a test's file in memory.
inline constexpr const char* kName = "a.h5";

}  // namespace onecast::test
