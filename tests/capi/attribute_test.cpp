#include <set>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

class AttributeInC : public CapiTest {
 protected:
  std::vector<std::string> texts_of(const char* name) const {
    std::size_t count = 0;
    char** texts = nullptr;
    EXPECT_DONE(onecast_attribute_read_strings(root.get(), name, &count, &texts));
    return strings(count, texts);
  }
};

TEST_F(AttributeInC, OneOfAnOrder) {
  std::size_t count = 1;
  EXPECT_DONE(onecast_attribute_get_count(root.get(), &count));
  EXPECT_EQ(count, 0U);
  for (const char* name : {"c", "a", "b"})
    EXPECT_DONE(onecast_attribute_set_text(root.get(), name, "text"));
  EXPECT_DONE(onecast_attribute_get_count(root.get(), &count));
  EXPECT_EQ(count, 3U);
  const auto nth = [&](std::size_t n, onecast_order order) {
    return made_by<char>(
        [&](auto out) { return onecast_attribute_get_nth_name(root.get(), n, order, out); });
  };
  EXPECT_STREQ(nth(2, ONECAST_ORDER_NAME).get(), "c");
  EXPECT_STREQ(nth(0, ONECAST_ORDER_CREATION).get(), "c");
  EXPECT_EQ(nth(3, ONECAST_ORDER_NAME), nullptr);
}

TEST_F(AttributeInC, Numbers) {
  const double values[2][3] = {{1, 2, 3}, {4, 5, 6.75}};
  const std::uint64_t shape[] = {2, 3};
  const onecast_dataspace space = onecast_dataspace_array(2, shape);
  ASSERT_DONE(
      onecast_attribute_set(root.get(), "a", ONECAST_DOUBLE, &space, values, sizeof values));
  const std::int32_t one = 42;
  ASSERT_DONE(onecast_attribute_set(root.get(), "one", ONECAST_INT32, nullptr, &one, sizeof one));
  reopen();
  std::int64_t read[6] = {};
  EXPECT_DONE(onecast_attribute_read(root.get(), "a", ONECAST_INT64, read, sizeof read));
  EXPECT_EQ(read[5], 6);  // the value is converted
  double stored[6] = {};
  EXPECT_DONE(onecast_attribute_read(root.get(), "a", nullptr, stored, sizeof stored));
  EXPECT_EQ(stored[5], 6.75);
  onecast_dataspace found;
  EXPECT_DONE(onecast_attribute_get_space(root.get(), "a", &found));
  EXPECT_EQ(found.kind, ONECAST_ARRAY);
  EXPECT_EQ(found.rank, 2U);
  EXPECT_EQ(found.shape[1], 3U);
  EXPECT_EQ(found.can_grow, 0);
  EXPECT_DONE(onecast_attribute_get_space(root.get(), "one", &found));
  EXPECT_EQ(found.kind, ONECAST_SCALAR);
  const auto type = made_by<onecast_type>(
      [&](auto out) { return onecast_attribute_get_type(root.get(), "one", out); });
  int equal = 0;
  EXPECT_DONE(onecast_type_equal(type.get(), ONECAST_INT32, &equal));
  EXPECT_EQ(equal, 1);
}

TEST_F(AttributeInC, Texts) {
  const char* const texts[] = {"", "Größe", "long"};
  ASSERT_DONE(onecast_attribute_set_text(root.get(), "fixed", "one text"));
  ASSERT_DONE(onecast_attribute_set_strings(root.get(), "any", nullptr, 3, texts));
  const onecast_dataspace scalar = {};
  ASSERT_DONE(onecast_attribute_set_strings(root.get(), "single", &scalar, 1, texts + 1));
  reopen();
  EXPECT_EQ(texts_of("fixed"), std::vector<std::string>{"one text"});
  EXPECT_EQ(texts_of("any"), (std::vector<std::string>{"", "Größe", "long"}));
  EXPECT_EQ(texts_of("single"), std::vector<std::string>{"Größe"});
}

TEST_F(AttributeInC, ListedReplacedRemoved) {
  for (const char* name : {"b", "a", "c"})
    ASSERT_DONE(onecast_attribute_set_text(root.get(), name, name));
  ASSERT_DONE(onecast_attribute_set_text(root.get(), "a", "another"));
  ASSERT_DONE(onecast_attribute_remove(root.get(), "b"));
  std::size_t count = 0;
  char** names = nullptr;
  ASSERT_DONE(onecast_attribute_list(root.get(), ONECAST_ORDER_STORED, &count, &names));
  const auto found = strings(count, names);
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), (std::set<std::string>{"a", "c"}));
  EXPECT_EQ(texts_of("a"), std::vector<std::string>{"another"});
  int there = -1;
  EXPECT_DONE(onecast_attribute_exists(root.get(), "b", &there));
  EXPECT_EQ(there, 0);
}

TEST_F(AttributeInC, Renamed) {
  for (const char* name : {"c", "b", "a"})
    ASSERT_DONE(onecast_attribute_set_text(root.get(), name, name));
  const char* const texts[] = {"one", "two"};
  ASSERT_DONE(onecast_attribute_set_strings(root.get(), "list", nullptr, 2, texts));
  ASSERT_DONE(onecast_attribute_rename(root.get(), "b", "Größe"));
  ASSERT_DONE(onecast_attribute_rename(root.get(), "list", "texts"));
  EXPECT_FAILS(onecast_attribute_rename(root.get(), "b", "d"), ONECAST_NOT_FOUND, "b");
  EXPECT_FAILS(onecast_attribute_rename(root.get(), "a", "c"), ONECAST_ALREADY_EXISTS, "c");
  EXPECT_FAILS(onecast_attribute_rename(root.get(), "a", ""), ONECAST_INVALID_ARGUMENT, "name");
  reopen(ONECAST_READ_WRITE);
  EXPECT_EQ(texts_of("Größe"), std::vector<std::string>{"b"});
  EXPECT_EQ(texts_of("texts"), (std::vector<std::string>{"one", "two"}));
  ASSERT_DONE(onecast_attribute_rename(root.get(), "Größe", "b"));
  reopen();
  std::size_t count = 0;
  char** names = nullptr;
  ASSERT_DONE(onecast_attribute_list(root.get(), ONECAST_ORDER_NAME, &count, &names));
  EXPECT_EQ(strings(count, names), (std::vector<std::string>{"a", "b", "c", "texts"}));
}

TEST_F(AttributeInC, Sequences) {
  const std::int16_t numbers[] = {7, 8, 9};
  const onecast_sequence given[] = {{3, numbers}, {0, nullptr}};
  const auto type =
      made_by<onecast_type>([](auto out) { return onecast_type_sequence(ONECAST_INT16, out); });
  const onecast_dataspace scalar = {};
  ASSERT_DONE(onecast_attribute_set_sequences(root.get(), "a", type.get(), nullptr, 2, given));
  ASSERT_DONE(onecast_attribute_set_sequences(root.get(), "one", type.get(), &scalar, 1, given));
  EXPECT_FAILS(onecast_attribute_set_sequences(root.get(), "b", ONECAST_INT16, nullptr, 2, given),
               ONECAST_INVALID_ARGUMENT, "not sequences");
  reopen();
  std::size_t count = 0;
  onecast_sequence* read = nullptr;
  ASSERT_DONE(onecast_attribute_read_sequences(root.get(), "a", &count, &read));
  const Owned<void> owner(read);
  ASSERT_EQ(count, 2U);
  ASSERT_EQ(read[0].count, 3U);
  EXPECT_EQ(static_cast<const std::int16_t*>(read[0].elements)[2], 9);
  EXPECT_EQ(read[1].count, 0U);
  onecast_sequence* single = nullptr;
  ASSERT_DONE(onecast_attribute_read_sequences(root.get(), "one", &count, &single));
  const Owned<void> owner_of_single(single);
  EXPECT_EQ(count, 1U);
}

TEST_F(AttributeInC, NoElements) {
  onecast_dataspace space = {};
  space.kind = ONECAST_NULL_DATASPACE;
  ASSERT_DONE(onecast_attribute_set(root.get(), "null", ONECAST_INT8, &space, nullptr, 0));
  const onecast_dataspace empty = onecast_dataspace_array(1, std::vector<std::uint64_t>{0}.data());
  ASSERT_DONE(onecast_attribute_set(root.get(), "empty", ONECAST_INT8, &empty, nullptr, 0));
  ASSERT_DONE(onecast_attribute_set_strings(root.get(), "no texts", nullptr, 0, nullptr));
  reopen();
  EXPECT_DONE(onecast_attribute_read(root.get(), "empty", nullptr, nullptr, 0));
  EXPECT_TRUE(texts_of("no texts").empty());
  EXPECT_DONE(onecast_attribute_get_space(root.get(), "null", &space));
  EXPECT_EQ(space.kind, ONECAST_NULL_DATASPACE);
}

TEST_F(AttributeInC, Wrong) {
  const std::int32_t one = 1;
  std::int64_t read = 0;
  ASSERT_DONE(onecast_attribute_set(root.get(), "a", ONECAST_INT32, nullptr, &one, sizeof one));
  EXPECT_FAILS(onecast_attribute_set(root.get(), "b", ONECAST_INT32, nullptr, &one, 3),
               ONECAST_INVALID_ARGUMENT, "b");
  EXPECT_FAILS(onecast_attribute_read(root.get(), "a", nullptr, &read, sizeof read),
               ONECAST_INVALID_ARGUMENT, "a");
  EXPECT_FAILS(onecast_attribute_read(root.get(), "missing", nullptr, &read, 8), ONECAST_NOT_FOUND,
               "missing");
  EXPECT_FAILS(onecast_attribute_remove(root.get(), "missing"), ONECAST_NOT_FOUND, "missing");
  EXPECT_FAILS(onecast_attribute_set_text(root.get(), "", "x"), ONECAST_INVALID_ARGUMENT, "name");
  std::size_t count = 0;
  char** texts = nullptr;
  EXPECT_FAILS(onecast_attribute_read_strings(root.get(), "a", &count, &texts),
               ONECAST_INVALID_ARGUMENT, "string");
  const onecast_dataspace wrong = onecast_dataspace_array(40, nullptr);
  EXPECT_FAILS(onecast_attribute_set(root.get(), "b", ONECAST_INT32, &wrong, &one, 4),
               ONECAST_INVALID_ARGUMENT, "dimensions");
  ASSERT_DONE(onecast_attribute_set_strings(root.get(), "t", nullptr, 1,
                                            std::vector<const char*>{"x"}.data()));
  char raw[16];
  EXPECT_FAILS(onecast_attribute_read(root.get(), "t", nullptr, raw, sizeof raw),
               ONECAST_INVALID_ARGUMENT, "strings");
}

}  // namespace
}  // namespace onecast::test
