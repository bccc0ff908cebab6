#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "objects/description.hpp"
#include "objects/files/file_access.hpp"
#include "support/file_name.hpp"
#include "support/file_states.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

/// New data in the place of data that was removed since the last flush
namespace onecast {

using namespace transport;

namespace {

using test::Bytes;
using test::expect_as_stock;
using test::thrown_by;

using test::kName;
constexpr std::size_t kCount = 20'000;  // of int: 80 kB

std::vector<int> filled(int value, std::size_t count = kCount) {
  return std::vector<int>(count, value);
}

class ReplacedDataTest : public testing::Test {
 protected:
  void create(const FileOptions& options = {}) {
    File file = disk_.create(kName, options);
    file.root().create_dataset("x", {kCount}, filled(0));
    file.root().create_dataset("beside", {3000}, filled(7, 3000));
    file.close();
    before_ = disk_.bytes(kName);
  }
  [[nodiscard]] File open(const FileOptions& options = {}) const {
    return disk_.open(kName, Access::read_write, options);
  }
  static Dataset replace(const File& file, int value) {
    file.root().remove("x");
    return file.root().create_dataset("x", {kCount}, filled(value));
  }
  /// Returns the values in the file on disk.
  [[nodiscard]] std::vector<int> on_disk() const {
    const File file = disk_.open(kName);
    EXPECT_EQ(file.root().open_dataset("beside").read<int>(), filled(7, 3000));
    return file.root().open_dataset("x").read<int>();
  }
  /// Makes all writes fail from number `call` on; of the first one, `written` bytes are written.
  void die_at_write(std::uint64_t call, std::size_t written) {
    const std::uint64_t first = disk_.faults().writes + call;
    disk_.faults().faults = {
        {.call = test::FaultPlan::Call::write, .first = first, .written_before = written},
        {.call = test::FaultPlan::Call::write,
         .first = first + 1,
         .count = test::FaultPlan::kForever / 2}};
  }
  static std::string journal() { return std::string(kName) + ".onecast-journal"; }

  test::SoundDisk disk_;
  Bytes before_;
};

TEST_F(ReplacedDataTest, TheFileDoesNotGrow) {
  for (const Profile profile : {Profile::compatible, Profile::latest})
    for (const bool durable : {false, true}) {
      FileOptions options;
      options.profile = profile;
      options.durable = durable;
      create(options);
      for (int session = 1; session <= 4; ++session) {
        File file = open(options);
        replace(file, session);
        file.close();
        EXPECT_EQ(disk_.bytes(kName).size(), before_.size());
        EXPECT_EQ(on_disk(), filled(session));
        expect_as_stock(disk_, kName);
      }
    }
}

TEST_F(ReplacedDataTest, AsOftenAsWantedBeforeAFlush) {
  create();
  File file = open();
  for (int round = 1; round <= 40; ++round) {
    const Dataset data = replace(file, round);
    EXPECT_EQ(data.read<int>(), filled(round));
    if (round % 13 == 0) file.flush();
  }
  file.close();
  EXPECT_EQ(disk_.bytes(kName).size(), before_.size());
  EXPECT_EQ(on_disk(), filled(40));
}

TEST_F(ReplacedDataTest, UntilTheFlushBothCanBeRead) {
  create();
  File file = open();
  const Dataset old = file.root().open_dataset("x");
  const Dataset first = replace(file, 1);
  const Reference reference = replace(file, 4).reference();
  const Dataset second = replace(file, 2);
  EXPECT_EQ(old.read<int>(), filled(0));
  EXPECT_EQ(thrown_by([&] { static_cast<void>(file.root().open_dataset(reference)); }).code(),
            ErrorCode::not_found);
  EXPECT_EQ(first.read<int>(), filled(1));
  EXPECT_EQ(second.read<int>(), filled(2));
  EXPECT_TRUE(disk_.bytes(kName) == before_) << "nothing is overwritten before the flush";
  file.flush();
  EXPECT_EQ(second.read<int>(), filled(2));
  for (const Dataset& gone : {old, first})
    EXPECT_EQ(thrown_by([&] { static_cast<void>(gone.read<int>()); }).code(), ErrorCode::state);
  EXPECT_EQ(on_disk(), filled(2));
}

TEST_F(ReplacedDataTest, WhatIsInARemovedGroupCanBeRead) {
  create();
  File file = open();
  file.root().remove("x");
  const Group group = file.root().create_group("group");
  file.root().create_dataset("group/x", {kCount}, filled(1));
  file.root().remove("group");
  file.root().create_dataset("x", {kCount}, filled(2));
  EXPECT_EQ(group.open_dataset("x").read<int>(), filled(1));
  file.close();
  EXPECT_EQ(on_disk(), filled(2));
  EXPECT_EQ(disk_.bytes(kName).size(), before_.size());
}

TEST_F(ReplacedDataTest, PartsAreWrittenTheRestIsTheFillValue) {
  create();
  File file = open();
  file.root().remove("x");
  const int fill = -5;
  const auto fill_value = std::as_bytes(std::span(&fill, 1));
  Dataset data = file.root().create_dataset(
      "x",
      {.type = Datatype::of<int>(),
       .space = Shape{kCount},
       .options = {.fill_value = std::vector<std::byte>(fill_value.begin(), fill_value.end())}});
  EXPECT_EQ(data.read<int>(), filled(-5));
  std::vector<int> expected = filled(-5);
  const auto write = [&](std::uint64_t first, std::uint64_t stride, std::uint64_t count,
                         const auto& how) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), static_cast<int>(first));
    for (std::size_t i = 0; i < count; ++i) expected[first + i * stride] = values[i];
    how(values, Selection(Hyperslab{{first}, {count}, {stride}}));
    EXPECT_EQ(data.read<int>(), expected);
    EXPECT_EQ(data.read_all<int>(), expected);
  };
  write(100, 1, 50, [&](const auto& v, const Selection& at) { data.write(v, at); });
  write(3, 700, 20, [&](const auto& v, const Selection& at) { data.write(v, at); });
  write(15'000, 2, 900, [&](const auto& v, const Selection& at) { data.write_all(v, at); });
  write(120, 1, 9, [&](const auto& v, const Selection& at) { data.write_equal(v, at); });
  EXPECT_TRUE(disk_.bytes(kName) == before_);
  file.close();
  EXPECT_EQ(disk_.bytes(kName).size(), before_.size());
  EXPECT_EQ(on_disk(), expected);
  expect_as_stock(disk_, kName);
}

TEST_F(ReplacedDataTest, ACopyTakesThePlaceToo) {
  create();
  File file = open();
  file.root().create_dataset("model", {kCount}, filled(3));
  file.flush();
  const std::size_t size = disk_.bytes(kName).size();
  file.root().remove("x");
  file.root().copy(file.root().open_dataset("model"), "x");
  file.root().remove("model");
  file.close();
  EXPECT_EQ(disk_.bytes(kName).size(), size);
  EXPECT_EQ(on_disk(), filled(3));
}

TEST_F(ReplacedDataTest, WhicheverWriteFailsTheOldDataIsThere) {
  constexpr std::size_t kAll = ~std::size_t{0};
  create();
  for (const std::size_t written : {std::size_t{0}, std::size_t{700}, std::size_t{50'000}, kAll}) {
    std::uint64_t failed = 0;
    for (std::uint64_t call = 1;; ++call) {
      SCOPED_TRACE(fmt::format("call {}, {} bytes written", call, written));
      disk_.bytes(kName) = before_;
      File file = open();
      const Dataset old = file.root().open_dataset("x");
      Dataset data = replace(file, 1);
      disk_.faults().faults = {{.call = test::FaultPlan::Call::write,
                                .first = disk_.faults().writes + call,
                                .written_before = written}};
      bool done = false;
      try {
        file.flush();
        done = true;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io);
        ++failed;
        EXPECT_EQ(on_disk(), filled(0));
        EXPECT_EQ(old.read<int>(), filled(0));
        EXPECT_EQ(data.read<int>(), filled(1));
        data.write(filled(2));
        file.flush();
        EXPECT_EQ(on_disk(), filled(2));
      }
      disk_.faults().faults.clear();
      file.close();
      EXPECT_EQ(disk_.bytes(kName).size(), before_.size());
      ASSERT_FALSE(HasFailure());
      if (done) break;
    }
    EXPECT_GE(failed, 4U) << "the journal, the mark, the data, page 0";
  }
}

TEST_F(ReplacedDataTest, AWriterThatDiesLosesNothing) {
  constexpr std::size_t kAll = ~std::size_t{0};
  create();
  // Systems cut a write between blocks of 512 bytes; the first block may be cut anywhere.
  for (const std::size_t written :
       {std::size_t{0}, std::size_t{1}, std::size_t{1024}, std::size_t{51'200}, kAll}) {
    bool done = false;
    for (std::uint64_t call = 1; !done; ++call) {
      SCOPED_TRACE(fmt::format("call {}, {} bytes written", call, written));
      disk_.bytes(kName) = before_;
      disk_.bytes(journal()).clear();
      bool all_there = false;
      {
        File file = open();
        const Dataset old = file.root().open_dataset("x");
        const Dataset data = replace(file, 1);
        die_at_write(call, written);
        try {
          file.flush();
          done = true;
        } catch (const Error&) {
          // Data that could not be put back must not be returned as if it were there.
          try {
            EXPECT_EQ(old.read<int>(), filled(0));
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::state);
          }
          EXPECT_EQ(data.read<int>(), filled(1));
          EXPECT_EQ(thrown_by([&] { file.flush(); }).code(), ErrorCode::io);
        }
        all_there = written >= 4096 && on_disk() == filled(1);
        EXPECT_EQ(on_disk(), filled(done || all_there ? 1 : 0)) << "a reader reads past it";
      }
      disk_.faults().faults.clear();
      disk_.open(kName, Access::read_write).close();
      EXPECT_EQ(disk_.bytes(journal()).size(), 0U);
      EXPECT_EQ(on_disk(), filled(done || all_there ? 1 : 0));
      if (!done && !all_there) {
        EXPECT_TRUE(std::equal(before_.begin(), before_.end(), disk_.bytes(kName).begin()));
      }
      ASSERT_FALSE(HasFailure());
    }
  }
}

// Raw data changes without a flush, even back to its values before the last flush.
TEST_F(ReplacedDataTest, WhatIsOverwrittenAfterTheFlushDoesNotUndoIt) {
  create();
  File file = open();
  Dataset data = replace(file, 1);
  data.set_attribute("flushed", 1);
  file.flush();
  for (const int value : {0, 3}) {
    data.write(filled(value));
    test::Disk killed;
    for (const std::string& name : {std::string(kName), journal()})
      killed.bytes(name) = disk_.bytes(name);
    for (const Access access : {Access::read_only, Access::read_write}) {
      const File again = killed.open(kName, access);
      EXPECT_EQ(again.root().open_dataset("x").read<int>(), filled(value));
      EXPECT_TRUE(again.root().open_dataset("x").has_attribute("flushed"));
    }
  }
}

TEST_F(ReplacedDataTest, OfALaterFlushTheDataIsInThePlaceAgain) {
  create();
  File file = open();
  for (int round = 1; round <= 3; ++round) {
    replace(file, round);
    file.flush();
    EXPECT_EQ(on_disk(), filled(round));
    EXPECT_EQ(disk_.bytes(kName).size(), before_.size());
  }
}

TEST_F(ReplacedDataTest, SmallerDataLeavesSpaceForMore) {
  create();
  File file = open();
  file.root().remove("x");
  for (int part = 0; part < 4; ++part)
    file.root().create_dataset(fmt::format("part {}", part), {4000}, filled(part, 4000));
  file.root().create_dataset("x", {1000}, filled(9, 1000));
  file.close();
  EXPECT_LE(disk_.bytes(kName).size(), before_.size() + 4096) << "links take room, too";
  EXPECT_EQ(on_disk(), filled(9, 1000));
  for (int part = 0; part < 4; ++part)
    EXPECT_EQ(disk_.open(kName).root().open_dataset(fmt::format("part {}", part)).read<int>(),
              filled(part, 4000));
}

TEST_F(ReplacedDataTest, WhatIsFreeIsUsedFirst) {
  create();
  File file = open();
  file.root().create_dataset("more", {kCount}, filled(1));
  file.flush();
  file.root().remove("more");
  file.flush();
  file.root().remove("x");
  disk_.trace().clear();
  file.root().create_dataset("x", {kCount}, filled(2));
  ASSERT_EQ(disk_.writes().size(), 1U) << "is written at once";
  EXPECT_EQ(disk_.writes().front().size, 4 * kCount);
  file.close();
  EXPECT_EQ(on_disk(), filled(2));
}

TEST_F(ReplacedDataTest, NoMoreThan256KiBOfOneFlush) {
  constexpr std::size_t kLarge = 40'000;  // 160 kB
  create();
  File file = open();
  const auto size = [&] { return file.flush(), disk_.bytes(kName).size(); };
  for (const char* name : {"a", "b"}) file.root().create_dataset(name, {kLarge}, filled(1, kLarge));
  const std::size_t before = size();
  for (const char* name : {"a", "b"}) {
    file.root().remove(name);
    file.root().create_dataset(name, {kLarge}, filled(2, kLarge));
  }
  const std::size_t after = size();
  EXPECT_GE(after, before + 4 * kLarge) << "one of them";
  EXPECT_LT(after, before + 5 * kLarge);
  for (const char* name : {"a", "b"})
    EXPECT_EQ(disk_.open(kName).root().open_dataset(name).read<int>(), filled(2, kLarge));
}

TEST_F(ReplacedDataTest, WithoutAJournalItGetsANewPlace) {
  create();
  FileOptions options;
  options.journal = false;
  File file = open(options);
  disk_.trace().clear();
  replace(file, 1);
  EXPECT_EQ(disk_.writes().size(), 1U) << "is written at once";
  file.close();
  EXPECT_GT(disk_.bytes(kName).size(), before_.size());
  EXPECT_EQ(on_disk(), filled(1));
}

TEST_F(ReplacedDataTest, InAFileThatNoFlushHasSeen) {
  File file = disk_.create(kName);
  file.root().create_dataset("x", {kCount}, filled(0));
  file.root().create_dataset("beside", {3000}, filled(7, 3000));
  for (int round = 1; round <= 5; ++round) replace(file, round);
  file.close();
  EXPECT_LT(disk_.bytes(kName).size(), 2 * 4 * kCount);
  EXPECT_EQ(on_disk(), filled(5));
  expect_as_stock(disk_, kName);
}

// Waiting data takes memory, or a temporary file for which there may be no space.
TEST_F(ReplacedDataTest, ACallThatFailsLeavesThePlaceFree) {
  constexpr std::size_t kLarge = 65'536;  // 256 KiB: the call gives its space back at once
  for (const std::size_t count : {kCount, kLarge}) {
    const auto state =
        test::create_state(kName, Communicator(), {.page_size = 4096}, disk_.factory());
    File file = files::FileAccess::file(state);
    file.root().create_dataset("x", {count}, filled(0, count));
    file.root().create_dataset("beside", {3000}, filled(7, 3000));
    file.flush();
    const std::size_t size = disk_.bytes(kName).size();
    file.root().remove("x");
    state->changes().waiting.set_limit(0);
    die_at_write(1, 0);
    const auto create = [&] { file.root().create_dataset("x", {count}, filled(2, count)); };
    EXPECT_EQ(thrown_by(create).code(), ErrorCode::io);
    disk_.faults().faults.clear();
    EXPECT_FALSE(file.root().contains("x"));
    create();
    file.close();
    EXPECT_EQ(disk_.bytes(kName).size(), size);
    EXPECT_EQ(on_disk(), filled(2, count));
  }
}

}  // namespace
}  // namespace onecast
