#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "support/fault_transport.hpp"
#include "support/memory_transport.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"
#include "transport/factory.hpp"
#include "transport/known_end_transport.hpp"
#include "transport/lazy_factory.hpp"

namespace onecast::transport {
namespace {

using test::pattern;
using test::thrown_by;

class DecoratorsTest : public testing::Test {
 protected:
  static constexpr const char* kPath = "a.h5";

  std::size_t stored() { return disk_->find(kPath)->bytes.size(); }
  Error failed_write(Transport& file, std::uint64_t offset, std::size_t size) {
    const Error error = thrown_by([&] { file.write_at(offset, pattern(size)); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    return error;
  }

  std::shared_ptr<test::MemoryDisk> disk_ = std::make_shared<test::MemoryDisk>();
  TransportFactory memory_ = test::memory_factory(disk_);
  IoStats stats_;
  std::shared_ptr<test::FaultPlan> plan_ = std::make_shared<test::FaultPlan>();
  std::vector<std::byte> room_ = std::vector<std::byte>(100);
};

TEST_F(DecoratorsTest, CountsCallsAndBytes) {
  const auto open = counting_factory(memory_, stats_);
  const auto file = open(kPath, OpenMode::create);
  file->write_at(0, pattern(30));
  file->write_at(30, pattern(10));
  file->read_at(0, room_);  // 40 bytes exist
  file->read_at(0, {});
  file->write_at(0, {});
  file->size();
  file->sync();
  IoStats expected;
  expected.opens = 1;
  expected.reads = 1;
  expected.bytes_read = 40;
  expected.writes = 2;
  expected.bytes_written = 40;
  expected.syncs = 1;
  EXPECT_GT(stats_.file_nanoseconds, 0U);
  expected.file_nanoseconds = stats_.file_nanoseconds;
  EXPECT_EQ(stats_, expected);
}

TEST_F(DecoratorsTest, CountsOnlyWhatWasOpened) {
  const auto open = counting_factory(memory_, stats_);
  EXPECT_THROW(open(kPath, OpenMode::read_only), Error);
  EXPECT_EQ(stats_.opens, 0U);
}

TEST_F(DecoratorsTest, OpensLazilyAndOnce) {
  const auto open = test::lazy_factory(counting_factory(memory_, stats_));
  const auto file = open(kPath, OpenMode::create);
  file->sync();
  file->read_at(0, {});
  file->write_at(0, {});
  EXPECT_EQ(stats_, IoStats{});
  EXPECT_EQ(disk_->find(kPath), nullptr);

  file->write_at(0, pattern(5));
  file->read_at(0, room_);
  file->sync();
  EXPECT_EQ(stats_.opens, 1U);
  EXPECT_EQ(stats_.syncs, 1U);
}

TEST_F(DecoratorsTest, TriesAFailedLazyOpeningAgain) {
  const auto file = test::lazy_factory(memory_)(kPath, OpenMode::read_only);
  EXPECT_EQ(thrown_by([&] { file->size(); }).code(), ErrorCode::not_found);
  memory_(kPath, OpenMode::create);
  EXPECT_EQ(file->size(), 0U);
}

TEST_F(DecoratorsTest, FailsTheCallsOfThePlan) {
  plan_->faults = {{.call = test::FaultPlan::Call::write, .first = 2, .error = EDQUOT},
                   {.call = test::FaultPlan::Call::read, .first = 1},
                   {.call = test::FaultPlan::Call::sync, .first = 2, .error = ENOSPC}};
  const auto file = test::fault_factory(memory_, plan_)(kPath, OpenMode::create);
  file->write_at(0, pattern(10));
  const Error error = failed_write(*file, 10, 7);
  EXPECT_EQ(error.system_errno(), EDQUOT);
  EXPECT_EQ(std::string(error.what()).rfind("a.h5: write of 7 bytes at offset 10: ", 0), 0U)
      << error.what();
  file->write_at(10, pattern(10));
  EXPECT_EQ(stored(), 20U);

  EXPECT_EQ(thrown_by([&] { file->read_at(0, room_); }).system_errno(), EIO);
  EXPECT_EQ(file->read_at(0, room_), 20U);
  file->sync();
  EXPECT_EQ(thrown_by([&] { file->sync(); }).system_errno(), ENOSPC);
  EXPECT_EQ(plan_->writes, 3U);
  EXPECT_EQ(plan_->reads, 2U);
  EXPECT_EQ(plan_->syncs, 2U);
}

TEST_F(DecoratorsTest, AFailingWriteMayLeaveSomeBytes) {
  plan_->faults = {{.call = test::FaultPlan::Call::write, .first = 1, .written_before = 4}};
  const auto file = test::fault_factory(memory_, plan_)(kPath, OpenMode::create);
  failed_write(*file, 0, 10);
  EXPECT_EQ(stored(), 4U);
}

TEST_F(DecoratorsTest, AProcessCanStopWritingForGood) {
  plan_->faults = {
      {.call = test::FaultPlan::Call::write, .first = 2, .count = test::FaultPlan::kForever}};
  const auto file = test::fault_factory(memory_, plan_)(kPath, OpenMode::create);
  file->write_at(0, pattern(1));
  for (int i = 0; i < 3; ++i) failed_write(*file, 1, 1);
  EXPECT_EQ(stored(), 1U);
}

TEST_F(DecoratorsTest, TheDiskFillsUp) {
  plan_->space = 25;
  const auto file = test::fault_factory(memory_, plan_)(kPath, OpenMode::create);
  file->write_at(0, pattern(20));
  EXPECT_EQ(failed_write(*file, 20, 20).system_errno(), ENOSPC);
  EXPECT_EQ(stored(), 25U);
  EXPECT_EQ(failed_write(*file, 25, 1).system_errno(), ENOSPC);
  plan_->space.reset();
  file->write_at(25, pattern(1));
  EXPECT_EQ(stored(), 26U);
}

TEST_F(DecoratorsTest, BytesThatWereThereMayNotBeMissing) {
  auto memory = memory_(kPath, OpenMode::create);
  memory->write_at(0, pattern(40));
  KnownEndTransport file(std::move(memory), kPath);
  EXPECT_EQ(file.read_at(10, room_), 30U);
  file.know_end(50);
  EXPECT_EQ(file.read_at(50, room_), 0U);
  const Error error = thrown_by([&] { file.read_at(10, room_); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_STREQ(error.what(),
               "a.h5: read at 0xa: 30 of 100 bytes are there: the file had 50 bytes, and was cut "
               "since it was opened");
  file.write_at(60, pattern(1));
  EXPECT_EQ(file.read_at(61, room_), 0U);
  disk_->find(kPath)->bytes.resize(55);
  EXPECT_EQ(thrown_by([&] { file.read_at(55, room_); }).code(), ErrorCode::io);
}

TEST_F(DecoratorsTest, FaultsAreSwitchedWhileRunning) {
  const auto file = test::fault_factory(memory_, plan_)(kPath, OpenMode::create);
  file->write_at(0, pattern(1));
  plan_->faults = {{.call = test::FaultPlan::Call::write, .first = plan_->writes + 1}};
  failed_write(*file, 0, 1);
  plan_->faults.clear();
  file->write_at(0, pattern(1));
}

}  // namespace
}  // namespace onecast::transport
