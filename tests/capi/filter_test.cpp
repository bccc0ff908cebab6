#include <algorithm>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

using OwnFilters = CapiTest;

constexpr std::uint16_t kId = 300;

/// Adds to all bytes a number made from the user's and the filter's number.
int add(const onecast_filter_input* input, onecast_filter_output* output, unsigned what) {
  auto* room = static_cast<unsigned char*>(onecast_filter_room(output, input->size));
  if (room == nullptr) return 1;
  const auto* bytes = static_cast<const unsigned char*>(input->bytes);
  std::transform(bytes, bytes + input->size, room,
                 [&](unsigned char b) { return static_cast<unsigned char>(b + what); });
  return 0;
}
int encode(void* user, const onecast_filter_input* input, onecast_filter_output* output) {
  if (input->client_data_count != 1) return 7;
  return add(input, output, *static_cast<unsigned*>(user) + input->client_data[0]);
}
int decode(void* user, const onecast_filter_input* input, onecast_filter_output* output) {
  return add(input, output, 0U - *static_cast<unsigned*>(user) - input->client_data[0]);
}

TEST_F(OwnFilters, AreCalled) {
  unsigned user = 5;
  ASSERT_DONE(onecast_register_filter(kId, "adder", decode, encode, &user));
  onecast_filter adder = {};
  adder.id = kId;
  adder.client_data_count = 1;
  adder.client_data[0] = 2;
  const std::uint64_t chunk = 10;
  onecast_dataset_options stored = options();
  stored.chunk = &chunk;
  stored.filters = &adder;
  stored.filter_count = 1;
  const std::vector<std::uint8_t> values(30, 1);
  const auto filtered = dataset("filtered", ONECAST_UINT8, {30}, &stored);
  EXPECT_DONE(onecast_dataset_write(filtered.get(), nullptr, nullptr, values.data(), 30));
  reopen();
  EXPECT_EQ(read<std::uint8_t>(open("filtered").get(), 30, ONECAST_UINT8), values);
  user = 6;  // changes how reads decode
  reopen();
  EXPECT_EQ(read<std::uint8_t>(open("filtered").get(), 30, ONECAST_UINT8),
            std::vector<std::uint8_t>(30, 0));
  int had_one = 0;
  EXPECT_DONE(onecast_unregister_filter(kId, &had_one));
  EXPECT_EQ(had_one, 1);
  EXPECT_DONE(onecast_unregister_filter(kId, &had_one));
  EXPECT_EQ(had_one, 0);
}

TEST_F(OwnFilters, ThatFail) {
  unsigned user = 5;
  ASSERT_DONE(onecast_register_filter(kId, "adder", decode, encode, &user));
  onecast_filter adder = {};
  adder.id = kId;
  const std::uint64_t chunk = 10;
  onecast_dataset_options stored = options();
  stored.chunk = &chunk;
  stored.filters = &adder;
  stored.filter_count = 1;
  auto filtered = dataset("filtered", ONECAST_UINT8, {30}, &stored);
  const std::vector<std::uint8_t> values(30, 1);
  EXPECT_FAILS(
      onecast_dataset_write(filtered.get(), nullptr, nullptr, values.data(), 30) == ONECAST_OK
          ? onecast_file_flush(file)
          : onecast_last_status(),
      ONECAST_INVALID_ARGUMENT, "returned 7");
  EXPECT_DONE(onecast_unregister_filter(kId, nullptr));
  filtered.reset();
  root.reset();
  onecast_file_abandon(&file, nullptr);
  ASSERT_DONE(onecast_file_create(path().c_str(), nullptr, &file));
  root = root_of(file);
}

TEST_F(OwnFilters, AreListedWithOnecasts) {
  ASSERT_DONE(onecast_register_filter(kId, "adder", decode, nullptr, nullptr));
  onecast_known_filter* known = nullptr;
  std::size_t count = 0;
  ASSERT_DONE(onecast_known_filters(&known, &count));
  ASSERT_GT(count, 2U);
  EXPECT_EQ(known[0].id, 1);
  EXPECT_EQ(known[0].decodes, 1);
  EXPECT_EQ(known[0].encodes, 1);
  EXPECT_STREQ(known[0].name, "deflate");
  EXPECT_STREQ(known[0].h5py_name, "gzip");
  EXPECT_STREQ(known[count - 1].name, "adder");
  EXPECT_EQ(known[count - 1].h5py_name, nullptr);
  EXPECT_EQ(known[count - 1].encodes, 0);
  onecast_free(known);
  EXPECT_DONE(onecast_unregister_filter(kId, nullptr));
}

TEST_F(OwnFilters, ByName) {
  const std::uint32_t values[] = {16};
  onecast_filter filter = {};
  ASSERT_DONE(onecast_filter_named("szip", values, 1, &filter));
  EXPECT_EQ(filter.id, 4);
  EXPECT_EQ(filter.optional, 1);
  ASSERT_EQ(filter.client_data_count, 2U);
  EXPECT_EQ(filter.client_data[0], 32U);
  EXPECT_EQ(filter.client_data[1], 16U);
  onecast_filter_parameter* parameters = nullptr;
  std::size_t count = 0;
  ASSERT_DONE(onecast_filter_parameters("zstd", &parameters, &count));
  ASSERT_EQ(count, 1U);
  EXPECT_STREQ(parameters[0].name, "level");
  EXPECT_EQ(parameters[0].otherwise, 3);
  EXPECT_EQ(parameters[0].most, 22);
  onecast_free(parameters);
  EXPECT_FAILS(onecast_filter_named("zap", nullptr, 0, &filter), ONECAST_INVALID_ARGUMENT,
               "unknown filter 'zap': expected one of gzip, shuffle,");
  EXPECT_FAILS(onecast_filter_named("zstd", nullptr, 1, &filter), ONECAST_INVALID_ARGUMENT,
               "client_data is NULL");
  EXPECT_FAILS(onecast_filter_named("zstd", values, 17, &filter), ONECAST_INVALID_ARGUMENT,
               "at most 16");
  EXPECT_FAILS(onecast_filter_parameters("zap", &parameters, &count), ONECAST_INVALID_ARGUMENT,
               "unknown filter");
}

TEST_F(OwnFilters, WhatIsWrong) {
  EXPECT_FAILS(onecast_register_filter(kId, nullptr, decode, nullptr, nullptr),
               ONECAST_INVALID_ARGUMENT, "name is NULL");
  EXPECT_FAILS(onecast_register_filter(kId, "none", nullptr, nullptr, nullptr),
               ONECAST_INVALID_ARGUMENT, "decode is NULL");
  EXPECT_EQ(onecast_register_filter(1, "mine", decode, nullptr, nullptr), ONECAST_INVALID_ARGUMENT);
  EXPECT_EQ(onecast_filter_room(nullptr, 5), nullptr);
}

}  // namespace
}  // namespace onecast::test
