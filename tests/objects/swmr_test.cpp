#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <vector>

#include "format/boot/superblock.hpp"
#include "onecast/onecast.hpp"
#include "support/file_name.hpp"
#include "support/growing_file.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

/// Writing for readers that look at the file meanwhile (SWMR): how it begins, and what its flushes
/// write.
namespace onecast::test {
namespace {

class SwmrTest : public testing::Test {
 protected:
  SwmrTest() { create_growing(disk_.create(kName, {.profile = Profile::latest})).close(); }

  [[nodiscard]] File started() const {
    File file = disk_.open(kName, Access::read_write);
    file.start_swmr();
    return file;
  }
  [[nodiscard]] bool is_marked() const {
    return format::is_open_for_swmr(ByteView(disk_.bytes(kName)));
  }
  /// Makes the write number `call` from now on fail, and the `count` - 1 writes after it.
  void fail_write(std::uint64_t call, std::uint64_t count) const {
    disk_.faults().faults = {{.call = FaultPlan::Call::write,
                              .first = disk_.faults().writes + call,
                              .error = EIO,
                              .count = count}};
  }
  /// Returns the code of the error with which start_swmr() refuses, which changes nothing.
  ErrorCode refused(File& file, std::string_view why) const {
    const Bytes before = disk_.bytes(kName);
    const bool was_swmr = file.is_swmr();
    const Error error = thrown_by([&] { file.start_swmr(); });
    EXPECT_NE(std::string_view(error.what()).find(why), std::string_view::npos) << error.what();
    EXPECT_EQ(file.is_swmr(), was_swmr);
    EXPECT_EQ(disk_.bytes(kName), before);
    return error.code();
  }

  SoundDisk disk_;
};

TEST_F(SwmrTest, WhatCannotBegin) {
  File read_only = disk_.open(kName);
  EXPECT_EQ(refused(read_only, "read"), ErrorCode::state);
  read_only.close();
  EXPECT_EQ(thrown_by([&] { read_only.start_swmr(); }).code(), ErrorCode::state);

  File file = disk_.open(kName, Access::read_write);
  {
    const Independent alone = file.independent();
    EXPECT_EQ(refused(file, "independent()"), ErrorCode::state);
  }
  file.start_swmr();
  EXPECT_TRUE(file.is_swmr());
  EXPECT_EQ(refused(file, "begun already"), ErrorCode::state);
  file.close();

  File compatible = disk_.create("compatible.h5");
  compatible.flush();
  EXPECT_EQ(thrown_by([&] { compatible.start_swmr(); }).code(), ErrorCode::unsupported);
  EXPECT_FALSE(compatible.is_swmr());
}

TEST_F(SwmrTest, TheMarkLastsUntilTheClose) {
  EXPECT_FALSE(is_marked());
  File file = started();
  EXPECT_TRUE(is_marked());
  grow_to(file, 5);
  file.flush();
  EXPECT_TRUE(is_marked());
  file.close();
  EXPECT_FALSE(is_marked());
  expect_grown_to(disk_.open(kName), 5);
}

TEST_F(SwmrTest, ObjectsAndLinksCannotChange) {
  File file = started();
  Group root = file.root();
  const Dataset flat = root.open_dataset("flat");
  const Bytes before = disk_.bytes(kName);
  const std::vector<std::function<void()>> changes{
      [&] { root.create_group("new"); },
      [&] { root.require_group("g/new"); },
      [&] { root.create_dataset("new", {1}, std::vector<int>{1}); },
      [&] { root.create_soft_link("new", "/flat"); },
      [&] { root.create_external_link("new", "b.h5", "/"); },
      [&] { root.create_hard_link("new", flat); },
      [&] { root.remove("flat"); },
      [&] { root.move("flat", "new"); },
      [&] { file.adopt(); },
      [&] { const Independent alone = file.independent(); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Error error = thrown_by(changes[i]);
    EXPECT_EQ(error.code(), ErrorCode::state) << i;
    EXPECT_NE(std::string_view(error.what()).find("SWMR"), std::string_view::npos) << i;
  }
  EXPECT_TRUE(root.require_group("g").path() == "/g");
  file.flush();
  EXPECT_EQ(disk_.bytes(kName), before);
}

/// The writes of a flush: what is new, behind the end that readers know; the superblock with the
/// new end; what refers to the new, in place.
TEST_F(SwmrTest, FlushesWriteInOrder) {
  File file = started();
  std::size_t in_place = 0;
  for (int rows = 1; rows < 60; ++rows) {
    SCOPED_TRACE(rows);
    const std::uint64_t end = disk_.bytes(kName).size();
    const std::size_t first = disk_.writes().size();
    grow_to(file, rows);
    file.flush();
    bool has_end = false;
    for (std::size_t i = first; i < disk_.writes().size(); ++i) {
      const IoCall write = disk_.writes()[i];
      if (write.offset == 0) {
        EXPECT_FALSE(has_end);
        has_end = true;
      } else if (write.offset >= end) {
        EXPECT_FALSE(has_end) << "new bytes behind what may refer to them";
      } else if (has_end) {
        ++in_place;
      }
    }
    EXPECT_EQ(has_end, disk_.bytes(kName).size() > end);
  }
  EXPECT_GT(in_place, 60U);
}

TEST_F(SwmrTest, EveryStateBetweenTwoWritesIsSound) {
  started().close();
  const Bytes before = disk_.bytes(kName);
  for (const int rows : {1, 4, 9, 40}) {
    for (std::uint64_t call = 1;; ++call) {
      SCOPED_TRACE(fmt::format("{} rows, write {}", rows, call));
      disk_.faults().faults.clear();
      disk_.bytes(kName) = before;
      File file = started();
      grow_to(file, rows);
      file.flush();
      grow_to(file, rows + 3);
      // As if the process were killed: all writes fail from here on.
      fail_write(call, FaultPlan::kForever);
      bool failed = false;
      try {
        file.flush();
      } catch (const Error& error) {
        failed = error.code() == ErrorCode::io;
      }
      const File left = disk_.open(kName, Access::read_only, {.follow = true});
      expect_between(left, failed ? rows : rows + 3, rows + 3);
      disk_.faults().faults.clear();
      if (!failed) break;
      file.abandon("killed");
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(SwmrTest, AFailedFlushCanBeTriedAgain) {
  started().close();
  const Bytes before = disk_.bytes(kName);
  for (std::uint64_t call = 1;; ++call) {
    SCOPED_TRACE(call);
    disk_.bytes(kName) = before;
    File file = started();
    grow_to(file, 7);
    fail_write(call, 1);
    bool failed = false;
    try {
      file.flush();
    } catch (const Error& error) {
      failed = true;
      EXPECT_EQ(error.code(), ErrorCode::io);
      EXPECT_EQ(error.system_errno(), EIO);
    }
    disk_.faults().faults.clear();
    EXPECT_TRUE(file.is_swmr());
    EXPECT_TRUE(is_marked());
    if (failed) {
      // A part of it may be in the file.
      EXPECT_EQ(thrown_by([&] { file.rollback(); }).code(), ErrorCode::state);
    }
    grow_to(file, 9);
    file.flush();
    expect_grown_to(disk_.open(kName, Access::read_only, {.follow = true}), 9);
    file.close();
    EXPECT_FALSE(is_marked());
    expect_grown_to(disk_.open(kName), 9);
    if (!failed) break;
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace onecast::test
