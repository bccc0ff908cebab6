// One process writes for readers (SWMR), and another one follows it.

#include <sys/wait.h>
#include <unistd.h>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

class Swmr : public CapiTest {
 protected:
  void SetUp() override {
    onecast_file_options latest;
    ASSERT_DONE(onecast_file_options_init(&latest, sizeof latest));
    latest.profile = ONECAST_PROFILE_LATEST;
    ASSERT_DONE(onecast_file_create(path().c_str(), &latest, &file));
    root = root_of(file);
    make("x");
    make("y");
  }
  /// Makes a dataset of one element that can grow.
  void make(const char* name) const {
    const std::uint64_t shape[] = {1};
    const std::uint64_t most[] = {ONECAST_UNLIMITED};
    const std::uint64_t chunk[] = {4};
    onecast_dataset_options chunked = options();
    chunked.chunk = chunk;
    const onecast_dataspace space = onecast_dataspace_growing(1, shape, most);
    EXPECT_DONE(onecast_dataset_create(root.get(), name, ONECAST_INT32, &space, &chunked, nullptr));
  }
  void grow(const char* name) const {
    const auto dataset = open(name);
    const std::uint64_t shape[] = {3};
    const std::int32_t values[] = {1, 2, 3};
    EXPECT_DONE(onecast_dataset_resize(dataset.get(), 1, shape));
    EXPECT_DONE(onecast_dataset_write(dataset.get(), nullptr, nullptr, values, sizeof values));
  }
  static std::uint64_t length_of(const onecast_object* dataset) {
    onecast_dataspace space;
    EXPECT_DONE(onecast_dataset_get_space(dataset, &space));
    return space.shape[0];
  }
};

TEST_F(Swmr, IsStartedOnceAndCreatesNothing) {
  int is_swmr = -1;
  EXPECT_DONE(onecast_file_is_swmr(file, &is_swmr));
  EXPECT_EQ(is_swmr, 0);
  EXPECT_DONE(onecast_file_start_swmr(file));
  EXPECT_DONE(onecast_file_is_swmr(file, &is_swmr));
  EXPECT_EQ(is_swmr, 1);
  EXPECT_FAILS(onecast_file_start_swmr(file), ONECAST_STATE, "begun");
  EXPECT_FAILS(onecast_group_create(root.get(), "g", nullptr), ONECAST_STATE, "SWMR");
  grow("x");
  EXPECT_DONE(onecast_file_flush(file));
}

TEST_F(Swmr, IsRefusedInAFileForReading) {
  reopen();
  EXPECT_FAILS(onecast_file_start_swmr(file), ONECAST_STATE, "read");
}

TEST_F(Swmr, AReaderSeesWhatItRefreshes) {
  root.reset();
  ASSERT_DONE(onecast_file_close(&file));
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    char told = 0;
    if (::read(go[0], &told, 1) != 1) _exit(2);
    EXPECT_DONE(onecast_file_open(path().c_str(), ONECAST_READ_WRITE, nullptr, &file));
    root = root_of(file);
    EXPECT_DONE(onecast_file_start_swmr(file));
    grow("x");
    grow("y");
    EXPECT_DONE(onecast_file_close(&file));
    _exit(HasFailure() ? 1 : 0);
  }
  onecast_file_options follow;
  ASSERT_DONE(onecast_file_options_init(&follow, sizeof follow));
  follow.follow = 1;
  ASSERT_DONE(onecast_file_open(path().c_str(), ONECAST_READ_ONLY, &follow, &file));
  root = root_of(file);
  const auto x = open("x");
  const auto y = open("y");
  EXPECT_EQ(length_of(x.get()), 1U);
  EXPECT_EQ(length_of(y.get()), 1U);
  ASSERT_EQ(write(go[1], "!", 1), 1);
  int status = -1;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(length_of(x.get()), 1U);
  EXPECT_DONE(onecast_object_refresh(x.get()));
  EXPECT_EQ(length_of(x.get()), 3U);
  EXPECT_EQ(read<std::int32_t>(x.get(), 3, nullptr), (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_DONE(onecast_file_refresh(file));
  EXPECT_EQ(length_of(y.get()), 3U);
  for (const int end : go) close(end);
}

}  // namespace
}  // namespace onecast::test
