#include <gtest/gtest.h>

#include <optional>

#include "support/disk.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace transport;

namespace {

/// A new file, flushed once in each round, so that its pages came into memory one after the other.
class PutBackTest : public testing::Test {
 protected:
  static constexpr const char* kName = "a.h5";
  static constexpr int kRounds = 6;

  void SetUp() override {
    file_.emplace(disk_.create(kName));
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < 40; ++i) number(file_->root().create_group(name(round, i)), 0);
      file_->flush();
    }
  }
  static std::string name(int round, int i) {
    return "round " + std::to_string(round) + "/group " + std::to_string(i);
  }
  static void number(Group group, std::int64_t value) { group.set_attribute("number", value); }
  void number_all(std::int64_t value) {
    for (int round = 0; round < kRounds; ++round)
      for (int i = 0; i < 40; ++i) number(file_->root().open_group(name(round, i)), value);
  }

  test::Disk disk_;
  std::optional<File> file_;
};

TEST_F(PutBackTest, WhicheverWriteFailsTheFileIsAsBefore) {
  const test::Bytes before = disk_.bytes(kName);
  number_all(1);
  for (std::uint64_t failing = 1; failing <= 2; ++failing) {
    test::FaultPlan& faults = disk_.faults();
    faults.writes = 0;
    faults.faults = {
        {.call = test::FaultPlan::Call::write, .first = failing, .written_before = 4096}};
    EXPECT_EQ(test::thrown_by([&] { file_->flush(); }).code(), ErrorCode::io);
    EXPECT_TRUE(disk_.bytes(kName) == before) << "write " << failing;
  }
  disk_.faults().faults.clear();
  file_->flush();
  EXPECT_FALSE(disk_.bytes(kName) == before);
  file_->close();
  const File again = disk_.open(kName);
  EXPECT_EQ(again.root().open_group(name(3, 7)).attribute("number").read<std::int64_t>().front(),
            1);
}

}  // namespace
}  // namespace onecast
