#include <fmt/format.h>
#include <gtest/gtest.h>

#include "objects/description.hpp"
#include "structures/object_header.hpp"
#include "support/file_name.hpp"
#include "support/file_states.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace structures;

namespace {

using test::expect_as_stock;
using test::open_state;
using test::thrown_by;

using test::kName;

class GroupsTest : public testing::Test {
 protected:
  static std::string name(unsigned i) { return fmt::format("link{:06}", i); }
  static std::vector<std::string> names_of(const Group& group) {
    std::vector<std::string> found;
    for (const Link& link : group.links()) found.emplace_back(link.name);
    return found;
  }
  /// Returns the number of links in the root group's header.
  std::size_t compact_links() {
    const auto state = open_state(kName, Access::read_only, Communicator(), {}, disk_.factory());
    std::size_t count = 0;
    for (const HeaderMessage& m : state->root().header.messages)
      if (m.type == MessageType::link) ++count;
    return count;
  }

  test::SoundDisk disk_;
};

TEST_F(GroupsTest, CompactUpTo64DenseFrom65CompactBelow48) {
  File file = disk_.create(kName);
  std::vector<std::string> expected;
  const auto add = [&](std::string name) {
    file.root().create_group(expected.emplace_back(std::move(name)));
  };
  const auto close_and_expect = [&](std::size_t in_header) {
    file.close();
    EXPECT_EQ(compact_links(), in_header);
    EXPECT_EQ(names_of(disk_.open(kName).root()), expected) << "order of creation";
    expect_as_stock(disk_, kName);
    file = disk_.open(kName, Access::read_write);
  };
  for (unsigned i = 0; i < 64; ++i) add(name(i));
  close_and_expect(64);
  for (std::size_t round = 0; round < 3; ++round) {
    add(fmt::format("more{}", round));
    close_and_expect(0);
    // Links are removed at the beginning, in the middle, or at the end.
    const auto remove_one = [&] {
      const auto gone =
          expected.begin() + static_cast<std::ptrdiff_t>(std::min(round * 32, expected.size() - 1));
      file.root().remove(*gone);
      expected.erase(gone);
    };
    while (expected.size() > 48) remove_one();
    close_and_expect(0);
    remove_one();
    close_and_expect(47);
    while (expected.size() < 64) add(fmt::format("again{}_{}", round, expected.size()));
    close_and_expect(64);
  }
}

TEST_F(GroupsTest, TenThousandLinks) {
  constexpr unsigned kCount = 10'000;
  File file = disk_.create(kName);
  for (unsigned i = 0; i < kCount; ++i) file.root().create_group(name(kCount - i));
  file.close();
  file = disk_.open(kName, Access::read_write);
  EXPECT_EQ(file.root().link_count(), kCount);
  unsigned i = 0;
  for (const Link& link : file.root().links()) EXPECT_EQ(link.name, name(kCount - i++));
  EXPECT_TRUE(file.root().contains(name(5000)));
  EXPECT_FALSE(file.root().contains("link"));
  EXPECT_EQ(file.root().open_group(name(77)).path(), "/" + name(77));
  for (unsigned gone = 1; gone <= kCount; gone += 2) file.root().remove(name(gone));
  EXPECT_EQ(file.root().link_count(), kCount / 2);
  file.close();
  const File again = disk_.open(kName);
  EXPECT_EQ(again.root().link_count(), kCount / 2);
  EXPECT_FALSE(again.root().contains(name(5001)));
  EXPECT_TRUE(again.root().contains(name(5000)));
  expect_as_stock(disk_, kName);
}

TEST_F(GroupsTest, NamesOfAllKinds) {
  const std::vector<std::string> names{"a",
                                       "with space",
                                       "dots..",
                                       "..",
                                       "\xc3\xa4\xc3\xb6 \xe2\x82\xac",
                                       std::string(255, 'b'),
                                       std::string(256, 'c'),
                                       std::string(32'000, 'd'),
                                       "tab\tand \"quotes\""};
  File file = disk_.create(kName);
  for (const std::string& n : names) file.root().create_group(n);
  file.close();
  const File again = disk_.open(kName);
  EXPECT_EQ(names_of(again.root()), names);
  for (const std::string& n : names) EXPECT_EQ(again.root().kind_of(n), ObjectKind::group);
  expect_as_stock(disk_, kName);
}

TEST_F(GroupsTest, DeepPathsMakeTheGroupsOnTheWay) {
  File file = disk_.create(kName);
  std::string path;
  for (int i = 0; i < 200; ++i) path += fmt::format("/g{}", i);
  Group deep = file.root().create_group(path);
  EXPECT_EQ(deep.path(), path);
  EXPECT_EQ(file.root().create_dataset("x/./y//z", {1}, std::vector<int>{5}).path(), "/x/y/z");
  // Paths may be relative or absolute, from a group below.
  EXPECT_EQ(deep.create_group("/top").path(), "/top");
  EXPECT_EQ(deep.create_group("low/er/").path(), path + "/low/er");
  file.close();
  const File again = disk_.open(kName);
  EXPECT_EQ(again.root().open_group(path).links().size(), 1U);
  EXPECT_EQ(again.root().open_dataset("x/y/z").read<int>(), std::vector<int>{5});
  expect_as_stock(disk_, kName);
}

TEST_F(GroupsTest, PathsLeadWhereTheySay) {
  File file = disk_.create(kName);
  const Group a = file.root().create_group("a");
  const Group b = file.root().create_group("a/b");
  file.root().create_dataset("a/data", {1}, std::vector<int>{1});
  const Group root = file.root();
  for (const char* path : {"/", "", ".", "//", "/.", "./", "/./."})
    EXPECT_TRUE(root.open_group(path).same_object(root)) << path;
  for (const char* path : {"/", "//", "/."})
    EXPECT_TRUE(b.open_group(path).same_object(root)) << path;
  for (const char* path : {"", ".", "./", "/a/b", "//a//b//", "/./a/./b"})
    EXPECT_TRUE(b.open_group(path).same_object(b)) << path;
  for (const char* path : {"a/b", "a//b", "a/b/", "./a/b", "/a/b"}) {
    EXPECT_TRUE(root.open_group(path).same_object(b)) << path;
    EXPECT_TRUE(root.contains(path)) << path;
    EXPECT_EQ(root.kind_of(path), ObjectKind::group) << path;
  }
  EXPECT_TRUE(root.contains("/"));
  EXPECT_TRUE(root.contains("."));
  for (const char* path : {"b", "a/b/c", "a/c", "c/b", "a/data/x", "..", "a/.."}) {
    EXPECT_FALSE(root.contains(path)) << path;
    EXPECT_EQ(root.kind_of(path), std::nullopt) << path;
    EXPECT_EQ(thrown_by([&] { static_cast<void>(root.open_object(path)); }).code(),
              ErrorCode::not_found)
        << path;
  }
  EXPECT_EQ(a.open_dataset("data").path(), "/a/data");
  EXPECT_EQ(a.kind_of("data"), ObjectKind::dataset);
  EXPECT_EQ(root.path(), "/");
}

TEST_F(GroupsTest, LinksStayUsableWhileTheGroupChanges) {
  File file = disk_.create(kName);
  Group root = file.root();
  for (unsigned i = 0; i < 40; ++i) root.create_group(name(i)).set_attribute("i", i);
  const auto links = root.links();
  for (unsigned i = 0; i < 40; i += 2) root.remove(name(i));
  for (unsigned i = 40; i < 60; ++i) root.create_group(name(i));
  for (const Link& link : links) {
    const unsigned i = static_cast<unsigned>(link.position);
    if (i % 2 == 1)
      EXPECT_EQ(root.open_group(link).attribute("i").read<unsigned>(), std::vector<unsigned>{i});
    else
      EXPECT_EQ(thrown_by([&] { static_cast<void>(root.open_group(link)); }).code(),
                ErrorCode::not_found);
  }
  // A link of another group is looked up by its name.
  Group other = root.create_group("other");
  EXPECT_EQ(thrown_by([&] { static_cast<void>(other.open_object(links[1])); }).code(),
            ErrorCode::not_found);
}

TEST_F(GroupsTest, OneLinkByItsName) {
  constexpr unsigned kCount = 1000;
  File file = disk_.create(kName);
  const auto expect_found = [&](const File& in) {
    for (const Link& link : in.root().links()) {
      const auto found = in.root().find_link(link.name);
      ASSERT_TRUE(found) << link.name;
      EXPECT_EQ(found->name, link.name);
      EXPECT_EQ(found->position, link.position);
      EXPECT_EQ(found->target, link.target);
    }
    EXPECT_FALSE(in.root().find_link("link"));
    EXPECT_FALSE(in.root().find_link(name(1)));
  };
  for (unsigned i = 0; i < kCount; ++i)
    file.root().create_soft_link(name(i), "/to" + std::to_string(i));
  file.root().remove(name(1));
  expect_found(file);
  file.close();
  file = disk_.open(kName, Access::read_write);
  EXPECT_EQ(file.root().find_link(name(500))->target, "/to500") << "before all are known";
  file.root().create_soft_link("new", "/new");
  file.root().remove(name(2));
  expect_found(file);
  EXPECT_EQ(file.root().find_link("new")->kind, LinkKind::soft);
}

TEST_F(GroupsTest, RemoveTakesWhatIsBelow) {
  File file = disk_.create(kName);
  file.root().create_group("a/b/c").set_attribute("n", 1);
  file.root().create_group("a/d");
  file.flush();
  file.root().remove("a/b/");
  EXPECT_FALSE(file.root().contains("a/b/c"));
  file.root().create_group("a/b").set_attribute("n", 2);
  file.close();
  const File again = disk_.open(kName);
  EXPECT_EQ(again.root().open_group("a/b").link_count(), 0U);
  EXPECT_EQ(names_of(again.root().open_group("a")), (std::vector<std::string>{"d", "b"}));
  expect_as_stock(disk_, kName);
}

TEST_F(GroupsTest, AHandleOfWhatWasRemovedDoesNoHarm) {
  File file = disk_.create(kName);
  Group gone = file.root().create_group("gone");
  file.flush();
  file.root().remove("gone");
  gone.set_attribute("a", 1);
  gone.create_group("below");
  file.close();
  EXPECT_EQ(disk_.open(kName).root().link_count(), 0U);
  expect_as_stock(disk_, kName);
}

TEST_F(GroupsTest, ARefusedCallChangesNothing) {
  File file = disk_.create(kName);
  file.root().create_group("a");
  file.root().create_dataset("data", {1}, std::vector<int>{1});
  file.close();
  const test::Bytes before = disk_.bytes(kName);
  file = disk_.open(kName, Access::read_write);
  Group root = file.root();
  const std::string longest(32'001, 'x');
  const std::pair<std::string, ErrorCode> refused[] = {
      {"a", ErrorCode::already_exists},
      {"/a/", ErrorCode::already_exists},
      {"", ErrorCode::invalid_argument},
      {"/", ErrorCode::invalid_argument},
      {".", ErrorCode::invalid_argument},
      {"a/.", ErrorCode::invalid_argument},
      {longest, ErrorCode::invalid_argument},
      {"new/" + longest, ErrorCode::invalid_argument},
      {"new/" + longest + "/b", ErrorCode::invalid_argument},
      {std::string("n\0l", 3), ErrorCode::invalid_argument},
      {std::string("new/n\0l/b", 9), ErrorCode::invalid_argument},
      {"data/b", ErrorCode::invalid_argument},
      {"data", ErrorCode::already_exists}};
  for (const auto& [path, code] : refused) {
    const Error error = thrown_by([&] { root.create_group(path); });
    EXPECT_EQ(error.code(), code) << path.substr(0, 50);
    EXPECT_EQ(std::string(error.what()).rfind("a.h5: /", 0), 0U) << error.what();
    EXPECT_EQ(thrown_by([&] { root.create_dataset(path, {1}, std::vector<int>{1}); }).code(), code);
  }
  for (const char* path : {"b", "a/b", "", "/", "data/x", "."})
    EXPECT_NE(thrown_by([&] { root.remove(path); }).code(), ErrorCode::state) << path;
  EXPECT_EQ(root.link_count(), 2U);
  EXPECT_FALSE(root.contains("new"));
  file.close();
  EXPECT_EQ(file.io_stats().writes, 0U);
  EXPECT_TRUE(disk_.bytes(kName) == before);
}

}  // namespace
}  // namespace onecast
