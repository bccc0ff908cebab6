#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "onecast/base/error.hpp"

namespace onecast::test {

/// Returns the Error that `action` throws. The test fails if it throws none.
template <typename Action>
Error thrown_by(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "an Error was expected";
  return {ErrorCode::state, "nothing was thrown"};
}

}  // namespace onecast::test
