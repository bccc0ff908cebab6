#include <array>
#include <cstdint>
#include <numeric>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

using PendingInC = CapiTest;

TEST_F(PendingInC, WritesAndReads) {
  const auto x = dataset("x", ONECAST_INT32, {1000});
  std::vector<std::int32_t> values(1000);
  std::iota(values.begin(), values.end(), 3);
  std::vector<double> all(1000);
  std::array<std::int32_t, 5> few{};
  const std::uint64_t start = 10;
  const std::uint64_t count = few.size();
  const onecast_selection part = onecast_selection_box(1, &start, &count);
  std::array<onecast_pending*, 5> calls{};
  EXPECT_DONE(onecast_dataset_write_all_async(x.get(), nullptr, ONECAST_INT32, values.data(), 4000,
                                              &calls[0]));
  EXPECT_DONE(onecast_dataset_read_all_async(x.get(), nullptr, ONECAST_DOUBLE, all.data(), 8000,
                                             &calls[1]));
  EXPECT_DONE(
      onecast_dataset_write_async(x.get(), &part, ONECAST_INT32, values.data(), 20, &calls[2]));
  EXPECT_DONE(
      onecast_dataset_read_async(x.get(), &part, nullptr, few.data(), sizeof few, &calls[3]));
  EXPECT_DONE(onecast_file_flush_async(file, &calls[4]));
  int is_done = -1;
  EXPECT_DONE(onecast_pending_is_done(calls[0], &is_done));
  EXPECT_TRUE(is_done == 0 || is_done == 1);
  for (onecast_pending*& call : calls) {
    EXPECT_DONE(onecast_pending_wait(&call));
    EXPECT_EQ(call, nullptr);
  }
  EXPECT_DONE(onecast_pending_wait(calls.data())) << "nothing is done";
  EXPECT_EQ(all[999], 1002.0);
  EXPECT_EQ(few, (std::array<std::int32_t, 5>{3, 4, 5, 6, 7}));
  reopen();
  EXPECT_EQ(read<std::int32_t>(open("x").get(), 5, nullptr, &part),
            (std::vector<std::int32_t>{3, 4, 5, 6, 7}));
}

TEST_F(PendingInC, ListsOfDatasets) {
  const auto x = dataset("x", ONECAST_INT32, {1000});
  const auto y = dataset("y", ONECAST_DOUBLE, {1000});
  std::vector<std::int32_t> values(1000);
  std::iota(values.begin(), values.end(), 3);
  std::vector<double> found(1000);
  std::array<std::int32_t, 5> few{};
  const std::uint64_t start = 10;
  const std::uint64_t count = few.size();
  const onecast_selection part = onecast_selection_box(1, &start, &count);
  std::array<onecast_pending*, 2> calls{};
  {
    const onecast_write_request writes[] = {{x.get(), nullptr, nullptr, values.data(), 4000},
                                            {y.get(), nullptr, ONECAST_INT32, values.data(), 4000}};
    EXPECT_DONE(onecast_file_write_multi_async(file, 2, writes, calls.data()));
    const onecast_read_request reads[] = {{x.get(), &part, nullptr, few.data(), sizeof few},
                                          {y.get(), nullptr, nullptr, found.data(), 8000}};
    EXPECT_DONE(onecast_file_read_multi_async(file, 2, reads, &calls[1]));
  }
  for (onecast_pending*& call : calls) EXPECT_DONE(onecast_pending_wait(&call));
  EXPECT_EQ(few, (std::array<std::int32_t, 5>{13, 14, 15, 16, 17}));
  EXPECT_EQ(found[999], 1002.0);

  // Errors of the arguments come at the wait.
  onecast_write_request write = {x.get(), nullptr, nullptr, values.data(), 3999};
  EXPECT_DONE(onecast_file_write_multi_async(file, 1, &write, calls.data()));
  EXPECT_FAILS(onecast_pending_wait(calls.data()), ONECAST_INVALID_ARGUMENT, "bytes given");
  write.data = nullptr;
  EXPECT_DONE(onecast_file_write_multi_async(file, 1, &write, calls.data()));
  EXPECT_FAILS(onecast_pending_wait(calls.data()), ONECAST_INVALID_ARGUMENT, "data is NULL");
  EXPECT_DONE(onecast_file_read_multi_async(file, 1, nullptr, calls.data()));
  EXPECT_FAILS(onecast_pending_wait(calls.data()), ONECAST_INVALID_ARGUMENT, "requests is NULL");
}

// The bytes in the file do not depend on those between the members.
TEST_F(PendingInC, KeepsWhatItCleaned) {
  struct Padded {
    std::int8_t small;
    std::int32_t large;
  };
  const onecast_member members[] = {{"small", offsetof(Padded, small), ONECAST_INT8},
                                    {"large", offsetof(Padded, large), ONECAST_INT32}};
  const auto type = made_by<onecast_type>([&](auto out) {
    return onecast_type_compound(sizeof(Padded), std::size(members), members, out);
  });
  const auto x = dataset("x", type.get(), {2});
  std::array<Padded, 2> values{};
  std::fill_n(reinterpret_cast<unsigned char*>(values.data()), sizeof values, 0xFF);
  values[0] = {1, 2};
  onecast_pending* pending = nullptr;
  EXPECT_DONE(onecast_dataset_write_all_async(x.get(), nullptr, type.get(), values.data(),
                                              sizeof values, &pending));
  EXPECT_DONE(onecast_pending_wait(&pending));
  const auto stored = read<Padded>(x.get(), 2, type.get());
  EXPECT_EQ(stored[0].large, 2);
  EXPECT_EQ(reinterpret_cast<const unsigned char*>(stored.data())[1], 0);
}

TEST_F(PendingInC, ErrorsComeAtTheWait) {
  const auto x = dataset("x", ONECAST_INT32, {1000});
  const std::int32_t value = 1;
  onecast_pending* pending = nullptr;
  EXPECT_DONE(
      onecast_dataset_write_all_async(x.get(), nullptr, ONECAST_INT32, &value, 4, &pending));
  EXPECT_FAILS(onecast_pending_wait(&pending), ONECAST_INVALID_ARGUMENT, "bytes given");
  EXPECT_EQ(pending, nullptr);
  // For a collective call this includes errors that are found before it begins: all ranks get them.
  EXPECT_DONE(
      onecast_dataset_write_all_async(x.get(), nullptr, ONECAST_INT32, nullptr, 4, &pending));
  EXPECT_FAILS(onecast_pending_wait(&pending), ONECAST_INVALID_ARGUMENT, "data is NULL");
  EXPECT_DONE(onecast_dataset_read_all_async(x.get(), nullptr, nullptr, nullptr, 4, &pending));
  EXPECT_FAILS(onecast_pending_wait(&pending), ONECAST_INVALID_ARGUMENT, "out is NULL");
  EXPECT_FAILS(onecast_dataset_write_async(x.get(), nullptr, nullptr, nullptr, 4, &pending),
               ONECAST_INVALID_ARGUMENT, "data is NULL");
  EXPECT_EQ(pending, nullptr);
  EXPECT_DONE(onecast_dataset_write_async(x.get(), nullptr, ONECAST_INT32, &value, 4, &pending));
  onecast_pending_free(&pending);
  EXPECT_FAILS(onecast_file_flush(file), ONECAST_INVALID_ARGUMENT, "bytes given");
  EXPECT_DONE(onecast_file_flush(file));
}

TEST_F(PendingInC, NullIsRefused) {
  const auto x = dataset("x", ONECAST_INT32, {1});
  onecast_pending* pending = nullptr;
  std::int32_t value = 1;
  int is_done = 0;
  EXPECT_FAILS(onecast_dataset_read_async(nullptr, nullptr, nullptr, &value, 4, &pending),
               ONECAST_INVALID_ARGUMENT, "NULL");
  EXPECT_FAILS(onecast_dataset_write_all_async(x.get(), nullptr, nullptr, &value, 4, nullptr),
               ONECAST_INVALID_ARGUMENT, "pending is NULL");
  EXPECT_FAILS(onecast_file_flush_async(nullptr, &pending), ONECAST_INVALID_ARGUMENT, "NULL");
  EXPECT_FAILS(onecast_file_write_multi_async(nullptr, 0, nullptr, &pending),
               ONECAST_INVALID_ARGUMENT, "file is NULL");
  EXPECT_FAILS(onecast_file_read_multi_async(file, 0, nullptr, nullptr), ONECAST_INVALID_ARGUMENT,
               "pending is NULL");
  EXPECT_FAILS(onecast_pending_wait(nullptr), ONECAST_INVALID_ARGUMENT, "NULL");
  EXPECT_FAILS(onecast_pending_is_done(nullptr, &is_done), ONECAST_INVALID_ARGUMENT, "NULL");
  onecast_pending_free(nullptr);
  onecast_pending_free(&pending);
}

}  // namespace
}  // namespace onecast::test
