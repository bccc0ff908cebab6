// HDF5 files in objects of the program, tested through the public interface
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "onecast/onecast.h"
#include "onecast/onecast.hpp"
#include "support/memory_bytes.hpp"
#include "support/sound_files.hpp"
#include "support/temporary_directory.hpp"
#include "support/thread_point_to_point.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

const std::vector<double> kValues{1, 2, 3, 4, 5, 6};

void fill(File& file) {
  Group group = file.root().create_group("base/zone");
  group.set_attribute("family", "wing");
  group.create_dataset("x", Shape{6}, kValues);
  std::vector<int> large(100'000, 7);
  group.create_dataset("large", Shape{large.size()}, large);
}
void expect_filled(const File& file) {
  const Group group = file.root().open_group("base/zone");
  EXPECT_EQ(group.open_dataset("x").read<double>(), kValues);
  EXPECT_EQ(group.open_dataset("large").read<int>(), std::vector<int>(100'000, 7));
}

std::vector<std::byte> contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}
void save(const MemoryBytes& from, const std::string& path) {
  const auto bytes = from.bytes();
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

TEST(UserFiles, HaveTheBytesOfAFile) {
  const SoundDirectory directory;
  const auto bytes = std::make_shared<MemoryBytes>();
  bytes->set_bytes(std::vector<std::byte>(5'000'000));  // the previous contents
  File in_memory = File::create(bytes);
  EXPECT_EQ(in_memory.path(), "<a buffer>");
  fill(in_memory);
  in_memory.close();
  File on_disk = File::create(directory / "file.h5");
  fill(on_disk);
  on_disk.close();
  EXPECT_TRUE(bytes->bytes() == contents(directory / "file.h5"));
}

TEST(UserFiles, AreReadAndChanged) {
  const SoundDirectory directory;
  const auto bytes = std::make_shared<MemoryBytes>();
  File made = File::create(bytes);
  fill(made);
  made.close();
  File file = File::open(bytes, Access::read_write);
  expect_filled(file);
  file.root().create_group("more");
  file.close();
  file = File::open(bytes);
  expect_filled(file);
  EXPECT_TRUE(file.root().contains("more"));
  EXPECT_EQ(file.io_stats().writes, 0U);
  file.close();
  save(*bytes, directory / "file.h5");
  expect_filled(File::open(directory / "file.h5"));
}

TEST(UserFiles, AreReleasedWithTheLastHandle) {
  const auto bytes = std::make_shared<MemoryBytes>();
  {
    File file = File::create(bytes);
    fill(file);
    EXPECT_GT(bytes.use_count(), 1);
    file.close();
  }
  EXPECT_EQ(bytes.use_count(), 1);
}

TEST(UserFiles, OfOneObjectAreOpenForOneWriter) {
  const auto bytes = std::make_shared<MemoryBytes>();
  File writer = File::create(bytes);
  fill(writer);
  writer.flush();
  const auto before = bytes->bytes();
  for (const auto& open : {std::function<void()>([&] { File::open(bytes); }),
                           std::function<void()>([&] { File::open(bytes, Access::read_write); }),
                           std::function<void()>([&] { File::create(bytes); })}) {
    const Error error = thrown_by(open);
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(error.system_errno(), EAGAIN);
    EXPECT_NE(std::string(error.what()).find("<a buffer>"), std::string::npos);
    EXPECT_TRUE(bytes->bytes() == before);
  }
  writer.close();
  const File one = File::open(bytes);
  const File other = File::open(bytes);
  expect_filled(one);
  expect_filled(other);
  EXPECT_EQ(thrown_by([&] { File::open(bytes, Access::read_write); }).system_errno(), EAGAIN);
}

TEST(UserFiles, ErrorsNameTheObjectAndTheFunction) {
  const auto bytes = std::make_shared<MemoryBytes>();
  File file = File::create(bytes);
  fill(file);
  bytes->fail_writes_after(0);
  Error error = thrown_by([&] { file.flush(); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  std::string what = error.what();
  EXPECT_EQ(what.rfind("<a buffer>: write of ", 0), 0U) << what;
  EXPECT_NE(what.find("the store is full"), std::string::npos) << what;
  // The next flush writes what could not be written.
  bytes->fail_writes_after(-1);
  file.close();
  expect_filled(File::open(bytes));

  bytes->fail_reads_after(0);
  error = thrown_by([&] { File::open(bytes); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  what = error.what();
  EXPECT_EQ(what.rfind("<a buffer>: read of ", 0), 0U) << what;
  EXPECT_NE(what.find("the line is dead"), std::string::npos) << what;
}

TEST(UserFiles, RefuseWhatIsNone) {
  EXPECT_EQ(thrown_by([] { File::create(std::shared_ptr<RandomAccessFile>()); }).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(thrown_by([] { File::open(std::shared_ptr<RandomAccessFile>()); }).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(
      thrown_by([] { File::create(std::make_shared<MemoryBytes>(), {.mpi_io = true}); }).code(),
      ErrorCode::invalid_argument);
  EXPECT_EQ(thrown_by([] { File::open(std::make_shared<MemoryBytes>()); }).code(),
            ErrorCode::format);
}

TEST(UserFiles, SyncWhenTheyAreToBeDurable) {
  const auto bytes = std::make_shared<MemoryBytes>();
  File file = File::create(bytes, {.durable = true});
  fill(file);
  file.close();
  EXPECT_GT(bytes->syncs, 0);
}

/// Whichever write kills the process, with a journal the next opening finds the state of a flush.
TEST(UserFiles, AJournalUndoesAFlushThatWasKilled) {
  const auto journal = std::make_shared<MemoryBytes>("the journal");
  const auto bytes = std::make_shared<MemoryBytes>("<a buffer>", journal);
  File first = File::create(bytes);
  for (int i = 0; i < 300; ++i) first.root().create_group("group " + std::to_string(i));
  first.close();
  EXPECT_EQ(journal->bytes().size(), 0U) << "it is of no use any more";
  const auto before = bytes->bytes();
  bool saw_old = false;
  bool saw_new = false;
  bool needed = false;
  for (long writes = 0; !saw_new && writes < 50; ++writes) {
    journal->set_bytes({});
    bytes->set_bytes(before);
    {
      File file = File::open(bytes, Access::read_write);
      for (int i = 0; i < 300; ++i)
        file.root().open_group("group " + std::to_string(i)).set_attribute("a", i);
      file.root().create_group("new");
      bytes->fail_writes_after(writes);  // so nothing can be put back either
      try {
        file.flush();
      } catch (const Error&) {
        needed = needed || bytes->bytes() != before;
      }
      file.abandon("it is killed");
      bytes->fail_writes_after(-1);
    }
    // A reader uses the journal. The next writer puts the old bytes back.
    const bool is_new = File::open(bytes).root().contains("new");
    File file = File::open(bytes, Access::read_write);
    EXPECT_EQ(file.root().contains("new"), is_new);
    EXPECT_EQ(file.root().open_group("group 299").has_attribute("a"), is_new);
    file.close();
    EXPECT_EQ(journal->bytes().size(), 0U);
    (is_new ? saw_new : saw_old) = true;
  }
  EXPECT_TRUE(saw_old);
  EXPECT_TRUE(saw_new);
  EXPECT_TRUE(needed) << "some flush left the file half written";
}

TEST(UserFiles, FollowWhatTheyNameFromTheirName) {
  const TemporaryDirectory directory;
  File target = File::create(directory / "target.h5");
  fill(target);
  target.close();
  const auto bytes = std::make_shared<MemoryBytes>(directory / "nowhere.h5");
  File file = File::create(bytes);
  file.root().create_external_link("there", "target.h5", "/base/zone");
  file.close();
  const File read = File::open(bytes);
  EXPECT_EQ(read.root().open_group("there").open_dataset("x").read<double>(), kValues);
  // The option trusts the folder of that name.
  const File trusting =
      File::open(bytes, Access::read_only, {.follow_external = FollowExternal::folder});
  EXPECT_TRUE(trusting.root().contains("there"));
  const auto elsewhere = std::make_shared<MemoryBytes>();
  elsewhere->set_bytes(bytes->bytes());
  File made = File::open(elsewhere, Access::read_write);
  made.root().remove("there");
  made.root().create_external_link("there", directory / "target.h5", "/base/zone");
  made.close();
  const File distrusting =
      File::open(elsewhere, Access::read_only, {.follow_external = FollowExternal::folder});
  EXPECT_EQ(thrown_by([&] { static_cast<void>(distrusting.root().open_group("there")); }).code(),
            ErrorCode::unsupported);
}

TEST(UserFiles, PutWhatWaitsIntoTheFolderForTemporaryFiles) {
  const auto bytes = std::make_shared<MemoryBytes>();
  run_with_communicators(1, [&](const Communicator& comm, ThreadRank&) {
    File file = File::create(bytes, comm);
    const std::vector<int> values(20'000'000, 3);  // 80 MB
    const auto alone = file.independent();
    Dataset large =
        file.root().create_dataset("large", {Datatype::of<int>(), Dataspace({values.size()})});
    large.write(values);
    file.flush();
  });
  EXPECT_EQ(File::open(bytes).root().open_dataset("large").read<int>().back(), 3);
}

// --- many ranks ----------------------------------------------------------------------------------

class UserFilesOnRanks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, UserFilesOnRanks, testing::Values(1, 2, 3, 4, 7));

/// All ranks share one object, or each rank has one with the same bytes.
TEST_P(UserFilesOnRanks, AreWrittenAndReadTogether) {
  const auto bytes = std::make_shared<MemoryBytes>();
  const auto size = static_cast<std::uint64_t>(GetParam());
  const std::uint64_t rows = 100 * size;
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    File file = File::create(bytes, comm);
    Dataset x =
        file.root().create_dataset("x", {Datatype::of<std::uint64_t>(), Dataspace({rows, 50})});
    const std::vector<std::uint64_t> mine(100 * 50, rank);
    x.write_all(mine, x.rows(rank * 100, rank * 100 + 100));
    file.close();
    file = File::open(bytes, Access::read_only, comm);
    const auto all = file.root().open_dataset("x").read_all<std::uint64_t>();
    ASSERT_EQ(all.size(), rows * 50);
    for (std::uint64_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i / 5000);
    file.close();
  });
  EXPECT_EQ(File::open(bytes).root().open_dataset("x").shape(), (Shape{rows, 50}));
}

TEST_P(UserFilesOnRanks, CallOnlyTheRanksThatTouchData) {
  const auto made = std::make_shared<MemoryBytes>();
  File file = File::create(made);
  fill(file);
  file.close();
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    const auto mine = std::make_shared<MemoryBytes>();
    if (comm.rank() == 0) mine->set_bytes(made->bytes());  // the other ranks have no bytes
    const File read = File::open(mine, Access::read_only, comm);
    EXPECT_EQ(read.root().open_dataset("base/zone/x").read_all<double>(), kValues);
    EXPECT_EQ(mine->calls == 0, comm.rank() != 0);
  });
}

TEST_P(UserFilesOnRanks, HearOfARankWithoutOne) {
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    const bool has_none = comm.rank() == comm.size() - 1;
    const auto bytes = has_none ? nullptr : std::make_shared<MemoryBytes>();
    const Error error = thrown_by([&] { File::create(bytes, comm); });
    EXPECT_EQ(error.code(), comm.size() == 1 ? ErrorCode::invalid_argument : ErrorCode::diverged);
    EXPECT_NE(std::string(error.what()).find("bytes is null"), std::string::npos) << error.what();
  });
}

TEST_P(UserFilesOnRanks, AgreeOnWhetherThereIsAJournal) {
  if (GetParam() == 1) GTEST_SKIP() << "there is nobody to differ from";
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    const auto journal = comm.rank() == 0 ? std::make_shared<MemoryBytes>() : nullptr;
    const auto bytes = std::make_shared<MemoryBytes>("<a buffer>", journal);
    EXPECT_EQ(thrown_by([&] { File::create(bytes, comm); }).code(), ErrorCode::diverged);
  });
}

TEST_P(UserFilesOnRanks, HearOfAnErrorOfOneObject) {
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    const auto bytes = std::make_shared<MemoryBytes>();
    File file = File::create(bytes, comm);
    file.root().create_group("a");
    bytes->fail_writes_after(0);
    const Error error = thrown_by([&] { file.flush(); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(std::string(error.what()).find("the store is full"), std::string::npos);
    bytes->fail_writes_after(-1);
    file.close();
  });
}

// --- in C ----------------------------------------------------------------------------------------

TEST(UserFilesInC, AreWrittenReadAndReleased) {
  MemoryBytes bytes;
  static int released = 0;
  onecast_random_access_file functions = functions_of_c(bytes, "a buffer of C");
  const auto release = [](void*) { ++released; };
  functions.release = release;
  onecast_file* file = nullptr;
  onecast_object* root = nullptr;
  ASSERT_EQ(onecast_file_create_in(&functions, nullptr, nullptr, &file), ONECAST_OK);
  ASSERT_EQ(onecast_file_root(file, &root), ONECAST_OK);
  ASSERT_EQ(onecast_attribute_set_text(root, "family", "wing"), ONECAST_OK);
  onecast_object_close(&root);
  ASSERT_EQ(onecast_file_close(&file), ONECAST_OK);
  EXPECT_EQ(released, 1);
  ASSERT_EQ(onecast_file_open_in(&functions, ONECAST_READ_ONLY, nullptr, nullptr, &file),
            ONECAST_OK);
  const char* path = nullptr;
  ASSERT_EQ(onecast_file_path(file, &path), ONECAST_OK);
  EXPECT_STREQ(path, "a buffer of C");
  ASSERT_EQ(onecast_file_close(&file), ONECAST_OK);
  EXPECT_EQ(released, 2);
  bytes.fail_reads_after(0);
  EXPECT_EQ(onecast_file_open_in(&functions, ONECAST_READ_ONLY, nullptr, nullptr, &file),
            ONECAST_IO);
  EXPECT_EQ(onecast_last_errno(), EIO);
  EXPECT_EQ(std::string(onecast_last_error()).rfind("a buffer of C: read of ", 0), 0U);
  EXPECT_EQ(released, 3) << "whatever became of it";
  functions.get_size = nullptr;
  EXPECT_EQ(onecast_file_open_in(&functions, ONECAST_READ_ONLY, nullptr, nullptr, &file),
            ONECAST_INVALID_ARGUMENT);
  EXPECT_EQ(released, 4);
  EXPECT_EQ(file, nullptr);
}

TEST(UserFilesInC, AreForReadingWithoutFunctionsThatWrite) {
  MemoryBytes bytes;
  onecast_random_access_file functions = functions_of_c(bytes, nullptr);
  functions.write_at = nullptr;
  onecast_file* file = nullptr;
  ASSERT_EQ(onecast_file_create_in(&functions, nullptr, nullptr, &file), ONECAST_OK);
  EXPECT_EQ(onecast_file_close(&file), ONECAST_IO);
  EXPECT_NE(std::string(onecast_last_error()).find("for reading only"), std::string::npos);
}

TEST(UserFilesInC, HaveAJournal) {
  MemoryBytes bytes;
  MemoryBytes journal;
  const onecast_random_access_file beside = functions_of_c(journal, nullptr);
  onecast_random_access_file functions = functions_of_c(bytes, nullptr);
  functions.journal = &beside;
  onecast_file* file = nullptr;
  onecast_object* root = nullptr;
  ASSERT_EQ(onecast_file_create_in(&functions, nullptr, nullptr, &file), ONECAST_OK);
  ASSERT_EQ(onecast_file_flush(file), ONECAST_OK);
  ASSERT_EQ(onecast_file_root(file, &root), ONECAST_OK);
  ASSERT_EQ(onecast_attribute_set_text(root, "family", "wing"), ONECAST_OK);
  onecast_object_close(&root);
  ASSERT_EQ(onecast_file_flush(file), ONECAST_OK);
  EXPECT_GT(journal.bytes().size(), 0U);
  ASSERT_EQ(onecast_file_close(&file), ONECAST_OK);
  EXPECT_EQ(journal.bytes().size(), 0U);
}

}  // namespace
}  // namespace onecast::test
