#include "pages/recovery.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/lookup3.hpp"
#include "pages/journal.hpp"
#include "support/disk.hpp"
#include "support/file_name.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"

namespace onecast::pages {
namespace {

using test::Bytes;
using test::thrown_by;

using test::kName;
constexpr int kGroups = 100;

/// A file, and what a flush that stopped in the middle left of it.
class RecoveryTest : public testing::Test {
 protected:
  void SetUp() override {
    File file = disk_.create(kName);
    for (int i = 0; i < kGroups; ++i)
      file.root().create_group(fmt::format("group{}", i)).set_attribute("number", i);
    file.close();
    before_ = disk_.bytes(kName);
    fail_after(4);
    file = disk_.open(kName, Access::read_write);
    for (int i = 0; i < kGroups; i += 40)
      file.root().open_group(fmt::format("group{}", i)).set_attribute("number", -1);
    file.root().create_group("new");
    thrown_by([&] { file.flush(); });
    half_ = disk_.bytes(kName);
    journal_ = disk_.bytes(journal_name());
    ASSERT_FALSE(half_ == before_);
    disk_.faults().faults.clear();
    restore();
  }
  static std::string journal_name() { return journal_path(kName); }
  void fail_after(std::uint64_t writes) {
    disk_.faults().faults = {{.call = test::FaultPlan::Call::write,
                              .first = disk_.faults().writes + writes,
                              .count = test::FaultPlan::kForever / 2}};
  }
  void restore() {
    disk_.bytes(kName) = half_;
    disk_.bytes(journal_name()) = journal_;
  }
  /// Expects the file to have all its first values.
  void expect_before(Access access = Access::read_only) {
    File file = disk_.open(kName, access);
    for (int i = 0; i < kGroups; ++i)
      EXPECT_EQ(file.root().open_group(fmt::format("group{}", i)).attribute("number").read<int>(),
                std::vector<int>{i});
    EXPECT_FALSE(file.root().contains("new"));
    file.close();
  }
  /// Expects that the journal is not used: the file cannot be read, and stays unchanged.
  void expect_unreadable() {
    for (const Access access : {Access::read_only, Access::read_write}) {
      const Error error = thrown_by([&] { static_cast<void>(disk_.open(kName, access)); });
      EXPECT_EQ(error.code(), ErrorCode::format);
      EXPECT_NE(std::string(error.what()).find("a flush was under way"), std::string::npos)
          << error.what();
    }
    EXPECT_TRUE(disk_.bytes(kName) == half_);
  }
  /// Updates the field "Checksum" of the changed journal.
  void seal() {
    Bytes& bytes = disk_.bytes(journal_name());
    const std::uint32_t sum = lookup3(ByteView(bytes).first(bytes.size() - 4));
    std::memcpy(bytes.data() + bytes.size() - 4, &sum, 4);
  }
  void put(std::size_t at, std::uint64_t value, std::size_t width) {
    std::memcpy(disk_.bytes(journal_name()).data() + at, &value, width);
  }

  test::Disk disk_;
  Bytes before_;
  Bytes half_;
  Bytes journal_;
};

TEST_F(RecoveryTest, AReaderReadsPastItAndAWriterUndoesIt) {
  expect_before();
  EXPECT_TRUE(disk_.bytes(kName) == half_);
  EXPECT_TRUE(disk_.bytes(journal_name()) == journal_);
  expect_before(Access::read_write);
  EXPECT_TRUE(std::equal(before_.begin(), before_.end(), disk_.bytes(kName).begin()));
  EXPECT_TRUE(disk_.bytes(journal_name()).empty()) << "is gone";
}

TEST_F(RecoveryTest, WhoIsKilledWhileRecoveringDoesNoHarm) {
  std::uint64_t killed = 0;
  for (std::uint64_t call = 1;; ++call) {
    for (const std::size_t written : {0U, 100U, 600U}) {
      restore();
      fail_after(call);
      disk_.faults().faults.front().count = 1;
      disk_.faults().faults.front().written_before = written;
      disk_.faults().faults.push_back({.call = test::FaultPlan::Call::write,
                                       .first = disk_.faults().writes + call + 1,
                                       .count = test::FaultPlan::kForever / 2});
      try {
        disk_.open(kName, Access::read_write).close();
        EXPECT_GT(killed, 6U);
        return;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io);
        ++killed;
      }
      disk_.faults().faults.clear();
      expect_before();
      expect_before(Access::read_write);
    }
  }
}

TEST_F(RecoveryTest, AJournalCutShortIsNoJournal) {
  for (std::size_t size = 0; size < journal_.size(); size += size < 600 ? 1 : 97) {
    restore();
    disk_.bytes(journal_name()).resize(size);
    expect_unreadable();
    ASSERT_FALSE(HasFailure()) << size;
  }
  restore();
  disk_.bytes(journal_name()).resize(journal_.size() + 1000);
  expect_before();
}

TEST_F(RecoveryTest, AJournalWithAFlippedByteIsNoJournal) {
  for (std::size_t at = 0; at < journal_.size(); at += at < 600 ? 1 : 97) {
    restore();
    disk_.bytes(journal_name())[at] ^= std::byte{0x40};
    expect_unreadable();
    ASSERT_FALSE(HasFailure()) << at;
  }
}

TEST_F(RecoveryTest, FieldsThatLie) {
  struct Lie {
    std::size_t at;
    std::uint64_t value;
    std::size_t width;
  };
  constexpr std::size_t kBlocks = 24 + 512;
  constexpr std::size_t kSecond = kBlocks + 16 + 512;
  for (const Lie lie : {Lie{8, 2, 1},  // Version
                        {12, 0, 4},    // Number of Blocks
                        {12, 1, 4},
                        {12, 0xFFFFFFFF, 4},
                        {16, 512, 8},  // Superblock Address
                        {16, 100, 8},
                        {16, ~std::uint64_t{0}, 8},
                        {16, ~std::uint64_t{511}, 8},
                        {kBlocks, 512, 8},  // Address
                        {kSecond, 0, 8},
                        {kSecond, 700, 8},
                        {kSecond, std::uint64_t{1} << 40U, 8},
                        {kSecond, ~std::uint64_t{511}, 8},
                        {kSecond + 14, 2, 2}}) {  // Flags
    restore();
    put(lie.at, lie.value, lie.width);
    seal();
    expect_unreadable();
    ASSERT_FALSE(HasFailure()) << lie.at << " " << lie.value;
  }
}

TEST_F(RecoveryTest, TheJournalOfAnotherFile) {
  disk_.bytes(kName) = before_;
  File file = disk_.open(kName, Access::read_write);
  file.root().set_attribute("later", 1);
  file.close();
  const Bytes later = disk_.bytes(kName);
  disk_.bytes(journal_name()) = journal_;
  EXPECT_EQ(disk_.open(kName).root().attribute("later").read<int>(), std::vector<int>{1});
  EXPECT_FALSE(disk_.bytes(journal_name()).empty());
  disk_.open(kName, Access::read_write).close();
  EXPECT_TRUE(disk_.bytes(journal_name()).empty()) << "is gone";
  EXPECT_TRUE(disk_.bytes(kName) == later);
}

TEST_F(RecoveryTest, TheJournalOfAFlushThatIsDone) {
  disk_.bytes(kName) = before_;
  disk_.bytes(journal_name()).clear();
  std::optional<File> file = disk_.open(kName, Access::read_write);
  file->root().set_attribute("later", 1);
  file->flush();
  EXPECT_FALSE(disk_.bytes(journal_name()).empty()) << "stays until the file is closed";
  const Bytes later = disk_.bytes(kName);
  EXPECT_EQ(disk_.open(kName).root().attribute("later").read<int>(), std::vector<int>{1});
  disk_.open(kName, Access::read_write).close();
  EXPECT_TRUE(disk_.bytes(kName) == later);
  EXPECT_TRUE(disk_.bytes(journal_name()).empty());
}

TEST_F(RecoveryTest, BehindAUserBlock) {
  for (Bytes* bytes : {&before_, &half_}) bytes->insert(bytes->begin(), 1024, std::byte{'#'});
  restore();
  put(16, 1024, 8);
  seal();
  expect_before();
  expect_before(Access::read_write);
  EXPECT_TRUE(std::equal(before_.begin(), before_.end(), disk_.bytes(kName).begin()));
}

TEST_F(RecoveryTest, WithoutAJournalThereIsNone) {
  disk_.bytes(kName) = before_;
  disk_.bytes(journal_name()).clear();
  FileOptions options;
  options.journal = false;
  File file = disk_.open(kName, Access::read_write, options);
  disk_.trace().clear();
  for (int i = 0; i < kGroups; i += 40)
    file.root().open_group(fmt::format("group{}", i)).set_attribute("number", -1);
  file.flush();
  for (const test::IoCall& call : disk_.writes()) EXPECT_EQ(call.size % 4096, 0U);
  EXPECT_TRUE(disk_.bytes(journal_name()).empty());
}

TEST(JournalPath, LiesBesideTheFileItself) {
  const test::TemporaryDirectory directory;
  namespace fs = std::filesystem;
  const fs::path folder = directory.path();
  fs::create_directory(folder / "data");
  fs::create_symlink("data/file.h5", folder / "link.h5");
  fs::create_symlink(folder / "link.h5", folder / "again.h5");
  const std::string expected = (folder / "data/file.h5.onecast-journal").string();
  for (const char* name : {"data/file.h5", "link.h5", "again.h5"})
    EXPECT_EQ(journal_path((folder / name).string()), expected);
  fs::create_symlink("round.h5", folder / "round.h5");
  const Error error = thrown_by([&] { journal_path((folder / "round.h5").string()); });
  EXPECT_EQ(error.system_errno(), ELOOP);
}

}  // namespace
}  // namespace onecast::pages
