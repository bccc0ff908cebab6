#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "format/boot/superblock.hpp"
#include "objects/description.hpp"
#include "support/file_name.hpp"
#include "support/pattern.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

/// A failed flush leaves the previous state on disk and the new state in memory.
namespace onecast {

using namespace transport;
using namespace format;

namespace {

using test::expect_as_stock;
using test::IoCall;
using test::pattern;
using test::same_text;
using test::thrown_by;

using test::kName;
constexpr std::uint64_t kPage = 4096;

class FaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    File file = disk_.create(kName);
    for (int i = 0; i < 60; ++i) {
      Group group = file.root().create_group(fmt::format("group{}", i));
      for (int a = 0; a < 5; ++a) group.set_attribute(fmt::format("attribute{}", a), a);
      group.create_dataset("data", {2000}, std::vector<int>(2000, i));
      if (i % 4 == 0) file.flush();  // scatters the metadata
    }
    file.close();
    before_ = disk_.bytes(kName);
    description_ = test::Description(disk_.open(kName)).json();
  }

  /// Makes changes of every kind, over many pages.
  static void change(const File& file) {
    Group root = file.root();
    for (int i = 0; i < 60; i += 9) {
      Group group = root.open_group(fmt::format("group{}", i));
      group.set_attribute("attribute1", -i);
      group.set_attribute("large", Datatype::integer(1, false), Shape{9000}, pattern(9000));
      root.open_dataset(fmt::format("group{}/data", i)).set_attribute("new", "text");
    }
    root.remove("group3");
    for (int i = 0; i < 10; ++i) {
      Group group = root.create_group(fmt::format("new{}", i));
      group.create_dataset("compact", {5}, std::vector<int>(5, i));
      group.create_dataset("later", {Datatype::of<int>(), Shape{3000}});
    }
  }
  /// Returns a description of the file on disk.
  [[nodiscard]] std::string on_disk() const { return test::Description(disk_.open(kName)).json(); }
  /// Makes the write number `call` from now on fail.
  void fail_write(std::uint64_t call, int error, std::size_t written_before = 0,
                  std::uint64_t count = 1) {
    disk_.faults().faults = {{.call = test::FaultPlan::Call::write,
                              .first = disk_.faults().writes + call,
                              .error = error,
                              .written_before = written_before,
                              .count = count}};
  }

  test::SoundDisk disk_;
  test::Bytes before_;
  std::string description_;
};

TEST_F(FaultsTest, EveryWriteOfAFlushMayFail) {
  struct Way {
    int error;
    std::size_t written;
  };
  constexpr std::size_t kAll = ~std::size_t{0};
  for (const Way way : {Way{EIO, 0}, Way{ENOSPC, 0}, Way{ENOSPC, 1}, Way{EIO, 700},
                        Way{EDQUOT, 5000}, Way{EIO, kAll}}) {
    std::uint64_t failed = 0;
    for (std::uint64_t call = 1;; ++call) {
      SCOPED_TRACE(
          fmt::format("call {}, errno {}, {} bytes written", call, way.error, way.written));
      disk_.faults().faults.clear();
      disk_.bytes(kName) = before_;
      File file = disk_.open(kName, Access::read_write);
      change(file);
      fail_write(call, way.error, way.written);
      const std::uint64_t writes = disk_.faults().writes;
      try {
        file.flush();
        EXPECT_LT(disk_.faults().writes - writes, call);
        break;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io);
        EXPECT_EQ(error.system_errno(), way.error);
        const std::string text = error.what();
        EXPECT_EQ(text.rfind("a.h5", 0), 0U) << text;
        EXPECT_NE(text.find(": write of "), std::string::npos) << text;
      }
      ++failed;
      EXPECT_TRUE(same_text(on_disk(), description_));
      EXPECT_TRUE(disk_.open(kName, Access::read_write).root().contains("group3"));
      // Without the fault, the flush of this handle succeeds.
      const std::string expected = test::Description(file).json();
      file.flush();
      EXPECT_TRUE(same_text(on_disk(), expected));
      const std::uint64_t done = file.io_stats().writes;
      file.close();
      EXPECT_EQ(file.io_stats().writes, done);
      ASSERT_FALSE(HasFailure());
    }
    EXPECT_GE(failed, 8U);
  }
  expect_as_stock(disk_, kName);
}

TEST_F(FaultsTest, AfterAFailureTheChangesGoOn) {
  File file = disk_.open(kName, Access::read_write);
  for (std::uint64_t call = 1; call <= 6; ++call) {
    file.root().create_group(fmt::format("after{}", call)).set_attribute("call", call);
    fail_write(1 + call % 2, ENOSPC, 100);
    if (call < 4) {
      EXPECT_EQ(thrown_by([&] { file.flush(); }).code(), ErrorCode::io) << call;
      EXPECT_TRUE(same_text(on_disk(), description_));
    }
  }
  disk_.faults().faults.clear();
  change(file);
  file.flush();
  const std::string expected = test::Description(file).json();
  file.close();
  EXPECT_TRUE(same_text(on_disk(), expected));
  expect_as_stock(disk_, kName);
}

TEST_F(FaultsTest, AFileThatCannotBeFlushedIsClosedAllTheSame) {
  File file = disk_.open(kName, Access::read_write);
  change(file);
  fail_write(2, EIO);
  EXPECT_EQ(thrown_by([&] { file.close(); }).system_errno(), EIO);
  EXPECT_FALSE(file.is_open());
  file.close();
  EXPECT_TRUE(same_text(on_disk(), description_));
}

TEST_F(FaultsTest, TheFirstFlushOfANewFile) {
  for (std::uint64_t call = 1;; ++call) {
    disk_.faults().faults.clear();
    File file = disk_.create(kName);
    for (int i = 0; i < 70; ++i)
      file.root().create_group(fmt::format("group{}", i)).set_attribute("i", i);
    file.root().create_dataset("later", {Datatype::of<int>(), Shape{3000}});
    fail_write(call, ENOSPC, 10);
    try {
      file.flush();
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.system_errno(), ENOSPC);
    }
    EXPECT_EQ(thrown_by([&] { static_cast<void>(disk_.open(kName)); }).code(), ErrorCode::format)
        << call;
    file.flush();
    EXPECT_TRUE(same_text(on_disk(), test::Description(file).json()));
    ASSERT_FALSE(HasFailure()) << call;
  }
}

TEST_F(FaultsTest, ADatasetWhoseDataWasNotWrittenIsNotThere) {
  File file = disk_.open(kName, Access::read_write);
  for (const char* name : {"lost", "on/the/way/lost", "group1/lost"}) {
    fail_write(1, ENOSPC);
    const auto create = [&] {
      file.root().create_dataset(name, {3000}, std::vector<int>(3000, 1));
    };
    EXPECT_EQ(thrown_by(create).system_errno(), ENOSPC);
    EXPECT_FALSE(file.root().contains(name));
    EXPECT_FALSE(file.root().contains("on"));
    file.flush();
    EXPECT_TRUE(same_text(on_disk(), description_)) << name;
  }
  file.close();
  EXPECT_TRUE(same_text(on_disk(), description_));

  file = disk_.open(kName, Access::read_write);
  Dataset data = file.root().open_dataset("group1/data");
  fail_write(1, EIO);
  EXPECT_EQ(thrown_by([&] { data.write(std::vector<int>(2000, 5)); }).system_errno(), EIO);
  data.write(std::vector<int>(2000, 5));
  file.close();
  EXPECT_EQ(disk_.open(kName).root().open_dataset("group1/data").read<int>(),
            std::vector<int>(2000, 5));
}

TEST_F(FaultsTest, AReadThatFailsInAFlush) {
  FileOptions lazy;
  lazy.load_policy = LoadPolicy::lazy;
  for (std::uint64_t call = 1; call < 100; ++call) {
    disk_.bytes(kName) = before_;
    disk_.faults().faults = {
        {.call = test::FaultPlan::Call::read, .first = disk_.faults().reads + call}};
    std::optional<File> file;
    const auto work = [&] {
      if (!file) file = disk_.open(kName, Access::read_write, lazy);
      if (!file->root().contains("new9")) {
        if (file->root().contains("new0")) return;  // some of the changes were made
        change(*file);
      }
      file->flush();
    };
    try {
      work();
      EXPECT_GT(call, 1U);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::io) << error.what();
      EXPECT_EQ(error.system_errno(), EIO);
    }
    disk_.faults().faults.clear();
    EXPECT_TRUE(same_text(on_disk(), description_)) << call;
    if (file) {
      file->flush();
      EXPECT_TRUE(same_text(on_disk(), test::Description(*file).json())) << call;
    }
  }
}

TEST_F(FaultsTest, DurableSyncsInOrder) {
  FileOptions durable;
  durable.durable = true;
  File file = disk_.open(kName, Access::read_write, durable);
  file.flush();
  EXPECT_EQ(file.io_stats().syncs, 0U) << "nothing changed";
  change(file);
  disk_.trace().clear();
  file.flush();
  test::IoTrace trace = disk_.trace();
  ASSERT_GE(trace.size(), 5U);
  // Unwritten data in used space is filled first.
  if (trace[0].size == 12'000) trace.erase(trace.begin());
  const IoCall sync{IoCall::Kind::sync};
  // The syncs are those of the journal, its name, the mark, the pages, and page 0.
  EXPECT_EQ(file.io_stats().syncs, 5U);
  const IoCall mark{IoCall::Kind::write, kSuperblockVersionAt, 1};
  ASSERT_GE(trace.size(), 10U);
  EXPECT_EQ(trace[0].offset, 0U);
  EXPECT_EQ(test::IoTrace(trace.begin() + 1, trace.begin() + 5),
            (test::IoTrace{sync, sync, mark, sync}));
  EXPECT_EQ(trace.back(), sync);
  EXPECT_EQ(trace[trace.size() - 2], (IoCall{IoCall::Kind::write, 0, kPage}));
  const auto pages = trace.begin() + 5;
  const auto written = std::find(pages, trace.end(), sync);
  // The rest is page 0, and the byte that extends the file if necessary.
  EXPECT_LE(trace.end() - written, 4);
  for (auto call = pages; call != written; ++call) {
    EXPECT_EQ(call->kind, IoCall::Kind::write);
    EXPECT_NE(call->offset, 0U);
  }
  file.root().open_dataset("group1/data").write(std::vector<int>(2000, 3));
  file.flush();
  EXPECT_EQ(file.io_stats().syncs, 6U) << "raw data alone";
  file.close();
  EXPECT_EQ(file.io_stats().syncs, 6U);
}

TEST_F(FaultsTest, ASyncThatFails) {
  FileOptions durable;
  durable.durable = true;
  for (std::uint64_t call = 1; call <= 5; ++call) {
    disk_.bytes(kName) = before_;
    File file = disk_.open(kName, Access::read_write, durable);
    change(file);
    disk_.faults().faults = {
        {.call = test::FaultPlan::Call::sync, .first = disk_.faults().syncs + call}};
    const Error error = thrown_by([&] { file.flush(); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(error.system_errno(), EIO);
    EXPECT_TRUE(same_text(on_disk(), description_));
    file.flush();
    EXPECT_TRUE(same_text(on_disk(), test::Description(file).json()));
  }
}

// The process stops in the middle: nothing more is written or put back.
TEST_F(FaultsTest, AWriterThatDiesAtAnyWriteLosesNothing) {
  constexpr std::size_t kAll = ~std::size_t{0};
  const std::string after = [&] {
    File file = disk_.open(kName, Access::read_write);
    change(file);
    file.close();
    return on_disk();
  }();
  const std::string journal = std::string(kName) + ".onecast-journal";
  for (const std::size_t written : {std::size_t{0}, std::size_t{1}, std::size_t{1024}, kAll}) {
    bool done = false;
    bool undone = false;
    for (std::uint64_t call = 1; !done; ++call) {
      SCOPED_TRACE(fmt::format("call {}, {} bytes written", call, written));
      disk_.bytes(kName) = before_;
      disk_.bytes(journal).clear();
      bool all_there = false;
      {
        File file = disk_.open(kName, Access::read_write);
        change(file);
        fail_write(call, EIO, written, 1);
        // All further writes fail, without a byte written.
        disk_.faults().faults.push_back({.call = test::FaultPlan::Call::write,
                                         .first = disk_.faults().faults.front().first + 1,
                                         .count = test::FaultPlan::kForever / 2});
        try {
          file.flush();
          done = true;
        } catch (const Error& error) {
          EXPECT_EQ(error.system_errno(), EIO);
          const Error again = thrown_by([&] { file.flush(); });  // puts back once more
          EXPECT_EQ(again.code(), ErrorCode::io);
        }
        // A reader uses the old pages of the journal, and leaves everything unchanged.
        const test::Bytes bytes = disk_.bytes(kName);
        // If the last write fails after all bytes were written, the flush is complete.
        if (written == kAll && on_disk() == after) all_there = true;
        EXPECT_TRUE(same_text(on_disk(), done || all_there ? after : description_));
        EXPECT_TRUE(disk_.bytes(kName) == bytes);
      }
      disk_.faults().faults.clear();
      undone = undone || disk_.bytes(kName) != before_;
      disk_.open(kName, Access::read_write).close();
      EXPECT_EQ(disk_.bytes(journal).size(), 0U);
      EXPECT_TRUE(same_text(on_disk(), done || all_there ? after : description_));
      if (call % 4 == 0) expect_as_stock(disk_, kName);
      ASSERT_FALSE(HasFailure());
    }
    EXPECT_TRUE(undone);
  }
}

// A flush, not the resize, cuts off the elements beyond a smaller extent: a writer that dies during
// the flush leaves all of them.
TEST_F(FaultsTest, AWriterThatDiesCutsNothingOff) {
  constexpr std::uint64_t kCount = 29;
  {
    File file = disk_.create("b.h5");
    file.root()
        .create_dataset("d", {.type = Datatype::of<int>(),
                              .space = Dataspace({kCount}, {Dataspace::kUnlimited}),
                              .options = {.chunk = {16}}})
        .write(std::vector<int>(kCount, 7));
    file.close();
  }
  const test::Bytes flushed = disk_.bytes("b.h5");
  bool done = false;
  std::uint64_t call = 1;
  for (; !done; ++call) {
    SCOPED_TRACE(fmt::format("call {}", call));
    disk_.bytes("b.h5") = flushed;
    disk_.bytes("b.h5.onecast-journal").clear();
    File file = disk_.open("b.h5", Access::read_write);
    file.root().open_dataset("d").resize({18});
    disk_.faults().faults = {{.call = test::FaultPlan::Call::write,
                              .first = disk_.faults().writes + call,
                              .count = test::FaultPlan::kForever / 2}};
    try {
      file.flush();
      done = true;
    } catch (const Error&) {
      const auto left = disk_.open("b.h5").root().open_dataset("d").read<int>();
      EXPECT_EQ(left, std::vector<int>(kCount, 7));
    }
    disk_.faults().faults.clear();
    file.abandon("the test goes on");
  }
  EXPECT_GT(call, 3U);
  File file = disk_.open("b.h5", Access::read_write);
  Dataset d = file.root().open_dataset("d");
  EXPECT_EQ(d.shape(), Shape{18});
  d.resize({kCount});
  std::vector<int> expected(kCount, 0);
  std::fill_n(expected.begin(), 18, 7);
  EXPECT_EQ(d.read<int>(), expected);
  file.close();
}

TEST_F(FaultsTest, ADiskThatIsFull) {
  for (std::uint64_t space = 0;; space += 6000) {
    SCOPED_TRACE(space);
    disk_.bytes(kName) = before_;
    File file = disk_.open(kName, Access::read_write);
    disk_.faults().space = space;
    bool done = true;
    try {
      change(file);  // raw data is written at once
      file.flush();
    } catch (const Error& error) {
      done = false;
      EXPECT_EQ(error.system_errno(), ENOSPC);
    }
    disk_.faults().space.reset();
    if (done) {
      expect_as_stock(disk_, kName);
      break;
    }
    try {
      file.close();
    } catch (const Error&) {
      EXPECT_FALSE(file.is_open());
    }
    const std::string seen = on_disk();
    disk_.open(kName, Access::read_write).close();
    EXPECT_TRUE(same_text(on_disk(), seen));
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(FaultsTest, WhatDidNotFitTakesNoRoom) {
  constexpr std::uint64_t kLarge = 4'000'000;
  for (const bool contiguous : {true, false}) {
    disk_.bytes(kName) = before_;
    File file = disk_.open(kName, Access::read_write);
    disk_.faults().space = 200'000;
    disk_.faults().takes_space.clear();
    const auto chunk = contiguous ? Shape{} : Shape{100'000};
    Dataset large = file.root().create_dataset(
        "large",
        {.type = Datatype::of<char>(), .space = Shape{kLarge}, .options = {.chunk = chunk}});
    const auto write = [&] { large.write(std::vector<char>(kLarge, 'x')); };
    EXPECT_EQ(thrown_by(write).system_errno(), ENOSPC);
    file.root().remove("large");
    file.root().create_group("small").set_attribute("a", 1);
    file.flush();
    EXPECT_GT(disk_.faults().space.value(), 100'000U);
    // The space of what a flush could not write is not lost either.
    file.root().set_attribute("many", Datatype::of<char>(), Shape{60'000}, pattern(60'000));
    for (int i = 0; i < 10; ++i)
      file.root()
          .create_group(fmt::format("group {}", i))
          .set_attribute("many", Datatype::of<char>(), Shape{60'000}, pattern(60'000));
    EXPECT_EQ(thrown_by([&] { file.flush(); }).system_errno(), ENOSPC);
    for (int i = 0; i < 10; ++i) file.root().remove(fmt::format("group {}", i));
    file.close();
    disk_.faults().space.reset();
    EXPECT_TRUE(disk_.open(kName).root().has_attribute("many"));
    EXPECT_FALSE(disk_.open(kName).root().contains("large"));
    expect_as_stock(disk_, kName);
  }
}

TEST_F(FaultsTest, WhatWasRemovedFromAHoleTakesNoRoom) {
  for (const bool contiguous : {true, false}) {
    SCOPED_TRACE(contiguous);
    File file = disk_.create(kName);
    Group root = file.root();
    const auto create = [&](const std::string& name, std::uint64_t size) {
      root.create_dataset(name, {.type = Datatype::of<char>(),
                                 .space = Shape{size},
                                 .data = pattern(size),
                                 .options = {.chunk = contiguous ? Shape{} : Shape{size}}});
    };
    create("a", 100'000);
    create("hole", 900'000);
    create("b", 100'000);
    file.flush();
    root.remove("hole");
    file.flush();
    disk_.faults().space = 830'000;
    disk_.faults().takes_space.clear();
    create("in the hole", 800'000);
    EXPECT_EQ(thrown_by([&] { create("more", 400'000); }).system_errno(), ENOSPC);
    root.remove("in the hole");
    file.flush();
    EXPECT_GT(disk_.faults().space.value(), 700'000U);
    create("smaller", 300'000);
    file.close();
    disk_.faults().space.reset();
    expect_as_stock(disk_, kName);
    EXPECT_EQ(disk_.open(kName).root().open_dataset("a").read<std::byte>(), pattern(100'000));
  }
}

}  // namespace
}  // namespace onecast
