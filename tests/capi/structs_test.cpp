#include <cstring>

#include "capi_test.hpp"
#include "support/most_memory.hpp"

namespace onecast::test {
namespace {

struct Station {
  std::int8_t number;  // a gap follows
  onecast_text name;
  onecast_sequence heights;
  onecast_text notes[2];
};
/// Fewer members, in another order.
struct Entry {
  onecast_text name;
  std::int64_t number;
};

class Structs : public CapiTest {
 protected:
  void SetUp() override {
    CapiTest::SetUp();
    heights =
        made_by<onecast_type>([&](auto out) { return onecast_type_sequence(ONECAST_DOUBLE, out); });
    const std::uint32_t two = 2;
    notes = made_by<onecast_type>(
        [&](auto out) { return onecast_type_array(ONECAST_STRING, 1, &two, out); });
    const onecast_member members[] = {ONECAST_MEMBER(Station, number, ONECAST_INT8),
                                      ONECAST_MEMBER(Station, name, ONECAST_STRING),
                                      ONECAST_MEMBER(Station, heights, heights.get()),
                                      ONECAST_MEMBER(Station, notes, notes.get())};
    type = made_by<onecast_type>(
        [&](auto out) { return onecast_type_compound(sizeof(Station), 4, members, out); });
    const onecast_member less[] = {ONECAST_MEMBER(Entry, name, ONECAST_STRING),
                                   ONECAST_MEMBER(Entry, number, ONECAST_INT64)};
    entry = made_by<onecast_type>(
        [&](auto out) { return onecast_type_compound(sizeof(Entry), 2, less, out); });
  }
  static onecast_text text(const char* chars) { return {std::strlen(chars), chars}; }

  Owned<onecast_type> heights, notes, type, entry;
};

TEST_F(Structs, AreWrittenAndRead) {
  const double values[] = {1.5, 2.5, 3.5};
  Station stations[3];
  std::memset(static_cast<void*>(stations), 0xee, sizeof stations);
  stations[0] = {1, text("first"), {3, values}, {text("a"), text("")}};
  stations[1] = {2, {0, nullptr}, {0, nullptr}, {{0, nullptr}, text("note")}};
  stations[2] = {3, text("a longer name than that"), {1, values}, {text("b"), text("c")}};
  const auto x = dataset("x", type.get(), {4});
  const std::uint64_t zero = 0;
  const std::uint64_t three = 3;
  const std::uint64_t one = 1;
  const onecast_selection head = onecast_selection_box(1, &zero, &three);
  const onecast_selection last = onecast_selection_box(1, &three, &one);
  EXPECT_DONE(onecast_dataset_write_structs(x.get(), &head, type.get(), 3, stations));
  EXPECT_DONE(onecast_dataset_write_all_structs(x.get(), &last, type.get(), 1, stations));
  reopen();
  std::size_t count = 0;
  void* found = nullptr;
  ASSERT_DONE(onecast_dataset_read_structs(open("x").get(), nullptr, type.get(), &count, &found));
  const Owned<void> owner(found);
  ASSERT_EQ(count, 4U);
  const auto* read = static_cast<const Station*>(found);
  for (const std::size_t i : {0U, 3U}) {
    EXPECT_EQ(read[i].number, 1);
    EXPECT_STREQ(read[i].name.text, "first");
    ASSERT_EQ(read[i].heights.count, 3U);
    EXPECT_EQ(static_cast<const double*>(read[i].heights.elements)[2], 3.5);
    EXPECT_STREQ(read[i].notes[0].text, "a");
    EXPECT_EQ(read[i].notes[1].size, 0U);
  }
  EXPECT_EQ(read[1].name.size, 0U);
  EXPECT_EQ(read[1].heights.count, 0U);
  EXPECT_EQ(read[1].heights.elements, nullptr);
  EXPECT_STREQ(read[1].notes[1].text, "note");
  EXPECT_EQ(std::string(read[2].name.text, read[2].name.size), "a longer name than that");
}

TEST_F(Structs, WithLessMembersAndOtherNumbers) {
  const Station station = {-7, text("only"), {0, nullptr}, {}};
  const auto x = dataset("x", type.get(), {1});
  EXPECT_DONE(onecast_dataset_write_structs(x.get(), nullptr, type.get(), 1, &station));
  std::size_t count = 0;
  void* found = nullptr;
  ASSERT_DONE(onecast_dataset_read_structs(x.get(), nullptr, entry.get(), &count, &found));
  const Owned<void> owner(found);
  EXPECT_EQ(static_cast<const Entry*>(found)->number, -7);
  EXPECT_STREQ(static_cast<const Entry*>(found)->name.text, "only");
  const Entry less = {text("a"), 5};
  EXPECT_FAILS(onecast_dataset_write_structs(x.get(), nullptr, entry.get(), 1, &less),
               ONECAST_INVALID_ARGUMENT, "\"heights\": is stored, but not in the struct");
}

TEST_F(Structs, OfAttributes) {
  const double values[] = {1.5, 2.5};
  Station stations[2];
  std::memset(static_cast<void*>(stations), 0xee, sizeof stations);
  stations[0] = {1, text("first"), {2, values}, {text("a"), text("")}};
  stations[1] = {2, {0, nullptr}, {0, nullptr}, {{0, nullptr}, text("note")}};
  ASSERT_DONE(onecast_attribute_set_structs(root.get(), "a", type.get(), nullptr, 2, stations));
  const onecast_dataspace scalar = {};
  ASSERT_DONE(onecast_attribute_set_structs(root.get(), "one", type.get(), &scalar, 1, stations));
  EXPECT_FAILS(onecast_attribute_set_structs(root.get(), "b", type.get(), &scalar, 2, stations),
               ONECAST_INVALID_ARGUMENT, "1 elements");
  ASSERT_DONE(onecast_attribute_rename(root.get(), "one", "single"));
  reopen();
  std::size_t count = 0;
  void* found = nullptr;
  ASSERT_DONE(onecast_attribute_read_structs(root.get(), "a", type.get(), &count, &found));
  const Owned<void> owner(found);
  ASSERT_EQ(count, 2U);
  const auto* read = static_cast<const Station*>(found);
  EXPECT_STREQ(read[0].name.text, "first");
  ASSERT_EQ(read[0].heights.count, 2U);
  EXPECT_EQ(static_cast<const double*>(read[0].heights.elements)[1], 2.5);
  EXPECT_STREQ(read[1].notes[1].text, "note");
  void* less = nullptr;
  ASSERT_DONE(onecast_attribute_read_structs(root.get(), "single", entry.get(), &count, &less));
  const Owned<void> owner_of_less(less);
  ASSERT_EQ(count, 1U);
  EXPECT_EQ(static_cast<const Entry*>(less)->number, 1);
  EXPECT_FAILS(onecast_attribute_read_structs(root.get(), "a", nullptr, &count, &less),
               ONECAST_INVALID_ARGUMENT, "type is NULL");
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(less, nullptr);
}

TEST_F(Structs, WhatIsWrong) {
  const auto x = dataset("x", type.get(), {1});
  const auto numbers = dataset("numbers", ONECAST_INT32, {1});
  std::size_t count = 0;
  void* found = nullptr;
  EXPECT_FAILS(onecast_dataset_read_structs(numbers.get(), nullptr, entry.get(), &count, &found),
               ONECAST_INVALID_ARGUMENT, "not compound");
  EXPECT_FAILS(onecast_dataset_read_structs(x.get(), nullptr, nullptr, &count, &found),
               ONECAST_INVALID_ARGUMENT, "type is NULL");
  EXPECT_FAILS(onecast_dataset_write_structs(x.get(), nullptr, type.get(), 1, nullptr),
               ONECAST_INVALID_ARGUMENT, "data is NULL");
  const Station station = {1, {5, nullptr}, {0, nullptr}, {}};
  EXPECT_FAILS(onecast_dataset_write_structs(x.get(), nullptr, type.get(), 1, &station),
               ONECAST_INVALID_ARGUMENT, "text of a string is NULL");
  EXPECT_FAILS(onecast_dataset_write_all_structs(x.get(), nullptr, type.get(), 1, &station),
               ONECAST_INVALID_ARGUMENT, "text of a string is NULL");
}

/// Numbers with gaps between them, which the file does not have.
struct Sample {
  std::int8_t kind;
  double value;
};

TEST_F(CapiTest, ManyPaddedStructsTakeLittleMemory) {
  constexpr std::uint64_t kMost = std::uint64_t{5} << 20U;
  const std::vector<Sample> samples(1'000'000, {1, 2.5});  // 16 MB
  const onecast_member stored_members[] = {{"value", 0, ONECAST_FLOAT}, {"kind", 4, ONECAST_INT8}};
  const onecast_member members[] = {ONECAST_MEMBER(Sample, kind, ONECAST_INT8),
                                    ONECAST_MEMBER(Sample, value, ONECAST_DOUBLE)};
  const auto stored = made_by<onecast_type>(
      [&](auto out) { return onecast_type_compound(5, 2, stored_members, out); });
  const auto memory = made_by<onecast_type>(
      [&](auto out) { return onecast_type_compound(sizeof(Sample), 2, members, out); });
  const auto x = dataset("x", stored.get(), {samples.size()});
  const std::size_t bytes = samples.size() * sizeof(Sample);
  const auto write = [&] {
    EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, memory.get(), samples.data(), bytes));
  };
  write();
  EXPECT_LE(most_memory(write), kMost);
  std::vector<Sample> found(samples.size());
  EXPECT_LE(
      most_memory([&] {
        EXPECT_DONE(onecast_dataset_read(x.get(), nullptr, memory.get(), found.data(), bytes));
      }),
      kMost);
  EXPECT_EQ(found.back().kind, 1);
  EXPECT_EQ(found.back().value, 2.5);
}

}  // namespace
}  // namespace onecast::test
