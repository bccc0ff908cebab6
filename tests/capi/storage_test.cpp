// The storage of a dataset: filters, fill value, size in the file

#include <cstring>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

class StorageInC : public CapiTest {
 protected:
  std::uint64_t size_of(const char* name) {
    std::uint64_t size = 1;
    EXPECT_DONE(onecast_dataset_get_storage_size(open(name).get(), &size));
    return size;
  }
  std::vector<std::uint64_t> chunk{8};
};

TEST_F(StorageInC, Filters) {
  onecast_dataset_options options = CapiTest::options();
  const onecast_filter filters[] = {onecast_filter_shuffle(), onecast_filter_deflate(7),
                                    onecast_filter_fletcher32()};
  options.chunk = chunk.data();
  options.filters = filters;
  options.filter_count = 3;
  dataset("filtered", ONECAST_DOUBLE, {8}, &options);
  dataset("plain", ONECAST_DOUBLE, {8});
  reopen();
  std::size_t count = 0;
  onecast_dataset_filter* found = nullptr;
  ASSERT_DONE(onecast_dataset_list_filters(open("filtered").get(), &count, &found));
  const Owned<void> owner(found);
  ASSERT_EQ(count, 3U);
  EXPECT_STREQ(found[0].name, "shuffle");
  EXPECT_EQ(found[1].id, 1U);
  EXPECT_STREQ(found[1].name, "deflate");
  ASSERT_EQ(found[1].client_data_count, 1U);
  EXPECT_EQ(found[1].client_data[0], 7U);
  EXPECT_EQ(found[2].id, 3U);
  EXPECT_EQ(found[2].client_data_count, 0U);
  onecast_dataset_filter* none = nullptr;
  EXPECT_DONE(onecast_dataset_list_filters(open("plain").get(), &count, &none));
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(none, nullptr);
}

TEST_F(StorageInC, FillValue) {
  onecast_dataset_options options = CapiTest::options();
  const std::int16_t seven = 7;
  options.fill_value = &seven;
  options.fill_value_size = sizeof seven;
  options.fill_time = ONECAST_FILL_NEVER;
  dataset("filled", ONECAST_INT16, {2}, &options);
  dataset("plain", ONECAST_INT16, {2});
  dataset("texts", ONECAST_STRING, {2});
  reopen();
  onecast_fill_value kind = ONECAST_FILL_VALUE_UNDEFINED;
  onecast_fill_time time = ONECAST_FILL_ON_ALLOCATION;
  EXPECT_DONE(onecast_dataset_get_fill(open("filled").get(), &kind, &time));
  EXPECT_EQ(kind, ONECAST_FILL_VALUE_USER_DEFINED);
  EXPECT_EQ(time, ONECAST_FILL_NEVER);
  EXPECT_DONE(onecast_dataset_get_fill(open("plain").get(), &kind, &time));
  EXPECT_EQ(kind, ONECAST_FILL_VALUE_DEFAULT);
  EXPECT_EQ(time, ONECAST_FILL_IF_SET);
  double value = 1;
  EXPECT_DONE(
      onecast_dataset_get_fill_value(open("filled").get(), ONECAST_DOUBLE, &value, sizeof value));
  EXPECT_EQ(value, 7);
  std::int16_t stored = 1;
  EXPECT_DONE(onecast_dataset_get_fill_value(open("plain").get(), nullptr, &stored, sizeof stored));
  EXPECT_EQ(stored, 0);
  EXPECT_FAILS(onecast_dataset_get_fill_value(open("plain").get(), nullptr, &value, sizeof value),
               ONECAST_INVALID_ARGUMENT, "2 bytes expected, 8 given");
  EXPECT_FAILS(onecast_dataset_get_fill_value(open("texts").get(), nullptr, &value, 16),
               ONECAST_INVALID_ARGUMENT, "functions of their own");
}

TEST_F(StorageInC, Size) {
  onecast_dataset_options options = CapiTest::options();
  const std::vector<double> values(1000, 1.5);
  const auto small = dataset("small", ONECAST_DOUBLE, {2});
  options.layout = ONECAST_LAYOUT_CONTIGUOUS;
  dataset("contiguous", ONECAST_DOUBLE, {1000}, &options);
  options.layout = ONECAST_LAYOUT_AUTOMATIC;
  chunk = {100};
  options.chunk = chunk.data();
  const auto chunked = dataset("chunked", ONECAST_DOUBLE, {1000}, &options);
  const onecast_filter deflate = onecast_filter_deflate(6);
  options.filters = &deflate;
  options.filter_count = 1;
  const auto deflated = dataset("deflated", ONECAST_DOUBLE, {1000}, &options);
  EXPECT_EQ(size_of("chunked"), 0U);
  for (const auto* each : {chunked.get(), deflated.get()})
    EXPECT_DONE(onecast_dataset_write(const_cast<onecast_object*>(each), nullptr, nullptr,
                                      values.data(), 8000));
  const std::uint64_t waiting = size_of("deflated");
  EXPECT_GT(waiting, 0U);
  EXPECT_LT(waiting, 1000U);
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_EQ(size_of("deflated"), waiting);
  EXPECT_EQ(size_of("small"), 16U);
  EXPECT_EQ(size_of("contiguous"), 8000U);
  EXPECT_EQ(size_of("chunked"), 8000U);
}

TEST_F(StorageInC, PendingChunks) {
  onecast_dataset_options options = CapiTest::options();
  const onecast_filter filter = onecast_filter_deflate(1);
  options.chunk = chunk.data();
  options.filters = &filter;
  options.filter_count = 1;
  const auto x = dataset("x", ONECAST_INT32, {16}, &options);
  const std::int32_t values[] = {1, 2, 3};
  const std::uint64_t first = 7;
  const std::uint64_t three = 3;
  const onecast_selection part = onecast_selection_box(1, &first, &three);
  ASSERT_DONE(onecast_dataset_write(x.get(), &part, nullptr, values, sizeof values));
  const std::uint64_t pending = size_of("x");
  EXPECT_GT(pending, 0U);
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_EQ(size_of("x"), pending);
}

TEST_F(StorageInC, ExternalFiles) {
  onecast_dataset_options options = CapiTest::options();
  const onecast_external_slot slots[] = {{"a.raw", 4, 8}, {"b.raw", 0, ONECAST_UNLIMITED}};
  options.external = slots;
  options.external_count = 2;
  dataset("x", ONECAST_INT32, {4}, &options);
  dataset("plain", ONECAST_INT32, {4});
  reopen();
  onecast_layout layout = ONECAST_LAYOUT_CHUNKED;
  EXPECT_DONE(onecast_dataset_get_layout(open("x").get(), &layout));
  EXPECT_EQ(layout, ONECAST_LAYOUT_CONTIGUOUS);
  EXPECT_EQ(size_of("x"), 16U);
  std::size_t count = 0;
  onecast_external_slot* found = nullptr;
  ASSERT_DONE(onecast_dataset_list_external(open("x").get(), &count, &found));
  const Owned<void> owner(found);
  ASSERT_EQ(count, 2U);
  EXPECT_STREQ(found[0].file, "a.raw");
  EXPECT_EQ(found[0].offset, 4U);
  EXPECT_EQ(found[0].size, 8U);
  EXPECT_STREQ(found[1].file, "b.raw");
  EXPECT_EQ(found[1].size, ONECAST_UNLIMITED);
  ASSERT_DONE(onecast_dataset_list_external(open("plain").get(), &count, &found));
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(found, nullptr);
}

TEST_F(StorageInC, AllocationTime) {
  onecast_dataset_options options = CapiTest::options();
  options.allocation_time = static_cast<onecast_allocation_time>(4);
  onecast_object* x = nullptr;
  EXPECT_FAILS(onecast_dataset_create(root.get(), "x", ONECAST_INT32, nullptr, &options, &x),
               ONECAST_INVALID_ARGUMENT, "allocation_time: 4");
  options.allocation_time = ONECAST_ALLOCATE_LATE;
  options.layout = ONECAST_LAYOUT_COMPACT;
  EXPECT_FAILS(onecast_dataset_create(root.get(), "x", ONECAST_INT32, nullptr, &options, &x),
               ONECAST_INVALID_ARGUMENT, "compact data is always allocated early");
  options.layout = ONECAST_LAYOUT_CONTIGUOUS;
  dataset("x", ONECAST_INT32, {4}, &options);
}

}  // namespace
}  // namespace onecast::test
