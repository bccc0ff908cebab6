#include <cstddef>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

struct Point {
  double x;
  std::int16_t id;
};

onecast_type_class class_of(const onecast_type* type) {
  onecast_type_class found = ONECAST_CLASS_TIME;
  EXPECT_DONE(onecast_type_get_class(type, &found));
  return found;
}
std::size_t size_of(const onecast_type* type) {
  std::size_t size = 0;
  EXPECT_DONE(onecast_type_get_size(type, &size));
  return size;
}
bool equal(const onecast_type* a, const onecast_type* b) {
  int same = -1;
  EXPECT_DONE(onecast_type_equal(a, b, &same));
  return same == 1;
}
Owned<onecast_type> point_type() {
  const onecast_member members[] = {ONECAST_MEMBER(Point, x, ONECAST_DOUBLE),
                                    ONECAST_MEMBER(Point, id, ONECAST_INT16)};
  return made_by<onecast_type>(
      [&](auto out) { return onecast_type_compound(sizeof(Point), 2, members, out); });
}

TEST(Type, NativesAreThoseOfC) {
  const std::pair<const onecast_type*, std::size_t> all[] = {
      {ONECAST_INT8, 1},      {ONECAST_INT16, 2},      {ONECAST_INT32, 4},
      {ONECAST_INT64, 8},     {ONECAST_UINT8, 1},      {ONECAST_UINT16, 2},
      {ONECAST_UINT32, 4},    {ONECAST_UINT64, 8},     {ONECAST_FLOAT16, 2},
      {ONECAST_FLOAT, 4},     {ONECAST_DOUBLE, 8},     {ONECAST_LONG_DOUBLE, sizeof(long double)},
      {ONECAST_COMPLEX64, 8}, {ONECAST_COMPLEX128, 16}};
  for (const auto& [type, size] : all) EXPECT_EQ(size_of(type), size);
  int is_signed = -1;
  EXPECT_DONE(onecast_type_get_signed(ONECAST_INT8, &is_signed));
  EXPECT_EQ(is_signed, 1);
  EXPECT_DONE(onecast_type_get_signed(ONECAST_UINT64, &is_signed));
  EXPECT_EQ(is_signed, 0);
  EXPECT_EQ(class_of(ONECAST_STRING), ONECAST_CLASS_VARIABLE_STRING);
  EXPECT_EQ(class_of(ONECAST_REFERENCE), ONECAST_CLASS_REFERENCE);
  EXPECT_EQ(class_of(ONECAST_COMPLEX64), ONECAST_CLASS_COMPOUND);
}

TEST(Type, Numbers) {
  const auto big = made_by<onecast_type>(
      [](auto out) { return onecast_type_integer(3, 0, ONECAST_BIG_ENDIAN, out); });
  onecast_byte_order order = ONECAST_VAX;
  EXPECT_DONE(onecast_type_get_order(big.get(), &order));
  EXPECT_EQ(order, ONECAST_BIG_ENDIAN);
  EXPECT_EQ(size_of(big.get()), 3U);
  const auto real = made_by<onecast_type>(
      [](auto out) { return onecast_type_floating(8, ONECAST_LITTLE_ENDIAN, out); });
  EXPECT_TRUE(equal(real.get(), ONECAST_DOUBLE));
  EXPECT_FALSE(equal(real.get(), ONECAST_FLOAT));
  const auto bits = made_by<onecast_type>(
      [](auto out) { return onecast_type_bitfield(2, ONECAST_LITTLE_ENDIAN, out); });
  EXPECT_EQ(class_of(bits.get()), ONECAST_CLASS_BITFIELD);
  onecast_type* type = nullptr;
  EXPECT_FAILS(onecast_type_floating(3, ONECAST_LITTLE_ENDIAN, &type), ONECAST_INVALID_ARGUMENT,
               "3");
  EXPECT_FAILS(onecast_type_integer(0, 1, ONECAST_LITTLE_ENDIAN, &type), ONECAST_INVALID_ARGUMENT,
               "0");
  EXPECT_FAILS(onecast_type_integer(4, 1, static_cast<onecast_byte_order>(9), &type),
               ONECAST_INVALID_ARGUMENT, "order: 9");
  EXPECT_EQ(type, nullptr);
}

TEST(Type, Strings) {
  const auto text = made_by<onecast_type>(
      [](auto out) { return onecast_type_string(12, ONECAST_SPACE_PADDED, ONECAST_ASCII, out); });
  onecast_padding padding = ONECAST_NULL_PADDED;
  onecast_character_set set = ONECAST_UTF8;
  EXPECT_DONE(onecast_type_get_padding(text.get(), &padding));
  EXPECT_DONE(onecast_type_get_character_set(text.get(), &set));
  EXPECT_EQ(padding, ONECAST_SPACE_PADDED);
  EXPECT_EQ(set, ONECAST_ASCII);
  const auto any = made_by<onecast_type>(
      [](auto out) { return onecast_type_variable_string(ONECAST_ASCII, out); });
  EXPECT_DONE(onecast_type_get_character_set(any.get(), &set));
  EXPECT_FAILS(onecast_type_get_padding(any.get(), &padding), ONECAST_INVALID_ARGUMENT,
               "no such property");
}

TEST(Type, Compounds) {
  const auto point = point_type();
  std::size_t count = 0;
  EXPECT_DONE(onecast_type_get_member_count(point.get(), &count));
  EXPECT_EQ(count, 2U);
  const char* name = nullptr;
  std::size_t offset = 0;
  onecast_type* member = nullptr;
  EXPECT_DONE(onecast_type_get_member(point.get(), 1, &name, &offset, &member));
  const Owned<onecast_type> owned(member);
  EXPECT_STREQ(name, "id");
  EXPECT_EQ(offset, offsetof(Point, id));
  EXPECT_TRUE(equal(member, ONECAST_INT16));
  EXPECT_DONE(onecast_type_get_member(point.get(), 0, nullptr, nullptr, nullptr));
  EXPECT_FAILS(onecast_type_get_member(point.get(), 2, nullptr, nullptr, nullptr),
               ONECAST_INVALID_ARGUMENT, "index 2 of 2");
  char* text = nullptr;
  EXPECT_DONE(onecast_type_describe(point.get(), &text));
  EXPECT_NE(std::string(text).find("id"), std::string::npos);
  onecast_free(text);
}

TEST(Type, Enumerations) {
  const onecast_enumerator all[] = {{"off", 0}, {"on", -1}};
  const auto type = made_by<onecast_type>(
      [&](auto out) { return onecast_type_enumeration(ONECAST_INT8, 2, all, out); });
  onecast_enumerator found = {};
  EXPECT_DONE(onecast_type_get_enumerator(type.get(), 1, &found));
  EXPECT_STREQ(found.name, "on");
  EXPECT_EQ(found.value, -1);
  const auto base =
      made_by<onecast_type>([&](auto out) { return onecast_type_get_base(type.get(), out); });
  EXPECT_TRUE(equal(base.get(), ONECAST_INT8));
  EXPECT_FAILS(onecast_type_get_enumerator(type.get(), 2, &found), ONECAST_INVALID_ARGUMENT,
               "index");
}

TEST(Type, ArraysSequencesAndTheRest) {
  const std::uint32_t sides[] = {2, 3};
  const auto array = made_by<onecast_type>(
      [&](auto out) { return onecast_type_array(ONECAST_INT32, 2, sides, out); });
  std::size_t rank = 0;
  std::uint32_t found[ONECAST_MAX_RANK] = {};
  EXPECT_DONE(onecast_type_get_dimensions(array.get(), &rank, found));
  EXPECT_EQ(rank, 2U);
  EXPECT_EQ(found[1], 3U);
  const auto sequence =
      made_by<onecast_type>([&](auto out) { return onecast_type_sequence(array.get(), out); });
  EXPECT_EQ(class_of(sequence.get()), ONECAST_CLASS_SEQUENCE);
  const auto base =
      made_by<onecast_type>([&](auto out) { return onecast_type_get_base(sequence.get(), out); });
  EXPECT_TRUE(equal(base.get(), array.get()));
  const auto opaque =
      made_by<onecast_type>([](auto out) { return onecast_type_opaque(5, "image/x", out); });
  const char* tag = nullptr;
  EXPECT_DONE(onecast_type_get_tag(opaque.get(), &tag));
  EXPECT_STREQ(tag, "image/x");
  const auto complex =
      made_by<onecast_type>([](auto out) { return onecast_type_complex(ONECAST_DOUBLE, out); });
  EXPECT_EQ(class_of(complex.get()), ONECAST_CLASS_COMPLEX);
  EXPECT_EQ(class_of(ONECAST_COMPLEX128), ONECAST_CLASS_COMPOUND);
  const auto region = made_by<onecast_type>(
      [](auto out) { return onecast_type_reference(ONECAST_REFERENCE_REGION, out); });
  onecast_reference_kind kind = ONECAST_REFERENCE_OBJECT;
  EXPECT_DONE(onecast_type_get_reference_kind(region.get(), &kind));
  EXPECT_EQ(kind, ONECAST_REFERENCE_REGION);
  const auto copy =
      made_by<onecast_type>([&](auto out) { return onecast_type_copy(region.get(), out); });
  EXPECT_TRUE(equal(copy.get(), region.get()));
  onecast_type* type = nullptr;
  EXPECT_FAILS(onecast_type_array(ONECAST_INT8, 33, sides, &type), ONECAST_INVALID_ARGUMENT, "32");
}

TEST(Type, OfLogicalsAndTexts) {
  const std::pair<onecast_native_type, std::size_t> logicals[] = {{ONECAST_NATIVE_BOOL, 1},
                                                                  {ONECAST_NATIVE_BOOL16, 2},
                                                                  {ONECAST_NATIVE_BOOL32, 4},
                                                                  {ONECAST_NATIVE_BOOL64, 8}};
  for (const auto& [which, bytes] : logicals) {
    std::size_t size = 0;
    EXPECT_DONE(onecast_type_get_size(onecast_native(which), &size));
    EXPECT_EQ(size, bytes);
    onecast_enumerator name = {};
    EXPECT_DONE(onecast_type_get_enumerator(onecast_native(which), 1, &name));
    EXPECT_STREQ(name.name, "TRUE");
    EXPECT_EQ(name.value, 1);
  }
  const auto quad = made_by<onecast_type>(
      [](auto out) { return onecast_type_floating(16, ONECAST_LITTLE_ENDIAN, out); });
  EXPECT_TRUE(equal(ONECAST_FLOAT128, quad.get()));
  const auto text = made_by<onecast_type>(
      [](auto out) { return onecast_type_string(5, ONECAST_SPACE_PADDED, ONECAST_ASCII, out); });
  EXPECT_TRUE(equal(onecast_native_text(5), text.get()));
  EXPECT_EQ(onecast_native_text(5), onecast_native_text(5));
  EXPECT_NE(onecast_native_text(5), onecast_native_text(6));
  EXPECT_EQ(onecast_native_text(0), nullptr);
}

using TypeInFile = CapiTest;

TEST_F(TypeInFile, Committed) {
  const auto point = point_type();
  const auto committed = made_by<onecast_object>([&](auto out) {
    return onecast_group_create_datatype(root.get(), "types/point", point.get(), out);
  });
  onecast_object_kind kind = ONECAST_GROUP;
  EXPECT_DONE(onecast_object_get_kind(committed.get(), &kind));
  EXPECT_EQ(kind, ONECAST_DATATYPE);
  EXPECT_DONE(onecast_attribute_set_text(committed.get(), "unit", "m"));
  // A dataset and an attribute refer to the committed datatype.
  onecast_dataset_options options;
  EXPECT_DONE(onecast_dataset_options_init(&options, sizeof options));
  options.committed_type = committed.get();
  EXPECT_DONE(onecast_dataset_create(root.get(), "of it", point.get(), nullptr, &options, nullptr));
  EXPECT_FAILS(
      onecast_dataset_create(root.get(), "other", ONECAST_INT32, nullptr, &options, nullptr),
      ONECAST_INVALID_ARGUMENT, "committed_type");
  std::size_t size = 0;
  EXPECT_DONE(onecast_type_get_size(point.get(), &size));
  const std::vector<char> zeros(size);
  EXPECT_DONE(onecast_attribute_set_committed(root.get(), "of it", committed.get(), nullptr,
                                              zeros.data(), zeros.size()));
  EXPECT_FAILS(onecast_attribute_set_committed(committed.get(), "of no type", root.get(), nullptr,
                                               zeros.data(), zeros.size()),
               ONECAST_INVALID_ARGUMENT, "committed datatype");
  reopen();
  const auto again = open("types/point");
  const auto found =
      made_by<onecast_type>([&](auto out) { return onecast_datatype_get_type(again.get(), out); });
  EXPECT_TRUE(equal(found.get(), point.get()));
  onecast_type* type = nullptr;
  EXPECT_FAILS(onecast_datatype_get_type(root.get(), &type), ONECAST_INVALID_ARGUMENT,
               "not a datatype");
}

}  // namespace
}  // namespace onecast::test
