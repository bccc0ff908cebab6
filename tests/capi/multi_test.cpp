// Calls that transfer many datasets
#include "onecast/capi/multi.h"

#include "capi/capi_test.hpp"
#include "onecast/capi/pending.h"

namespace onecast::test {
namespace {

using MultiInC = CapiTest;

TEST_F(MultiInC, PartsOfSeveralDatasets) {
  const auto x = dataset("x", ONECAST_INT32, {4});
  const auto y = dataset("y", ONECAST_DOUBLE, {2, 2});
  const std::int32_t whole[] = {1, 2, 3, 4};
  const std::int32_t converted[] = {5, 6};
  const std::uint64_t start[] = {1, 0};
  const std::uint64_t count[] = {1, 2};
  const onecast_selection row = onecast_selection_box(2, start, count);
  const onecast_write_request writes[] = {
      {x.get(), nullptr, nullptr, whole, sizeof whole},
      {y.get(), &row, ONECAST_INT32, converted, sizeof converted}};
  EXPECT_DONE(onecast_file_write_multi(file, 2, writes));
  EXPECT_DONE(onecast_file_write_multi(file, 0, nullptr));
  reopen();
  const auto x_again = open("x");
  const auto y_again = open("y");
  std::int32_t middle[2] = {};
  double all[4] = {};
  const std::uint64_t one = 1;
  const std::uint64_t two = 2;
  const onecast_selection part = onecast_selection_box(1, &one, &two);
  const onecast_read_request reads[] = {{x_again.get(), &part, nullptr, middle, sizeof middle},
                                        {y_again.get(), nullptr, nullptr, all, sizeof all}};
  EXPECT_DONE(onecast_file_read_multi(file, 2, reads));
  EXPECT_EQ((std::vector<std::int32_t>{middle[0], middle[1]}), (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ((std::vector<double>(all, all + 4)), (std::vector<double>{0, 0, 5, 6}));
}

TEST_F(MultiInC, EachRankItsOwnDatasetsAndRollback) {
  const auto x = dataset("x", ONECAST_INT32, {2});
  EXPECT_DONE(onecast_file_flush(file));
  const std::int32_t values[] = {1, 2};
  std::int32_t read[2] = {};
  const onecast_write_request write = {x.get(), nullptr, nullptr, values, sizeof values};
  const onecast_read_request request = {x.get(), nullptr, nullptr, read, sizeof read};
  EXPECT_DONE(onecast_file_write_multi_own(file, 1, &write));
  EXPECT_DONE(onecast_file_read_multi_own(file, 1, &request));
  EXPECT_EQ(read[1], 2);
  onecast_pending* pending = nullptr;
  EXPECT_DONE(onecast_file_write_multi_own_async(file, 1, &write, &pending));
  EXPECT_DONE(onecast_pending_wait(&pending));
  EXPECT_DONE(onecast_file_read_multi_own_async(file, 1, &request, &pending));
  EXPECT_DONE(onecast_pending_wait(&pending));
  const auto y = dataset("y", ONECAST_INT32, {2});
  EXPECT_DONE(onecast_file_rollback(file));
  const onecast_write_request gone = {y.get(), nullptr, nullptr, values, sizeof values};
  EXPECT_FAILS(onecast_file_write_multi(file, 1, &gone), ONECAST_STATE, "was removed");
  EXPECT_DONE(onecast_file_write_multi(file, 1, &write));
  EXPECT_FAILS(onecast_file_rollback(nullptr), ONECAST_INVALID_ARGUMENT, "file is NULL");
}

TEST_F(MultiInC, EachArgumentIsNamed) {
  const auto x = dataset("x", ONECAST_INT32, {4});
  onecast_write_request write = {x.get(), nullptr, nullptr, nullptr, 16};
  onecast_read_request read = {x.get(), nullptr, nullptr, nullptr, 16};
  EXPECT_FAILS(onecast_file_write_multi(file, 1, &write), ONECAST_INVALID_ARGUMENT, "data is NULL");
  EXPECT_FAILS(onecast_file_read_multi(file, 1, &read), ONECAST_INVALID_ARGUMENT, "out is NULL");
  EXPECT_FAILS(onecast_file_write_multi(file, 1, nullptr), ONECAST_INVALID_ARGUMENT,
               "requests is NULL");
  EXPECT_FAILS(onecast_file_read_multi(file, 1, nullptr), ONECAST_INVALID_ARGUMENT,
               "requests is NULL");
  EXPECT_FAILS(onecast_file_write_multi(nullptr, 0, nullptr), ONECAST_INVALID_ARGUMENT,
               "file is NULL");
  EXPECT_FAILS(onecast_file_read_multi(nullptr, 0, nullptr), ONECAST_INVALID_ARGUMENT,
               "file is NULL");
  write.dataset = root.get();
  read.dataset = nullptr;
  EXPECT_FAILS(onecast_file_write_multi(file, 1, &write), ONECAST_INVALID_ARGUMENT, "dataset");
  EXPECT_FAILS(onecast_file_read_multi(file, 1, &read), ONECAST_INVALID_ARGUMENT, "dataset");
}

}  // namespace
}  // namespace onecast::test
