#include "transport/file_identity.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "onecast/base/error.hpp"

namespace onecast::test {

using transport::FileIdentity;
using transport::require_same_file;
namespace {

constexpr FileIdentity kFirst{.node = 1, .device = 20, .inode = 300};

int error_number(const FileIdentity& found, const FileIdentity& first) {
  try {
    require_same_file(found, first, "/a/file.h5");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(std::string(error.what()).find("/a/file.h5: another file"), std::string::npos);
    return error.system_errno();
  }
  return 0;
}

TEST(FileIdentityTest, OnOneNodeInodeAndDeviceAreCompared) {
  EXPECT_EQ(error_number(kFirst, kFirst), 0);
  EXPECT_EQ(error_number({1, 20, 301}, kFirst), ESTALE);
  EXPECT_EQ(error_number({1, 21, 300}, kFirst), ESTALE);
}

TEST(FileIdentityTest, BetweenNodesDeviceNumbersDiffer) {
  EXPECT_EQ(error_number({2, 21, 300}, kFirst), 0);
  EXPECT_EQ(error_number({2, 20, 301}, kFirst), ESTALE);
}

TEST(FileIdentityTest, WhatIsNotKnownIsNotCompared) {
  EXPECT_EQ(error_number({}, kFirst), 0);
  EXPECT_EQ(error_number(kFirst, {}), 0);
}

}  // namespace
}  // namespace onecast::test
