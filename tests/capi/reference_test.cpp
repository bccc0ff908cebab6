#include "capi_test.hpp"

namespace onecast::test {
namespace {

class ReferenceInC : public CapiTest {
 protected:
  Owned<onecast_reference> to(const onecast_object* object) const {
    return made_by<onecast_reference>(
        [&](auto out) { return onecast_object_get_reference(object, out); });
  }
  static std::vector<Owned<onecast_reference>> owned(std::size_t count, onecast_reference** list) {
    const Owned<void> owner(static_cast<void*>(list));
    std::vector<Owned<onecast_reference>> all;
    for (std::size_t i = 0; i < count; ++i) all.emplace_back(list[i]);
    return all;
  }
  std::string path_behind(const onecast_reference* reference) const {
    const auto object = made_by<onecast_object>(
        [&](auto out) { return onecast_reference_open(root.get(), reference, out); });
    char* path = nullptr;
    EXPECT_DONE(onecast_object_get_path(object.get(), &path));
    const Owned<void> owner(static_cast<void*>(path));
    return path;
  }
};

TEST_F(ReferenceInC, ToObjects) {
  const auto g = group("g");
  const auto x = dataset("g/x", ONECAST_INT32, {3});
  const auto first = to(g.get());
  const auto second = to(x.get());
  const onecast_reference* const all[] = {first.get(), nullptr, second.get()};
  const auto refs = dataset("refs", ONECAST_REFERENCE, {3});
  ASSERT_DONE(onecast_dataset_write_equal_references(refs.get(), nullptr, 3, all));
  ASSERT_DONE(
      onecast_attribute_set_references(root.get(), "refs", ONECAST_REFERENCE, nullptr, 3, all));
  reopen(ONECAST_READ_WRITE);
  std::size_t count = 0;
  onecast_reference** list = nullptr;
  ASSERT_DONE(onecast_dataset_read_references(open("refs").get(), nullptr, &count, &list));
  auto found = owned(count, list);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(path_behind(found[0].get()), "/g");
  EXPECT_EQ(path_behind(found[2].get()), "/g/x");
  int set = -1;
  EXPECT_DONE(onecast_reference_is_set(found[1].get(), &set));
  EXPECT_EQ(set, 0);
  onecast_object* object = nullptr;
  EXPECT_FAILS(onecast_reference_open(root.get(), found[1].get(), &object), ONECAST_NOT_FOUND,
               "never set");
  onecast_reference_kind kind = ONECAST_REFERENCE_REGION;
  EXPECT_DONE(onecast_reference_get_kind(found[0].get(), &kind));
  EXPECT_EQ(kind, ONECAST_REFERENCE_OBJECT);

  ASSERT_DONE(onecast_attribute_read_references(root.get(), "refs", &count, &list));
  const auto of_attribute = owned(count, list);
  EXPECT_EQ(path_behind(of_attribute.at(2).get()), "/g/x");

  const onecast_reference* const other[] = {found[2].get(), found[2].get(), nullptr};
  const auto again = open("refs");
  ASSERT_DONE(onecast_dataset_write_references(again.get(), nullptr, 3, other));
  ASSERT_DONE(onecast_dataset_read_references(again.get(), nullptr, &count, &list));
  found = owned(count, list);
  EXPECT_EQ(path_behind(found.at(1).get()), "/g/x");
}

TEST_F(ReferenceInC, ExpandedByACopy) {
  const auto other = group("other");
  const auto source = group("source");
  const auto reference = to(other.get());
  const onecast_reference* const all[] = {reference.get()};
  ASSERT_DONE(
      onecast_attribute_set_references(source.get(), "r", ONECAST_REFERENCE, nullptr, 1, all));
  onecast_copy_options how = {};
  how.expand_references = 1;
  ASSERT_DONE(onecast_group_copy(root.get(), source.get(), "copy", &how));
  std::size_t count = 0;
  onecast_reference** list = nullptr;
  ASSERT_DONE(onecast_attribute_read_references(open("copy").get(), "r", &count, &list));
  const auto found = owned(count, list);
  EXPECT_TRUE(path_behind(found.at(0).get()).starts_with("/~obj_pointed_by_"));
}

TEST_F(ReferenceInC, ToRegions) {
  const auto x = dataset("x", ONECAST_INT32, {4, 5});
  const std::uint64_t start[] = {1, 2};
  const std::uint64_t count[] = {2, 3};
  const onecast_selection part = onecast_selection_box(2, start, count);
  const auto region = made_by<onecast_reference>(
      [&](auto out) { return onecast_dataset_get_reference(x.get(), &part, out); });
  const auto type = made_by<onecast_type>(
      [](auto out) { return onecast_type_reference(ONECAST_REFERENCE_REGION, out); });
  const auto refs = dataset("refs", type.get(), {1});
  const onecast_reference* const all[] = {region.get()};
  ASSERT_DONE(onecast_dataset_write_equal_references(refs.get(), nullptr, 1, all));
  reopen();
  std::size_t number = 0;
  onecast_reference** list = nullptr;
  ASSERT_DONE(onecast_dataset_read_references(open("refs").get(), nullptr, &number, &list));
  const auto found = owned(number, list);
  const auto target = made_by<onecast_object>(
      [&](auto out) { return onecast_reference_open(root.get(), found.at(0).get(), out); });
  std::uint64_t* blocks = nullptr;
  ASSERT_DONE(onecast_reference_list_blocks(target.get(), found[0].get(), &number, &blocks));
  const Owned<void> owner(static_cast<void*>(blocks));
  ASSERT_EQ(number, 1U);
  EXPECT_EQ(std::vector<std::uint64_t>(blocks, blocks + 4),
            (std::vector<std::uint64_t>{1, 2, 3, 5}));
}

TEST_F(ReferenceInC, Wrong) {
  const auto x = dataset("x", ONECAST_INT32, {1});
  const auto reference = to(x.get());
  const onecast_reference* const all[] = {reference.get()};
  std::size_t count = 0;
  std::uint64_t* blocks = nullptr;
  onecast_reference** list = nullptr;
  EXPECT_FAILS(onecast_dataset_write_references(x.get(), nullptr, 1, all), ONECAST_INVALID_ARGUMENT,
               "not references");
  EXPECT_FAILS(onecast_dataset_read_references(x.get(), nullptr, &count, &list),
               ONECAST_INVALID_ARGUMENT, "not references");
  EXPECT_FAILS(onecast_reference_list_blocks(x.get(), reference.get(), &count, &blocks),
               ONECAST_INVALID_ARGUMENT, "region");
}

}  // namespace
}  // namespace onecast::test
