#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "capi/file_options.hpp"
#include "capi_test.hpp"

namespace onecast::test {
namespace {

using File = CapiTest;

TEST_F(File, RemembersHowItWasOpened) {
  const char* name = nullptr;
  onecast_access access = ONECAST_READ_ONLY;
  int rank = -1;
  int size = -1;
  EXPECT_DONE(onecast_file_path(file, &name));
  EXPECT_EQ(name, path());
  EXPECT_DONE(onecast_file_get_access(file, &access));
  EXPECT_EQ(access, ONECAST_READ_WRITE);
  EXPECT_DONE(onecast_file_get_ranks(file, &rank, &size));
  EXPECT_EQ(rank, 0);
  EXPECT_EQ(size, 1);
  reopen();
  EXPECT_DONE(onecast_file_get_access(file, &access));
  EXPECT_EQ(access, ONECAST_READ_ONLY);
}

TEST_F(File, OptionsAreTaken) {
  onecast_file_options options;
  ASSERT_DONE(onecast_file_options_init(&options, sizeof options));
  EXPECT_EQ(options.size, sizeof options);
  EXPECT_EQ(options.compact_limit, 4096U);
  EXPECT_EQ(options.journal, 1);
  EXPECT_EQ(options.single_writer_stripes, UINT64_MAX);
  EXPECT_EQ(options.alignment_interval, 0U);
  options.alignment_interval = std::uint64_t{1} << 50U;
  onecast_file* none = nullptr;
  EXPECT_FAILS(onecast_file_create((folder / "b.h5").c_str(), &options, &none),
               ONECAST_INVALID_ARGUMENT, "alignment_interval");
  options.alignment_interval = 4096;
  options.alignment_threshold = 1;
  options.page_size = 8192;
  options.profile = ONECAST_PROFILE_LATEST;
  onecast_file* other = nullptr;
  ASSERT_DONE(onecast_file_create((folder / "b.h5").c_str(), &options, &other));
  onecast_metadata_report report;
  onecast_profile profile = ONECAST_PROFILE_COMPATIBLE;
  EXPECT_DONE(onecast_file_flush(other));
  EXPECT_DONE(onecast_file_metadata_report(other, &report, sizeof report));
  EXPECT_EQ(report.page_size, 8192U);
  EXPECT_EQ(report.pages, 1U);
  EXPECT_DONE(onecast_file_get_profile(other, &profile));
  EXPECT_EQ(profile, ONECAST_PROFILE_LATEST);
  EXPECT_DONE(onecast_file_close(&other));
}

/// A value of each kind that is not the default reaches the C++ options, and comes back unchanged.
TEST_F(File, EachKindOfOption) {
  onecast_file_options given;
  ASSERT_DONE(onecast_file_options_init(&given, sizeof given));
  const FileOptions defaults = capi::file_options_of(&given);
  EXPECT_EQ(defaults, FileOptions());
  EXPECT_EQ(capi::file_options_of(nullptr), FileOptions());
  const onecast_hint hint = {"cb_nodes", "2"};
  given.follow_external = ONECAST_FOLLOW_EXTERNAL_FOLDER;
  given.locking = ONECAST_LOCKING_BEST_EFFORT;
  given.journal = 0;
  given.durable = 7;
  given.stripe_count = 12;
  given.compact_total = 0;
  given.load_policy = ONECAST_LOAD_POLICY_LAZY;
  given.decode_threads = 3;
  given.single_writer_stripes = 5;
  given.hint_count = 1;
  given.hints = &hint;
  FileOptions expected;
  expected.follow_external = FollowExternal::folder;
  expected.locking = FileLocking::best_effort;
  expected.journal = false;
  expected.durable = true;
  expected.stripe_count = 12;
  expected.compact_total = 0;
  expected.load_policy = LoadPolicy::lazy;
  expected.decode_threads = 3;
  expected.single_writer_stripes = 5;
  expected.hints = {{"cb_nodes", "2"}};
  EXPECT_EQ(capi::file_options_of(&given), expected);
}

TEST_F(File, OptionsOfTransfers) {
  onecast_file_options options;
  ASSERT_DONE(onecast_file_options_init(&options, sizeof options));
  EXPECT_EQ(options.method, ONECAST_METHOD_AUTOMATIC);
  const onecast_hint hints[] = {{"cb_nodes", "2"}, {"of_another_library", "1"}};
  options.method = ONECAST_METHOD_PLAIN;
  options.collective_buffer = 1U << 20U;
  options.aggregators = 3;
  options.stripe_count = 1;
  options.hints = hints;
  options.hint_count = 2;
  onecast_file* other = nullptr;
  const std::string name = folder / "b.h5";
  ASSERT_DONE(onecast_file_create(name.c_str(), &options, &other));
  std::size_t count = 0;
  char** names = nullptr;
  EXPECT_DONE(onecast_file_unused_hints(other, &count, &names));
  EXPECT_EQ(strings(count, names), std::vector<std::string>{"of_another_library"});
  auto others = root_of(other);
  const std::uint64_t shape = 4;
  const onecast_dataspace space = onecast_dataspace_array(1, &shape);
  const auto x = made_by<onecast_object>([&](auto out) {
    return onecast_dataset_create(others.get(), "x", ONECAST_INT32, &space, nullptr, out);
  });
  const std::int32_t values[4] = {1, 2, 3, 4};
  EXPECT_DONE(onecast_dataset_write_all(x.get(), nullptr, ONECAST_INT32, values, sizeof values));
  char* text = nullptr;
  EXPECT_DONE(onecast_file_explain(other, &text));
  EXPECT_NE(std::string(text).find("write_all"), std::string::npos) << text;
  onecast_free(text);
  others.reset();
  EXPECT_DONE(onecast_file_close(&other));
  options.method = static_cast<onecast_method>(5);
  EXPECT_FAILS(onecast_file_create(name.c_str(), &options, &other), ONECAST_INVALID_ARGUMENT,
               "method: 5");
  options.method = ONECAST_METHOD_PLAIN;
  options.hints = nullptr;
  EXPECT_FAILS(onecast_file_create(name.c_str(), &options, &other), ONECAST_INVALID_ARGUMENT,
               "hints is NULL");
}

TEST_F(File, OptionsOfAnOlderProgramAreCompleted) {
  onecast_file_options options;
  const std::size_t old = offsetof(onecast_file_options, metadata_budget);
  std::memset(static_cast<void*>(&options), 0xff, sizeof options);
  ASSERT_DONE(onecast_file_options_init(&options, old));
  EXPECT_EQ(options.size, old);
  EXPECT_EQ(options.mpi_io, -1);  // not part of the older struct
  onecast_file* other = nullptr;
  EXPECT_DONE(onecast_file_create((folder / "b.h5").c_str(), &options, &other));
  EXPECT_DONE(onecast_file_close(&other));
}

TEST_F(File, OptionsThatAreWrong) {
  onecast_file* other = nullptr;
  onecast_file_options options = {};
  const std::string name = folder / "b.h5";
  EXPECT_FAILS(onecast_file_create(name.c_str(), &options, &other), ONECAST_INVALID_ARGUMENT,
               "onecast_file_options_init");
  EXPECT_FAILS(onecast_file_options_init(&options, sizeof options + 8), ONECAST_INVALID_ARGUMENT,
               "size");
  ASSERT_DONE(onecast_file_options_init(&options, sizeof options));
  options.page_size = 1000;
  EXPECT_FAILS(onecast_file_create(name.c_str(), &options, &other), ONECAST_INVALID_ARGUMENT,
               "page");
  options.page_size = 0;
  options.profile = static_cast<onecast_profile>(7);
  EXPECT_FAILS(onecast_file_create(name.c_str(), &options, &other), ONECAST_INVALID_ARGUMENT,
               "profile: 7");
  EXPECT_FAILS(onecast_file_open(path().c_str(), static_cast<onecast_access>(2), nullptr, &other),
               ONECAST_INVALID_ARGUMENT, "access: 2");
  EXPECT_EQ(other, nullptr);
}

TEST_F(File, MissingFilesAndOthers) {
  auto* other = reinterpret_cast<onecast_file*>(8);
  const std::string missing = folder / "missing.h5";
  EXPECT_FAILS(onecast_file_open(missing.c_str(), ONECAST_READ_ONLY, nullptr, &other),
               ONECAST_NOT_FOUND, "missing.h5");
  EXPECT_EQ(onecast_last_errno(), ENOENT);
  EXPECT_EQ(other, nullptr);
  EXPECT_FAILS(onecast_file_create((folder / "no/such/folder.h5").c_str(), nullptr, &other),
               ONECAST_NOT_FOUND, "folder.h5");
  const std::string text = folder / "text";
  std::ofstream(text) << "no HDF5";
  EXPECT_FAILS(onecast_file_open(text.c_str(), ONECAST_READ_ONLY, nullptr, &other), ONECAST_FORMAT,
               "text");
  EXPECT_EQ(onecast_last_errno(), 0);
}

TEST_F(File, ReadOnlyFilesDoNotChange) {
  reopen();
  EXPECT_FAILS(onecast_group_create(root.get(), "g", nullptr), ONECAST_STATE, "a.h5");
  EXPECT_FAILS(onecast_file_flush(file), ONECAST_STATE, "a.h5");
  EXPECT_FAILS(onecast_file_independent_begin(file), ONECAST_STATE, "a.h5");
}

TEST_F(File, CloseTakesTheHandleAndLeavesObjectsClosed) {
  const auto kept = dataset("x", ONECAST_INT32, {3});
  ASSERT_DONE(onecast_file_close(&file));
  EXPECT_EQ(file, nullptr);
  EXPECT_DONE(onecast_file_close(&file));  // nothing to do
  EXPECT_FAILS(onecast_file_flush(file), ONECAST_INVALID_ARGUMENT, "file is NULL");
  std::int32_t values[3];
  EXPECT_FAILS(onecast_dataset_read(kept.get(), nullptr, nullptr, values, sizeof values),
               ONECAST_STATE, "closed");
  EXPECT_FAILS(onecast_attribute_set_text(kept.get(), "a", "b"), ONECAST_STATE, "closed");
  EXPECT_FAILS(onecast_group_create(root.get(), "g", nullptr), ONECAST_STATE, "closed");
}

TEST_F(File, AFileThatTheProgramNeverClosesIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fork would lose the workers, and leak
  EXPECT_EXIT(
      {
        onecast_file* left = nullptr;
        const bool made =
            onecast_file_create((folder / "left.h5").c_str(), nullptr, &left) == ONECAST_OK;
        std::exit(made ? 0 : 1);  // NOLINT(concurrency-mt-unsafe): one thread
      },
      testing::ExitedWithCode(0), "left.h5 was not closed: the changes since its last flush");
}

TEST_F(File, AbandonedChangesAreLost) {
  EXPECT_DONE(onecast_file_flush(file));
  group("lost");
  root.reset();
  testing::internal::CaptureStderr();
  onecast_file_abandon(&file, nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "that was meant";
  EXPECT_EQ(file, nullptr);
  onecast_file_abandon(&file, nullptr);
  ASSERT_DONE(onecast_file_open(path().c_str(), ONECAST_READ_ONLY, nullptr, &file));
  root = root_of(file);
  int there = -1;
  EXPECT_DONE(onecast_group_contains(root.get(), "lost", &there));
  EXPECT_EQ(there, 0);
}

TEST_F(File, IndependentBlocksAreNestedAndEnd) {
  EXPECT_FAILS(onecast_file_independent_end(file), ONECAST_STATE, "without a begin");
  group("of all");
  EXPECT_DONE(onecast_file_independent_begin(file));
  EXPECT_DONE(onecast_file_independent_begin(file));
  group("new");
  EXPECT_DONE(onecast_group_move(root.get(), "new", "mine"));
  EXPECT_FAILS(onecast_group_move(root.get(), "of all", "mine too"), ONECAST_STATE, "independent");
  EXPECT_DONE(onecast_file_independent_end(file));
  EXPECT_DONE(onecast_file_independent_end(file));
  EXPECT_FAILS(onecast_file_independent_end(file), ONECAST_STATE, "without a begin");
  reopen();
  open("mine");
}

TEST_F(File, CloseEndsABlockThatIsOpen) {
  EXPECT_DONE(onecast_file_independent_begin(file));
  group("mine");
  reopen();
  open("mine");
}

TEST_F(File, CountsAndPrefetches) {
  group("g");
  reopen();
  onecast_io_stats stats;
  EXPECT_DONE(onecast_file_io_stats(file, &stats, sizeof stats));
  EXPECT_EQ(stats.opens, 1U);
  EXPECT_EQ(stats.reads, 1U);
  EXPECT_EQ(stats.writes, 0U);
  EXPECT_DONE(onecast_file_prefetch_all(file, "/g", 1));
  EXPECT_FAILS(onecast_file_prefetch_all(file, "/missing", 0), ONECAST_NOT_FOUND, "missing");
}

TEST_F(File, AdoptAndRecover) {
  int had_none = -1;
  EXPECT_DONE(onecast_file_adopt(file, &had_none));
  EXPECT_EQ(had_none, 0);
  reopen();
  onecast_recovered recovered = ONECAST_RECOVERED_UNDONE;
  EXPECT_FAILS(onecast_file_recover(path().c_str(), ONECAST_LOCKING_ON, &recovered), ONECAST_IO,
               "a.h5");  // the file a.h5 is open here
  root.reset();
  EXPECT_DONE(onecast_file_close(&file));
  EXPECT_DONE(onecast_file_recover(path().c_str(), ONECAST_LOCKING_ON, &recovered));
  EXPECT_EQ(recovered, ONECAST_RECOVERED_NOTHING);
  EXPECT_FAILS(onecast_file_recover("missing.h5", ONECAST_LOCKING_ON, nullptr), ONECAST_NOT_FOUND,
               "missing.h5");
}

}  // namespace
}  // namespace onecast::test
