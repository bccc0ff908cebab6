#include <cstring>
#include <ctime>
#include <map>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

class Group : public CapiTest {
 protected:
  bool contains(const char* name) const {
    int there = -1;
    EXPECT_DONE(onecast_group_contains(root.get(), name, &there));
    return there == 1;
  }
  onecast_object_kind kind_of(const char* name) const {
    onecast_object_kind kind = ONECAST_GROUP;
    EXPECT_DONE(onecast_group_get_kind_of(root.get(), name, &kind));
    return kind;
  }
};

TEST_F(Group, PathsAndKinds) {
  const auto g = group("a/b");
  dataset("a/x", ONECAST_INT32, {2});
  EXPECT_EQ(kind_of("a"), ONECAST_GROUP);
  EXPECT_EQ(kind_of("/a/x"), ONECAST_DATASET);
  EXPECT_EQ(kind_of("missing"), ONECAST_NO_OBJECT);
  char* path = nullptr;
  EXPECT_DONE(onecast_object_get_path(g.get(), &path));
  EXPECT_STREQ(path, "/a/b");
  onecast_free(path);
  int same = -1;
  EXPECT_DONE(onecast_object_same(g.get(), open("a/b").get(), &same));
  EXPECT_EQ(same, 1);
  EXPECT_DONE(onecast_object_same(g.get(), root.get(), &same));
  EXPECT_EQ(same, 0);
  const auto required = made_by<onecast_object>(
      [&](auto out) { return onecast_group_require(root.get(), "a/b", out); });
  EXPECT_DONE(onecast_object_same(g.get(), required.get(), &same));
  EXPECT_EQ(same, 1);
  EXPECT_FAILS(onecast_group_create(root.get(), "a/b", nullptr), ONECAST_ALREADY_EXISTS, "b");
}

TEST_F(Group, TheFileOfAnObject) {
  const std::string name = path() + ".other";
  {
    const auto other = made_by<onecast_file>(
        [&](auto out) { return onecast_file_create(name.c_str(), nullptr, out); });
    const auto top = root_of(other.get());
    EXPECT_DONE(onecast_group_create(top.get(), "g", nullptr));
    EXPECT_DONE(onecast_file_flush(other.get()));
  }
  EXPECT_DONE(onecast_group_create_external_link(root.get(), "ext", name.c_str(), "/g"));
  const auto found = open("ext");
  const auto other =
      made_by<onecast_file>([&](auto out) { return onecast_object_get_file(found.get(), out); });
  const char* where = nullptr;
  EXPECT_DONE(onecast_file_path(other.get(), &where));
  EXPECT_EQ(where, name);
  onecast_access access = ONECAST_READ_ONLY;
  EXPECT_DONE(onecast_file_get_access(other.get(), &access));
  EXPECT_EQ(access, ONECAST_READ_WRITE);
  const auto own =
      made_by<onecast_file>([&](auto out) { return onecast_object_get_file(root.get(), out); });
  EXPECT_DONE(onecast_file_path(own.get(), &where));
  EXPECT_EQ(where, path());
}

TEST_F(Group, WhichFilesAreFollowed) {
  const auto with = [&](onecast_follow_external follow) {
    onecast_file_options options;
    EXPECT_DONE(onecast_file_options_init(&options, sizeof options));
    EXPECT_EQ(options.follow_external, ONECAST_FOLLOW_EXTERNAL_EVERYWHERE);
    options.follow_external = follow;
    return options;
  };
  const TemporaryDirectory apart;
  const std::string name = apart / "f.h5";
  const auto options = with(ONECAST_FOLLOW_EXTERNAL_FOLDER);
  const auto wary = made_by<onecast_file>(
      [&](auto out) { return onecast_file_create(name.c_str(), &options, out); });
  const auto top = root_of(wary.get());
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_DONE(onecast_group_create_external_link(top.get(), "out", path().c_str(), "/"));
  onecast_object* opened = nullptr;
  EXPECT_FAILS(onecast_group_open(top.get(), "out", &opened), ONECAST_UNSUPPORTED, "lies outside");
  const auto wrong = with(static_cast<onecast_follow_external>(3));
  onecast_file* none = nullptr;
  EXPECT_FAILS(onecast_file_create(name.c_str(), &wrong, &none), ONECAST_INVALID_ARGUMENT,
               "follow_external");
}

TEST_F(Group, ObjectsOfAnotherKind) {
  const auto x = dataset("x", ONECAST_INT32, {2});
  onecast_object* opened = nullptr;
  EXPECT_FAILS(onecast_group_open(root.get(), "x", &opened), ONECAST_INVALID_ARGUMENT, "x");
  EXPECT_FAILS(onecast_dataset_open(root.get(), "/", &opened), ONECAST_INVALID_ARGUMENT, "/");
  EXPECT_FAILS(onecast_object_open(root.get(), "nothing", &opened), ONECAST_NOT_FOUND, "nothing");
  EXPECT_FAILS(onecast_group_create(x.get(), "g", nullptr), ONECAST_INVALID_ARGUMENT,
               "/x is a dataset, not a group");
  EXPECT_FAILS(onecast_dataset_read(root.get(), nullptr, nullptr, nullptr, 0),
               ONECAST_INVALID_ARGUMENT, "/ is a group, not a dataset");
  EXPECT_EQ(opened, nullptr);
}

TEST_F(Group, LinksAreListed) {
  const auto g = group("group");
  EXPECT_DONE(onecast_group_create_soft_link(root.get(), "soft", "/group"));
  EXPECT_DONE(onecast_group_create_external_link(root.get(), "external", "other.h5", "/x"));
  EXPECT_DONE(onecast_group_create_hard_link(root.get(), "hard", g.get()));
  reopen();
  std::size_t count = 0;
  onecast_link* links = nullptr;
  EXPECT_DONE(onecast_group_get_link_count(root.get(), &count));
  EXPECT_EQ(count, 4U);
  ASSERT_DONE(onecast_group_list(root.get(), ONECAST_ORDER_STORED, &count, &links));
  const Owned<void> owner(static_cast<void*>(links));
  ASSERT_EQ(count, 4U);
  std::map<std::string, onecast_link> found;
  for (std::size_t i = 0; i < count; ++i) found[links[i].name] = links[i];
  EXPECT_EQ(found["group"].kind, ONECAST_LINK_HARD);
  EXPECT_EQ(found["group"].target, nullptr);
  EXPECT_EQ(found["soft"].kind, ONECAST_LINK_SOFT);
  EXPECT_STREQ(found["soft"].target, "/group");
  EXPECT_EQ(found["soft"].target_file, nullptr);
  EXPECT_EQ(found["external"].kind, ONECAST_LINK_EXTERNAL);
  EXPECT_STREQ(found["external"].target, "/x");
  EXPECT_STREQ(found["external"].target_file, "other.h5");
  EXPECT_EQ(kind_of("soft"), ONECAST_GROUP);
  EXPECT_EQ(kind_of("external"), ONECAST_NO_OBJECT);

  onecast_link* ordered = nullptr;
  ASSERT_DONE(onecast_group_list(root.get(), ONECAST_ORDER_CREATION_DESCENDING, &count, &ordered));
  EXPECT_STREQ(ordered[0].name, "hard");
  EXPECT_STREQ(ordered[3].name, "group");
  EXPECT_EQ(ordered[0].creation_order, 3);
  EXPECT_EQ(ordered[3].creation_order, 0);
  onecast_free(ordered);
  EXPECT_FAILS(onecast_group_list(root.get(), static_cast<onecast_order>(9), &count, &ordered),
               ONECAST_INVALID_ARGUMENT, "order: 9");

  onecast_link* none = links;
  ASSERT_DONE(onecast_group_list(open("group").get(), ONECAST_ORDER_STORED, &count, &none));
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(none, nullptr);
}

TEST_F(Group, OneLinkOfAnOrder) {
  for (const char* name : {"c", "ä", "b"}) group(name);
  reopen();
  const auto nth = [&](std::size_t n, onecast_order order) {
    return made_by<onecast_link>(
        [&](auto out) { return onecast_group_get_nth_link(root.get(), n, order, out); });
  };
  EXPECT_STREQ(nth(0, ONECAST_ORDER_CREATION)->name, "c");
  EXPECT_STREQ(nth(0, ONECAST_ORDER_CREATION_DESCENDING)->name, "b");
  EXPECT_STREQ(nth(1, ONECAST_ORDER_NAME)->name, "c");
  EXPECT_EQ(nth(3, ONECAST_ORDER_NAME), nullptr);
  const auto last = nth(2, ONECAST_ORDER_NAME);
  EXPECT_STREQ(last->name, "ä");
  EXPECT_EQ(last->is_utf8, 1);
  EXPECT_EQ(last->link_class, 0);
  EXPECT_NE(last->address, UINT64_MAX);
  EXPECT_EQ(nth(0, ONECAST_ORDER_NAME)->is_utf8, 0);
}

TEST_F(Group, UserDefinedLinks) {
  const char value[] = {'v', '\0', 'w'};
  EXPECT_DONE(onecast_group_create_user_defined_link(root.get(), "own", 200, value, sizeof value));
  EXPECT_DONE(onecast_group_create_user_defined_link(root.get(), "empty", 65, nullptr, 0));
  for (const int wrong : {-1, 1, 64, 256})
    EXPECT_FAILS(onecast_group_create_user_defined_link(root.get(), "x", wrong, nullptr, 0),
                 ONECAST_INVALID_ARGUMENT, "65 to 255 expected");
  EXPECT_FAILS(onecast_group_create_user_defined_link(root.get(), "x", 65, nullptr, 1),
               ONECAST_INVALID_ARGUMENT, "value");
  reopen();
  const auto link = made_by<onecast_link>(
      [&](auto out) { return onecast_group_get_link(root.get(), "own", out); });
  EXPECT_EQ(link->kind, ONECAST_LINK_USER_DEFINED);
  EXPECT_EQ(link->link_class, 200);
  ASSERT_EQ(link->value_size, sizeof value);
  EXPECT_EQ(std::memcmp(link->value, value, sizeof value), 0);
  EXPECT_EQ(link->address, UINT64_MAX);
}

TEST_F(Group, LinksAreMovedIntoAGroup) {
  const auto a = group("a");
  const auto b = group("b");
  group("a/x");
  EXPECT_DONE(onecast_group_move_into(a.get(), "x", b.get(), "y/z"));
  EXPECT_EQ(kind_of("b/y/z"), ONECAST_GROUP);
  EXPECT_FAILS(onecast_group_move_into(a.get(), "x", b.get(), "y"), ONECAST_NOT_FOUND, "x");
  EXPECT_FAILS(onecast_group_move_into(a.get(), "x", nullptr, "y"), ONECAST_INVALID_ARGUMENT, "");
}

TEST_F(Group, LinkCounts) {
  const auto a = group("a");
  EXPECT_FAILS(onecast_object_change_link_count(a.get(), 3), ONECAST_STATE, "a flush has written");
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_DONE(onecast_object_change_link_count(a.get(), 3));
  std::uint32_t count = 0;
  EXPECT_DONE(onecast_object_get_link_count(a.get(), &count));
  EXPECT_EQ(count, 4U);
  EXPECT_FAILS(onecast_object_change_link_count(a.get(), -4), ONECAST_INVALID_ARGUMENT, "0 given");
  EXPECT_DONE(onecast_object_change_link_count(a.get(), -3));
}

TEST_F(Group, LinksAreMovedAndRemoved) {
  group("a");
  EXPECT_DONE(onecast_group_move(root.get(), "a", "b/c"));
  EXPECT_FALSE(contains("a"));
  EXPECT_TRUE(contains("b/c"));
  EXPECT_DONE(onecast_group_remove(root.get(), "b/c"));
  EXPECT_FALSE(contains("b/c"));
  EXPECT_FAILS(onecast_group_remove(root.get(), "b/c"), ONECAST_NOT_FOUND, "c");
  EXPECT_FAILS(onecast_group_move(root.get(), "a", "z"), ONECAST_NOT_FOUND, "a");
}

TEST_F(Group, HandlesOfRemovedObjectsReadUntilTheFlush) {
  const auto x = dataset("x", ONECAST_DOUBLE, {3});
  const double values[3] = {1.5, 2.5, 3.5};
  double found[3] = {};
  EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, ONECAST_DOUBLE, values, sizeof values));
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_DONE(onecast_group_remove(root.get(), "x"));
  EXPECT_DONE(onecast_dataset_read(x.get(), nullptr, ONECAST_DOUBLE, found, sizeof found));
  EXPECT_EQ(found[2], 3.5);
  EXPECT_FAILS(onecast_dataset_write(x.get(), nullptr, ONECAST_DOUBLE, values, sizeof values),
               ONECAST_STATE, "removed");
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_FAILS(onecast_dataset_read(x.get(), nullptr, ONECAST_DOUBLE, found, sizeof found),
               ONECAST_STATE, "removed");
}

TEST_F(Group, AnonymousObjectsGetTheirLinksLater) {
  const auto g = made_by<onecast_object>(
      [&](auto out) { return onecast_group_create_anonymous(root.get(), out); });
  const auto type = made_by<onecast_object>([&](auto out) {
    return onecast_group_create_anonymous_datatype(root.get(), ONECAST_DOUBLE, out);
  });
  const std::uint64_t three = 3;
  const onecast_dataspace space = onecast_dataspace_array(1, &three);
  onecast_dataset_options with_type = options();
  with_type.committed_type = type.get();
  const auto x = made_by<onecast_object>([&](auto out) {
    return onecast_dataset_create_anonymous(g.get(), ONECAST_DOUBLE, &space, &with_type, out);
  });
  const auto lost = made_by<onecast_object>([&](auto out) {
    return onecast_dataset_create_anonymous(root.get(), ONECAST_INT32, &space, nullptr, out);
  });
  const double values[3] = {1.5, 2.5, 3.5};
  EXPECT_DONE(onecast_dataset_write(x.get(), nullptr, ONECAST_DOUBLE, values, sizeof values));
  EXPECT_DONE(onecast_attribute_set_text(g.get(), "of", "a group"));
  char* path = nullptr;
  EXPECT_DONE(onecast_object_get_path(x.get(), &path));
  EXPECT_STREQ(path, "");
  onecast_free(path);
  EXPECT_FAILS(onecast_group_create_hard_link(g.get(), "itself", g.get()), ONECAST_INVALID_ARGUMENT,
               "outside");
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_DONE(onecast_group_create_hard_link(root.get(), "new/g", g.get()));
  EXPECT_DONE(onecast_group_create_hard_link(g.get(), "x", x.get()));
  EXPECT_DONE(onecast_object_get_path(x.get(), &path));
  EXPECT_STREQ(path, "/new/g/x");
  onecast_free(path);
  EXPECT_FAILS(onecast_group_create_anonymous(root.get(), nullptr), ONECAST_INVALID_ARGUMENT,
               "created");
  reopen();
  const auto found = open("new/g/x");
  EXPECT_EQ(read<double>(found.get(), 3, ONECAST_DOUBLE), (std::vector{1.5, 2.5, 3.5}));
  std::size_t count = 0;
  EXPECT_DONE(onecast_group_get_link_count(root.get(), &count));
  EXPECT_EQ(count, 1U);
}

TEST_F(Group, Copies) {
  const auto source = group("source");
  EXPECT_DONE(onecast_attribute_set_text(source.get(), "a", "text"));
  group("source/inner/deep");
  EXPECT_DONE(onecast_group_copy(root.get(), source.get(), "all", nullptr));
  EXPECT_TRUE(contains("all/inner/deep"));
  onecast_copy_options how = {};
  how.shallow = 1;
  how.without_attributes = 1;
  EXPECT_DONE(onecast_group_copy(root.get(), source.get(), "some", &how));
  EXPECT_TRUE(contains("some/inner"));
  EXPECT_FALSE(contains("some/inner/deep"));
  int there = -1;
  EXPECT_DONE(onecast_attribute_exists(open("some").get(), "a", &there));
  EXPECT_EQ(there, 0);
  EXPECT_DONE(onecast_attribute_exists(open("all").get(), "a", &there));
  EXPECT_EQ(there, 1);
  EXPECT_FAILS(onecast_group_copy(root.get(), source.get(), "all", nullptr), ONECAST_ALREADY_EXISTS,
               "all");
}

TEST_F(Group, Comments) {
  const auto comment_of = [](const onecast_object* object) {
    char* text = nullptr;
    EXPECT_DONE(onecast_object_get_comment(object, &text));
    const Owned<void> owner(static_cast<void*>(text));
    return std::string(text != nullptr ? text : "none");
  };
  const auto x = group("x");
  EXPECT_DONE(onecast_object_set_comment(x.get(), "of the group"));
  EXPECT_EQ(comment_of(x.get()), "of the group");
  EXPECT_DONE(onecast_object_set_comment(root.get(), "of the file"));
  reopen(ONECAST_READ_WRITE);
  EXPECT_EQ(comment_of(open("x").get()), "of the group");
  EXPECT_EQ(comment_of(root.get()), "of the file");
  EXPECT_DONE(onecast_object_set_comment(open("x").get(), "another, which is longer"));
  EXPECT_DONE(onecast_object_set_comment(root.get(), nullptr));
  const std::string too_long(64'000, 'c');
  EXPECT_FAILS(onecast_object_set_comment(root.get(), too_long.c_str()), ONECAST_INVALID_ARGUMENT,
               "64000");
  reopen();
  EXPECT_EQ(comment_of(open("x").get()), "another, which is longer");
  EXPECT_EQ(comment_of(root.get()), "none");
  EXPECT_FAILS(onecast_object_set_comment(root.get(), "late"), ONECAST_STATE, "reading");
}

TEST_F(Group, Times) {
  onecast_group_options group = group_options();
  group.times = 1;
  EXPECT_DONE(onecast_group_create_with(root.get(), "group", &group, nullptr));
  onecast_dataset_options options;
  EXPECT_DONE(onecast_dataset_options_init(&options, sizeof options));
  EXPECT_EQ(options.times, 0);
  options.times = 1;
  dataset("data", ONECAST_INT32, {2}, &options);
  const std::int64_t before = std::time(nullptr);
  reopen();
  for (const char* name : {"group", "data"}) {
    std::int64_t seconds = 0;
    EXPECT_DONE(onecast_object_get_modification_time(open(name).get(), &seconds));
    EXPECT_GE(seconds, before - 1);
    EXPECT_LE(seconds, std::time(nullptr));
  }
}

TEST_F(Group, LimitsOfDenseStorage) {
  const auto limits_of = [&](const char* path) {
    onecast_dense_limits links{};
    onecast_dense_limits attributes{};
    EXPECT_DONE(onecast_object_get_dense_limits(open(path).get(), &links, &attributes));
    return std::vector<unsigned>{links.max_compact, links.min_dense, attributes.max_compact,
                                 attributes.min_dense};
  };
  onecast_group_options how = group_options();
  how.dense_links = {5, 3};
  how.dense_attributes = {0, 0};
  EXPECT_DONE(onecast_group_create_with(root.get(), "group", &how, nullptr));
  EXPECT_DONE(onecast_group_create_with(root.get(), "common", nullptr, nullptr));
  onecast_dataset_options options = CapiTest::options();
  options.dense_attributes = {7, 7};
  dataset("data", ONECAST_INT32, {2}, &options);
  how.dense_links = {2, 3};
  EXPECT_FAILS(onecast_group_create_with(root.get(), "wrong", &how, nullptr),
               ONECAST_INVALID_ARGUMENT, "min_dense");
  options.dense_attributes = {65536, 0};
  onecast_object* none = nullptr;
  EXPECT_FAILS(onecast_dataset_create(root.get(), "wrong", ONECAST_INT32, nullptr, &options, &none),
               ONECAST_INVALID_ARGUMENT, "65535");
  reopen();
  EXPECT_EQ(limits_of("group"), (std::vector<unsigned>{5, 3, 0, 0}));
  EXPECT_EQ(limits_of("common"), (std::vector<unsigned>{64, 48, 8, 6}));
  EXPECT_EQ(limits_of("data"), (std::vector<unsigned>{8, 6, 7, 7}));
  EXPECT_DONE(onecast_object_get_dense_limits(root.get(), nullptr, nullptr));
}

TEST_F(Group, NotesThatAreNotThere) {
  char* comment = reinterpret_cast<char*>(8);
  EXPECT_DONE(onecast_object_get_comment(root.get(), &comment));
  EXPECT_EQ(comment, nullptr);
  std::int64_t seconds = 0;
  EXPECT_FAILS(onecast_object_get_modification_time(root.get(), &seconds), ONECAST_NOT_FOUND,
               "modification time");
}

}  // namespace
}  // namespace onecast::test
