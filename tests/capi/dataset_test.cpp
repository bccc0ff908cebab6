#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <numeric>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

using Numbers = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

class DatasetInC : public CapiTest {
 protected:
  static Numbers count_up(std::size_t count) {
    Numbers values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
  }
  Owned<onecast_object> counting(const char* name, const std::vector<std::uint64_t>& shape) const {
    auto made = dataset(name, ONECAST_INT32, shape);
    std::uint64_t count = 1;
    for (const std::uint64_t n : shape) count *= n;
    const Numbers values = count_up(count);
    EXPECT_DONE(onecast_dataset_write(made.get(), nullptr, ONECAST_INT32, values.data(),
                                      values.size() * sizeof(std::int32_t)));
    return made;
  }
  static Texts texts_of(const onecast_object* from, const onecast_selection* part = nullptr) {
    std::size_t count = 0;
    char** texts = nullptr;
    EXPECT_DONE(onecast_dataset_read_strings(from, part, &count, &texts));
    return strings(count, texts);
  }
};

TEST_F(DatasetInC, Parts) {
  const auto x = counting("x", {4, 5});
  const std::uint64_t start[] = {1, 0};
  const std::uint64_t stride[] = {2, 3};
  const std::uint64_t count[] = {2, 2};
  const std::uint64_t block[] = {1, 2};
  onecast_selection part = onecast_selection_hyperslab(2, start, stride, count, block);
  EXPECT_EQ(read<std::int32_t>(x.get(), 8, ONECAST_INT32, &part),
            (Numbers{5, 6, 8, 9, 15, 16, 18, 19}));
  part = onecast_selection_box(2, start, count);
  EXPECT_EQ(read<std::int32_t>(x.get(), 4, nullptr, &part), (Numbers{5, 6, 10, 11}));
  const std::uint64_t points[] = {3, 4, 0, 0, 3, 4};
  part = onecast_selection_points(2, 3, points);
  EXPECT_EQ(read<std::int32_t>(x.get(), 3, nullptr, &part), (Numbers{19, 0, 19}));
  part = onecast_selection_none();
  EXPECT_DONE(onecast_dataset_read(x.get(), &part, nullptr, nullptr, 0));
  EXPECT_EQ(read<double>(x.get(), 20, ONECAST_DOUBLE)[7], 7.0);
}

TEST_F(DatasetInC, PartsOfMemory) {
  const auto x = counting("x", {2, 2});
  // The inner elements of an array with ghost cells around them.
  const std::uint64_t outer[] = {4, 4};
  const std::uint64_t one[] = {1, 1};
  const std::uint64_t two[] = {2, 2};
  const onecast_selection inside = onecast_selection_box(2, one, two);
  const onecast_memory memory = {2, outer, &inside};
  onecast_selection part = {};
  part.memory = &memory;
  Numbers ghosts(16, -1);
  EXPECT_DONE(onecast_dataset_read(x.get(), &part, ONECAST_INT32, ghosts.data(), 64));
  EXPECT_EQ(ghosts, (Numbers{-1, -1, -1, -1, -1, 0, 1, -1, -1, 2, 3, -1, -1, -1, -1, -1}));
  ghosts[5] = 100;
  EXPECT_DONE(onecast_dataset_write_all(x.get(), &part, ONECAST_INT32, ghosts.data(), 64));
  EXPECT_EQ(read<std::int32_t>(x.get(), 4, nullptr), (Numbers{100, 1, 2, 3}));
  ghosts[6] = 200;
  EXPECT_DONE(onecast_dataset_write(x.get(), &part, ONECAST_INT32, ghosts.data(), 64));
  EXPECT_DONE(onecast_dataset_read_all(x.get(), &part, ONECAST_INT32, ghosts.data(), 64));
  EXPECT_EQ(ghosts[6], 200);
  ghosts[9] = 300;
  EXPECT_DONE(onecast_dataset_write_equal(x.get(), &part, ONECAST_INT32, ghosts.data(), 64));
  EXPECT_EQ(read<std::int32_t>(x.get(), 4, nullptr), (Numbers{100, 200, 300, 3}));
}

TEST_F(DatasetInC, StorageAsAskedFor) {
  const std::uint64_t shape[] = {6, 4};
  const std::uint64_t most[] = {ONECAST_UNLIMITED, 4};
  const std::uint64_t chunk[] = {3, 4};
  const std::int16_t fill = -7;
  const onecast_filter filters[] = {onecast_filter_shuffle(), onecast_filter_deflate(3),
                                    onecast_filter_fletcher32()};
  const onecast_dataspace space = onecast_dataspace_growing(2, shape, most);
  onecast_dataset_options how = options();
  how.chunk = chunk;
  how.filters = filters;
  how.filter_count = 3;
  how.fill_value = &fill;
  how.fill_value_size = sizeof fill;
  const auto x = made_by<onecast_object>([&](auto out) {
    return onecast_dataset_create(root.get(), "x", ONECAST_INT16, &space, &how, out);
  });
  onecast_layout layout = ONECAST_LAYOUT_AUTOMATIC;
  EXPECT_DONE(onecast_dataset_get_layout(x.get(), &layout));
  EXPECT_EQ(layout, ONECAST_LAYOUT_CHUNKED);
  std::size_t rank = 0;
  std::uint64_t found[ONECAST_MAX_RANK] = {};
  EXPECT_DONE(onecast_dataset_get_chunk(x.get(), &rank, found));
  EXPECT_EQ(rank, 2U);
  EXPECT_EQ(found[0], 3U);
  const std::uint64_t larger[] = {7, 4};
  EXPECT_DONE(onecast_dataset_resize(x.get(), 2, larger));
  onecast_dataspace grown;
  EXPECT_DONE(onecast_dataset_get_space(x.get(), &grown));
  EXPECT_EQ(grown.shape[0], 7U);
  EXPECT_EQ(grown.can_grow, 1);
  EXPECT_EQ(grown.max_shape[0], ONECAST_UNLIMITED);
  std::uint64_t count = 0;
  EXPECT_DONE(onecast_dataspace_count(&grown, &count));
  EXPECT_EQ(count, 28U);
  EXPECT_EQ(read<std::int16_t>(x.get(), 28, nullptr), std::vector<std::int16_t>(28, fill));
  const std::uint64_t wide[] = {7, 5};
  EXPECT_FAILS(onecast_dataset_resize(x.get(), 2, wide), ONECAST_INVALID_ARGUMENT, "beyond");
}

TEST_F(DatasetInC, LayoutsAndFilters) {
  onecast_dataset_options how = options();
  for (const auto layout : {ONECAST_LAYOUT_COMPACT, ONECAST_LAYOUT_CONTIGUOUS}) {
    how.layout = layout;
    onecast_layout found = ONECAST_LAYOUT_AUTOMATIC;
    EXPECT_DONE(onecast_dataset_get_layout(
        dataset(std::to_string(layout).c_str(), ONECAST_INT8, {3}, &how).get(), &found));
    EXPECT_EQ(found, layout);
  }
  const onecast_filter all[] = {
      onecast_filter_szip(1, 8),
      onecast_filter_nbit(),
      onecast_filter_scale_offset(0),
      onecast_filter_lzf(),
      onecast_filter_lz4(0),
      onecast_filter_zstd(3),
      onecast_filter_bzip2(9),
      onecast_filter_blosc(ONECAST_BLOSC_ZSTD, 5, ONECAST_BLOSC_SHUFFLE_BYTES),
      onecast_filter_bitshuffle(ONECAST_BITSHUFFLE_LZ4, 0, 3)};
  const std::uint64_t chunk[] = {64};
  how = options();
  how.chunk = chunk;
  how.filter_count = 1;
  for (const onecast_filter& filter : all) {
    how.filters = &filter;
    const std::string name = "filter " + std::to_string(filter.id);
    const auto x = dataset(name.c_str(), ONECAST_INT32, {100}, &how);
    const Numbers values = count_up(100);
    EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, nullptr, values.data(), 400)) << name;
    EXPECT_EQ(read<std::int32_t>(x.get(), 100, nullptr), values) << name;
  }
  const onecast_filter decimals = onecast_filter_scale_offset_decimal(2);
  how.filters = &decimals;
  dataset("decimals", ONECAST_DOUBLE, {100}, &how);
}

TEST_F(DatasetInC, ExternalAndVirtual) {
  const std::string raw = folder / "raw";
  const onecast_external_slot slot = {raw.c_str(), 0, ONECAST_UNLIMITED};
  onecast_dataset_options how = options();
  how.external = &slot;
  how.external_count = 1;
  const auto x = dataset("x", ONECAST_INT32, {4}, &how);
  const Numbers values = count_up(4);
  EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, nullptr, values.data(), 16));
  const std::uint64_t start = 1;
  const std::uint64_t count = 2;
  const onecast_selection from = onecast_selection_box(1, &start, &count);
  const onecast_virtual_source source = {".", "x", &from, nullptr};
  how = options();
  how.sources = &source;
  how.source_count = 1;
  const auto v = dataset("v", ONECAST_INT32, {2}, &how);
  onecast_layout layout = ONECAST_LAYOUT_AUTOMATIC;
  EXPECT_DONE(onecast_dataset_get_layout(v.get(), &layout));
  EXPECT_EQ(layout, ONECAST_LAYOUT_VIRTUAL);
  EXPECT_EQ(read<std::int32_t>(v.get(), 2, nullptr), (Numbers{1, 2}));
}

TEST_F(DatasetInC, Prefixes) {
  const std::string inner = folder / "inner";
  std::filesystem::create_directory(inner);
  const onecast_external_slot slot = {"raw", 0, ONECAST_UNLIMITED};
  onecast_dataset_options how = options();
  how.external = &slot;
  how.external_count = 1;
  how.external_prefix = "${ORIGIN}/inner";
  const Numbers values = count_up(4);
  {
    const auto x = dataset("x", ONECAST_INT32, {4}, &how);
    EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, nullptr, values.data(), 16));
  }
  EXPECT_TRUE(std::filesystem::exists(inner + "/raw"));
  reopen();
  const auto x = open("x");
  Numbers found(4);
  EXPECT_FAILS(onecast_dataset_read(x.get(), nullptr, nullptr, found.data(), 16), ONECAST_NOT_FOUND,
               "raw");
  EXPECT_DONE(onecast_dataset_set_prefixes(x.get(), inner.c_str(), nullptr));
  EXPECT_EQ(read<std::int32_t>(x.get(), 4, nullptr), values);
}

TEST_F(DatasetInC, StringsOfVariableLength) {
  const auto x = dataset("x", ONECAST_STRING, {4});
  const char* const all[] = {"", "eins", "zwölf", "x"};
  EXPECT_DONE(onecast_dataset_write_equal_strings(x.get(), nullptr, 4, all));
  const std::uint64_t start = 1;
  const std::uint64_t count = 2;
  const onecast_selection middle = onecast_selection_box(1, &start, &count);
  const char* const two[] = {"two", "three"};
  EXPECT_DONE(onecast_dataset_write_strings(x.get(), &middle, 2, two));
  EXPECT_EQ(texts_of(x.get()), (Texts{"", "two", "three", "x"}));
  EXPECT_DONE(onecast_dataset_write_all_strings(x.get(), &middle, 2, all + 1));
  reopen();
  const auto again = open("x");
  EXPECT_EQ(texts_of(again.get()), (Texts{"", "eins", "zwölf", "x"}));
  EXPECT_EQ(texts_of(again.get(), &middle), (Texts{"eins", "zwölf"}));
}

TEST_F(DatasetInC, StringsOfFixedLength) {
  const auto type = made_by<onecast_type>(
      [](auto out) { return onecast_type_string(4, ONECAST_SPACE_PADDED, ONECAST_ASCII, out); });
  const auto x = dataset("x", type.get(), {2});
  const char* const texts[] = {"ab", "abcd"};
  EXPECT_DONE(onecast_dataset_write_equal_strings(x.get(), nullptr, 2, texts));
  EXPECT_EQ(texts_of(x.get()), (Texts{"ab", "abcd"}));
  const auto raw = read<char>(x.get(), 8, nullptr);
  EXPECT_EQ(std::string(raw.begin(), raw.end()), "ab  abcd");
  const char* const long_texts[] = {"ab", "abcde"};
  EXPECT_FAILS(onecast_dataset_write_all_strings(x.get(), nullptr, 2, long_texts),
               ONECAST_INVALID_ARGUMENT, "does not fit");
}

TEST_F(DatasetInC, Sequences) {
  const auto type =
      made_by<onecast_type>([](auto out) { return onecast_type_sequence(ONECAST_INT32, out); });
  const auto x = dataset("x", type.get(), {3});
  const std::int32_t first[] = {1, 2, 3};
  const std::int32_t third[] = {4};
  const onecast_sequence all[] = {{3, first}, {0, nullptr}, {1, third}};
  EXPECT_DONE(onecast_dataset_write_sequences(x.get(), nullptr, 3, all));
  EXPECT_DONE(onecast_dataset_write_all_sequences(x.get(), nullptr, 3, all));
  reopen();
  std::size_t count = 0;
  onecast_sequence* found = nullptr;
  ASSERT_DONE(onecast_dataset_read_sequences(open("x").get(), nullptr, &count, &found));
  const Owned<void> owner(static_cast<void*>(found));
  ASSERT_EQ(count, 3U);
  EXPECT_EQ(found[0].count, 3U);
  EXPECT_EQ(static_cast<const std::int32_t*>(found[0].elements)[2], 3);
  EXPECT_EQ(found[1].count, 0U);
  EXPECT_EQ(found[1].elements, nullptr);
  EXPECT_EQ(*static_cast<const std::int32_t*>(found[2].elements), 4);
}

struct WithGaps {
  std::int8_t first;
  struct {
    std::int16_t a;
    std::int8_t b;
  } inner[2];
  double last;
  std::int8_t end;
};

TEST_F(DatasetInC, GapsOfStructsAreZeros) {
  const std::uint32_t two = 2;
  const onecast_member parts[] = {{"a", 0, ONECAST_INT16}, {"b", 2, ONECAST_INT8}};
  const auto inner =
      made_by<onecast_type>([&](auto out) { return onecast_type_compound(4, 2, parts, out); });
  const auto pair = made_by<onecast_type>(
      [&](auto out) { return onecast_type_array(inner.get(), 1, &two, out); });
  const onecast_member members[] = {
      ONECAST_MEMBER(WithGaps, last, ONECAST_DOUBLE), ONECAST_MEMBER(WithGaps, first, ONECAST_INT8),
      ONECAST_MEMBER(WithGaps, inner, pair.get()), ONECAST_MEMBER(WithGaps, end, ONECAST_INT8)};
  const auto type = made_by<onecast_type>(
      [&](auto out) { return onecast_type_compound(sizeof(WithGaps), 4, members, out); });
  const std::size_t size = 2 * sizeof(WithGaps);
  const std::vector<unsigned char> ones(size, 0xff);
  std::vector<unsigned char> expected(size, 0);
  for (const std::size_t start : {std::size_t{0}, sizeof(WithGaps)}) {
    const auto set = [&](std::size_t at, std::size_t count) {
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(start + at), count,
                  static_cast<unsigned char>(0xff));
    };
    set(offsetof(WithGaps, first), 1);
    set(offsetof(WithGaps, inner), 3);
    set(offsetof(WithGaps, inner) + 4, 3);
    set(offsetof(WithGaps, last), 8);
    set(offsetof(WithGaps, end), 1);
  }
  const auto x = dataset("x", type.get(), {2});
  const auto written = [&] { return read<unsigned char>(x.get(), size, nullptr); };
  EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, nullptr, ones.data(), size));
  EXPECT_EQ(written(), expected);
  EXPECT_DONE(onecast_dataset_write_all(x.get(), nullptr, type.get(), ones.data(), size));
  EXPECT_EQ(written(), expected);
  EXPECT_DONE(onecast_dataset_write_equal(x.get(), nullptr, nullptr, ones.data(), size));
  EXPECT_EQ(written(), expected);
  ASSERT_DONE(onecast_attribute_set(root.get(), "a", type.get(), nullptr, ones.data(), size / 2));
  std::vector<unsigned char> value(size / 2);
  EXPECT_DONE(onecast_attribute_read(root.get(), "a", nullptr, value.data(), value.size()));
  expected.resize(size / 2);
  EXPECT_EQ(value, expected);
}

TEST_F(DatasetInC, WrongReadsAndWrites) {
  const auto x = counting("x", {4});
  const auto text = dataset("text", ONECAST_STRING, {1});
  std::int32_t values[4] = {};
  const std::uint64_t start = 3;
  const std::uint64_t count = 2;
  onecast_selection part = onecast_selection_box(1, &start, &count);
  EXPECT_FAILS(onecast_dataset_read(x.get(), &part, nullptr, values, 8), ONECAST_INVALID_ARGUMENT,
               "x");
  EXPECT_FAILS(onecast_dataset_read_all(x.get(), nullptr, nullptr, values, 12),
               ONECAST_INVALID_ARGUMENT, "12");
  EXPECT_FAILS(onecast_dataset_write(x.get(), nullptr, ONECAST_DOUBLE, values, 16),
               ONECAST_INVALID_ARGUMENT, "16");
  EXPECT_FAILS(onecast_dataset_read(text.get(), nullptr, nullptr, values, 16),
               ONECAST_INVALID_ARGUMENT, "functions of their own");
  EXPECT_FAILS(onecast_dataset_write_all(text.get(), nullptr, nullptr, values, 16),
               ONECAST_INVALID_ARGUMENT, "functions of their own");
  part.kind = static_cast<onecast_selection_kind>(17);
  EXPECT_FAILS(onecast_dataset_read(x.get(), &part, nullptr, values, 8), ONECAST_INVALID_ARGUMENT,
               "kind 17");
  part = onecast_selection_box(50, &start, &count);
  EXPECT_FAILS(onecast_dataset_read(x.get(), &part, nullptr, values, 8), ONECAST_INVALID_ARGUMENT,
               "50 dimensions");
  std::size_t found = 0;
  char** texts = nullptr;
  onecast_sequence* sequences = nullptr;
  EXPECT_FAILS(onecast_dataset_read_strings(x.get(), nullptr, &found, &texts),
               ONECAST_INVALID_ARGUMENT, "not strings");
  EXPECT_FAILS(onecast_dataset_read_sequences(x.get(), nullptr, &found, &sequences),
               ONECAST_INVALID_ARGUMENT, "not sequences");
}

TEST_F(DatasetInC, WrongOptions) {
  const std::uint64_t shape = 4;
  const onecast_dataspace space = onecast_dataspace_array(1, &shape);
  const auto refused = [&](const onecast_dataset_options& how, const char* part) {
    onecast_object* made = nullptr;
    EXPECT_FAILS(onecast_dataset_create(root.get(), "x", ONECAST_INT32, &space, &how, &made),
                 ONECAST_INVALID_ARGUMENT, part);
    EXPECT_EQ(made, nullptr);
  };
  refused({}, "onecast_dataset_options_init");
  onecast_dataset_options how = options();
  how.layout = static_cast<onecast_layout>(77);
  refused(how, "layout");
  how = options();
  how.fill_value = &shape;
  how.fill_value_size = 3;
  refused(how, "fill");
  how = options();
  how.filter_count = 1;
  refused(how, "filters is NULL");
  how.filters = nullptr;
  onecast_filter filter = onecast_filter_deflate(6);
  filter.client_data_count = 17;
  how.filters = &filter;
  refused(how, "client_data_count");
  filter = onecast_filter_deflate(60);
  how.chunk = &shape;
  refused(how, "60");
  how = options();
  onecast_dataspace wrong = space;
  wrong.rank = 33;
  onecast_object* made = nullptr;
  EXPECT_FAILS(onecast_dataset_create(root.get(), "x", ONECAST_INT32, &wrong, nullptr, &made),
               ONECAST_INVALID_ARGUMENT, "33 dimensions");
  wrong = onecast_dataspace_growing(1, &shape, nullptr);
  EXPECT_FAILS(onecast_dataset_create(root.get(), "x", ONECAST_INT32, &wrong, nullptr, &made),
               ONECAST_INVALID_ARGUMENT, "dimensions");
  wrong.kind = static_cast<onecast_dataspace_kind>(5);
  EXPECT_FAILS(onecast_dataset_create(root.get(), "x", ONECAST_INT32, &wrong, nullptr, &made),
               ONECAST_INVALID_ARGUMENT, "kind 5");
}

TEST_F(DatasetInC, ChunksAsTheyAreStored) {
  const std::uint64_t chunk[] = {4};
  const onecast_filter filters[] = {onecast_filter_deflate(3)};
  onecast_dataset_options how = options();
  how.chunk = chunk;
  how.filters = filters;
  how.filter_count = 1;
  how.fill_time = ONECAST_FILL_NEVER;
  const auto x = dataset("x", ONECAST_INT32, {8}, &how);
  const auto y = dataset("y", ONECAST_INT32, {8}, &how);
  const Numbers values{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, nullptr, values.data(), 32));
  std::size_t count = 0;
  onecast_stored_chunk* chunks = nullptr;
  ASSERT_DONE(onecast_dataset_list_chunks(x.get(), &count, &chunks));
  const Owned<void> owner(static_cast<void*>(chunks));
  ASSERT_EQ(count, 2U);
  EXPECT_EQ(chunks[1].start[0], 4U);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t size = 0;
    void* data = nullptr;
    std::uint32_t mask = 1;
    ASSERT_DONE(onecast_dataset_read_chunk(x.get(), chunks[i].start, &size, &data, &mask));
    const Owned<void> bytes(data);
    EXPECT_EQ(mask, 0U);
    EXPECT_DONE(onecast_dataset_write_chunk(y.get(), chunks[i].start, data, size, mask));
  }
  EXPECT_EQ(read<std::int32_t>(y.get(), 8, nullptr), values);
  int exists = 0;
  onecast_stored_chunk one = {};
  EXPECT_DONE(onecast_dataset_find_chunk(y.get(), chunk, &exists, &one));
  EXPECT_EQ(exists, 1);
  const std::uint64_t wrong[] = {3};
  EXPECT_FAILS(onecast_dataset_find_chunk(y.get(), wrong, &exists, &one), ONECAST_INVALID_ARGUMENT,
               "start: [3]");
}

TEST_F(DatasetInC, TypesAsBytes) {
  std::size_t size = 0;
  void* data = nullptr;
  ASSERT_DONE(onecast_type_encode(ONECAST_DOUBLE, &size, &data));
  const Owned<void> bytes(data);
  const auto type =
      made_by<onecast_type>([&](auto out) { return onecast_type_decode(data, size, out); });
  std::size_t of_element = 0;
  EXPECT_DONE(onecast_type_get_size(type.get(), &of_element));
  EXPECT_EQ(of_element, 8U);
  onecast_type* none = nullptr;
  EXPECT_FAILS(onecast_type_decode(data, 5, &none), ONECAST_FORMAT, "datatype");
}

}  // namespace
}  // namespace onecast::test
