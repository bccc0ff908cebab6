// Links of all kinds are made, moved and removed, and the space of removed objects is reused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "objects/files/file_state.hpp"
#include "onecast/objects/details.hpp"
#include "support/disk.hpp"
#include "support/file_name.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace files;

namespace {

using test::thrown_by;

using test::kName;

class EditLinksTest : public testing::Test {
 protected:
  /// Closes the file and opens it again.
  void reopen() {
    file_.close();
    file_ = disk_.open(kName, Access::read_write);
  }
  [[nodiscard]] static std::vector<std::string> names(const Group& group) {
    std::vector<std::string> found;
    for (const Link& link : group.links()) found.emplace_back(link.name);
    return found;
  }
  template <class F>
  static void expect_error(ErrorCode code, F&& call) {
    const Error error = thrown_by(std::forward<F>(call));
    EXPECT_EQ(error.code(), code) << error.what();
  }
  [[nodiscard]] Group root() const { return file_.root(); }
  [[nodiscard]] std::uint64_t end() const { return disk_.bytes(kName).size(); }

  test::SoundDisk disk_;
  File file_ = disk_.create(kName);
};

using Names = std::vector<std::string>;

TEST_F(EditLinksTest, IntoAnotherGroup) {
  Group from = root().create_group("from");
  Group into = root().create_group("into");
  from.create_group("a");
  from.create_soft_link("soft", "/from");
  from.move("a", into, "b/c");
  from.move("soft", into, "/soft");
  EXPECT_EQ(names(root()), (Names{"from", "into", "soft"}));
  EXPECT_EQ(into.open_group("b/c").path(), "/into/b/c");
  expect_error(ErrorCode::invalid_argument, [&] { root().move("into", into, "itself"); });
  expect_error(ErrorCode::not_found, [&] { from.move("a", into, "a"); });
  File other = disk_.create("other.h5");
  Group elsewhere = other.root();
  expect_error(ErrorCode::invalid_argument, [&] { root().move("soft", elsewhere, "soft"); });
  other.close();
  Group anonymous = root().create_anonymous_group();
  root().move("soft", anonymous, "kept");
  EXPECT_EQ(names(anonymous), (Names{"kept"}));
  root().create_hard_link("named", anonymous);
  reopen();
  EXPECT_EQ(names(root()), (Names{"from", "into", "named"}));
  EXPECT_EQ(names(root().open_group("named")), (Names{"kept"}));
}

TEST_F(EditLinksTest, StorageOfLinks) {
  Group group = root().create_group("g", {.dense_links = {3, 2}});
  const auto fill = [&](int from, int to) {
    for (int i = from; i < to; ++i) group.create_soft_link("soft" + std::to_string(i), "/");
  };
  const auto empty = [&](int from, int to) {
    for (int i = from; i < to; ++i) group.remove("soft" + std::to_string(i));
  };
  // The next flush does what is said before it.
  const auto expect = [&](LinkStorage storage) {
    EXPECT_EQ(link_storage_of(group), storage);
    reopen();
    group = root().open_group("g");
    EXPECT_EQ(link_storage_of(group), storage);
  };
  expect(LinkStorage::compact);
  fill(0, 3);
  expect(LinkStorage::compact);
  fill(3, 4);
  expect(LinkStorage::dense);
  empty(2, 4);
  expect(LinkStorage::dense);
  group.create_soft_link("soft2", "/");
  file_.flush();
  EXPECT_EQ(link_storage_of(group), LinkStorage::dense);
  empty(1, 3);
  expect(LinkStorage::compact);
}

TEST_F(EditLinksTest, UserDefined) {
  const std::string value("any\0thing", 9);
  const auto bytes = std::as_bytes(std::span(value));
  root().create_user_defined_link("g/own", 187, bytes);
  root().create_user_defined_link("empty", 65, {});
  expect_error(ErrorCode::already_exists,
               [&] { root().create_user_defined_link("empty", 65, {}); });
  expect_error(ErrorCode::invalid_argument,
               [&] { root().create_user_defined_link("external", 64, bytes); });
  expect_error(ErrorCode::invalid_argument, [&] {
    root().create_user_defined_link("long", 65, std::vector<std::byte>(UINT16_MAX + 1));
  });
  root().move("g/own", "moved");
  reopen();
  EXPECT_EQ(names(root()), (Names{"g", "empty", "moved"}));
  const Link link = root().find_link("moved").value();
  EXPECT_EQ(link.kind, LinkKind::user_defined);
  EXPECT_EQ(link.link_class, 187U);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(link.value.data()), link.value.size()),
            value);
  EXPECT_EQ(root().find_link("empty").value().link_class, 65U);
  expect_error(ErrorCode::unsupported, [&] { static_cast<void>(root().open_object("moved")); });
}

TEST_F(EditLinksTest, AddressesAndCharacterSets) {
  root().create_group("a");
  root().create_group("ä");
  EXPECT_FALSE(root().find_link("a").value().address);
  reopen();
  const Link link = root().find_link("a").value();
  EXPECT_EQ(link.address, details_of(root().open_group("a")).address);
  EXPECT_EQ(link.character_set, CharacterSet::ascii);
  EXPECT_EQ(link.link_class, 0U);
  EXPECT_EQ(root().find_link("ä").value().character_set, CharacterSet::utf8);
}

TEST_F(EditLinksTest, LinkCounts) {
  Group kept = root().create_group("kept");
  kept.set_attribute("n", 1);
  expect_error(ErrorCode::state, [&] { kept.change_link_count(1); });
  file_.flush();
  kept.change_link_count(2);
  EXPECT_EQ(details_of(kept).reference_count, 3U);
  kept.change_link_count(-1);
  expect_error(ErrorCode::invalid_argument, [&] { kept.change_link_count(-2); });
  expect_error(ErrorCode::invalid_argument, [&] { kept.change_link_count(UINT32_MAX); });
  Group anonymous = root().create_anonymous_group();
  expect_error(ErrorCode::state, [&] { anonymous.change_link_count(1); });
  const Reference reference = kept.reference();
  root().remove("kept");
  // One link more was counted than there was.
  EXPECT_EQ(kept.attribute("n").read<int>(), std::vector{1});
  reopen();
  EXPECT_TRUE(names(root()).empty());
  EXPECT_EQ(root().open_group(reference).attribute("n").read<int>(), std::vector{1});
}

TEST_F(EditLinksTest, AllKindsAreThereAgain) {
  root().create_dataset("data", {3}, std::vector<int>{1, 2, 3});
  root().create_soft_link("soft", "/data");
  root().create_soft_link("a/relative", "../nothing");
  root().create_external_link("b/external", "other.h5", "/there/ü");
  root().create_hard_link("b/hard", root().open_object("data"));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(names(root()), (Names{"data", "soft", "a", "b"}));
    EXPECT_EQ(root().open_dataset("soft").read<int>(), (std::vector<int>{1, 2, 3}));
    const Link relative = root().open_group("a").links().at(0);
    EXPECT_EQ(relative.kind, LinkKind::soft);
    EXPECT_EQ(relative.target, "../nothing");
    const std::vector<Link> b = root().open_group("b").links();
    EXPECT_EQ(b.at(0).kind, LinkKind::external);
    EXPECT_EQ(b.at(0).target_file, "other.h5");
    EXPECT_EQ(b.at(0).target, "/there/ü");
    EXPECT_EQ(b.at(1).kind, LinkKind::hard);
    EXPECT_TRUE(root().open_object("b/hard").same_object(root().open_object("data")));
    EXPECT_EQ(details_of(root().open_object("data")).reference_count, 2U);
    reopen();
  }
}

TEST_F(EditLinksTest, LinksOfADenseGroup) {
  root().create_group("target");
  for (int i = 0; i < 200; ++i) {
    root().create_soft_link(fmt::format("many/soft{}", i), "/target");
    root().create_hard_link(fmt::format("many/hard{}", i), root().open_group("target"));
  }
  reopen();
  EXPECT_EQ(root().open_group("many").link_count(), 400U);
  EXPECT_EQ(details_of(root().open_object("target")).reference_count, 201U);
  for (int i = 0; i < 200; ++i) root().remove(fmt::format("many/hard{}", i));
  reopen();
  EXPECT_EQ(root().open_group("many").link_count(), 200U);
  EXPECT_TRUE(root().open_group("many/soft77").same_object(root().open_group("target")));
  EXPECT_EQ(details_of(root().open_object("target")).reference_count, 1U);
}

TEST_F(EditLinksTest, MovedWithinAndBetweenGroups) {
  root().create_dataset("a/data", {2}, std::vector<int>{4, 5});
  root().create_soft_link("a/soft", "x");
  root().create_group("a/last");
  const Dataset data = root().open_dataset("a/data");
  root().move("a/data", "a/renamed");
  EXPECT_EQ(data.path(), "/a/renamed");
  EXPECT_EQ(names(root().open_group("a")), (Names{"soft", "last", "renamed"}));
  root().move("a/soft", "new/group/soft");
  root().move("/a/renamed", "/new/data");
  EXPECT_EQ(data.path(), "/new/data");
  reopen();
  EXPECT_EQ(names(root()), (Names{"a", "new"}));
  EXPECT_EQ(names(root().open_group("a")), (Names{"last"}));
  EXPECT_EQ(root().open_dataset("new/data").read<int>(), (std::vector<int>{4, 5}));
  EXPECT_EQ(root().open_group("new/group").links().at(0).target, "x");
}

TEST_F(EditLinksTest, ARemovedLinkHasNoName) {
  for (const int links : {3, 40}) {  // the second group has an index of names
    for (int i = 0; i < links; ++i) root().create_group(fmt::format("g/{}", i));
    reopen();
    Group group = root().open_group("g");
    group.remove("1");
    root().remove("g/2");
    for (const char* nameless : {"", "/", "//", ".", "g/.", "g//.", "/."}) {
      expect_error(ErrorCode::not_found, [&] { root().remove(nameless); });
      expect_error(ErrorCode::not_found, [&] { group.remove(nameless); });
      expect_error(ErrorCode::not_found, [&] { root().move(nameless, "x"); });
      expect_error(ErrorCode::not_found, [&] { root().move(nameless, "g/x"); });
    }
    for (const char* nameless : {"", "/", "//", "."})
      expect_error(ErrorCode::invalid_argument, [&] { root().move("g/0", nameless); });
    EXPECT_FALSE(group.find_link(""));
    EXPECT_EQ(details_of(root()).reference_count, 1U);
    EXPECT_EQ(group.link_count(), static_cast<std::size_t>(links) - 2);
    root().remove("g");
    reopen();
    EXPECT_EQ(root().link_count(), 0U);
  }
}

TEST_F(EditLinksTest, WhatCannotBe) {
  root().create_group("a/b");
  root().create_group("c");
  const File other = disk_.create("other.h5");
  reopen();
  const auto unchanged = [&] {
    EXPECT_EQ(names(root()), (Names{"a", "c"}));
    EXPECT_EQ(names(root().open_group("a")), (Names{"b"}));
  };
  expect_error(ErrorCode::already_exists, [&] { root().create_soft_link("c", "a"); });
  expect_error(ErrorCode::already_exists, [&] { root().move("a", "c"); });
  expect_error(ErrorCode::invalid_argument, [&] { root().move("a", "a/b/inside"); });
  expect_error(ErrorCode::invalid_argument, [&] { root().move("a", "a/new/inside"); });
  expect_error(ErrorCode::not_found, [&] { root().move("nothing", "new"); });
  expect_error(ErrorCode::not_found, [&] { root().remove("nothing"); });
  expect_error(ErrorCode::not_found, [&] { root().remove("nothing/inside"); });
  expect_error(ErrorCode::not_found, [&] { root().remove("/"); });
  expect_error(ErrorCode::invalid_argument, [&] { root().create_soft_link("new", ""); });
  expect_error(ErrorCode::invalid_argument,
               [&] { root().create_soft_link("new", std::string_view("a\0b", 3)); });
  expect_error(ErrorCode::invalid_argument, [&] { root().create_external_link("new", "", "a"); });
  expect_error(ErrorCode::invalid_argument, [&] { root().create_hard_link("new", other.root()); });
  unchanged();
  file_.flush();
  unchanged();
}

TEST_F(EditLinksTest, AnObjectLivesAsLongAsItsLastLink) {
  root().create_dataset("a/data", {1000}, std::vector<int>(1000, 7));
  root().create_hard_link("b/data", root().open_object("a/data"));
  reopen();
  const Dataset data = root().open_dataset("a/data");
  root().remove("a");
  file_.flush();
  EXPECT_EQ(root().open_dataset("b/data").read<int>(), std::vector<int>(1000, 7));
  // Its space was not given away.
  root().create_dataset("other", {1000}, std::vector<int>(1000, 8));
  root().create_group("more").set_attribute("name", "value");
  reopen();
  EXPECT_EQ(root().open_dataset("b/data").read<int>(), std::vector<int>(1000, 7));
  EXPECT_EQ(details_of(root().open_object("b/data")).reference_count, 1U);
}

TEST_F(EditLinksTest, AHandleOfWhatWasRemovedWorksUntilTheFlush) {
  root().create_dataset("data", {1000}, std::vector<int>(1000, 7));
  file_.flush();
  Dataset data = root().open_dataset("data");
  root().remove("data");
  root().create_dataset("data", {1000}, std::vector<int>(1000, 8));
  EXPECT_EQ(data.read<int>(), std::vector<int>(1000, 7));
  file_.flush();
  for (const char* name : {"read", "write", "attribute"}) {
    SCOPED_TRACE(name);
    const Error error = thrown_by([&] {
      if (std::string_view(name) == "read") static_cast<void>(data.read<int>());
      if (std::string_view(name) == "write") data.write(std::vector<int>(1000, 9));
      if (std::string_view(name) == "attribute") data.set_attribute("a", 1);
    });
    EXPECT_EQ(error.code(), ErrorCode::state) << error.what();
    EXPECT_NE(std::string(error.what()).find("removed"), std::string::npos) << error.what();
  }
  EXPECT_EQ(root().open_dataset("data").read<int>(), std::vector<int>(1000, 8));
}

// This is for one process; python/tests/test_outliving.py is for several ranks.
TEST_F(EditLinksTest, AHandleKeepsWhatWasRemovedIfOneWants) {
  root().create_dataset("data", {1000}, std::vector<int>(1000, 7));
  file_.flush();
  Dataset data = root().open_dataset("data");
  root().remove("data", HeldObjects::kept);
  root().create_dataset("data", {1000}, std::vector<int>(1000, 8));
  for (int flushes = 0; flushes < 2; ++flushes) {
    EXPECT_EQ(data.read<int>(), std::vector<int>(1000, 7 + 2 * flushes));
    file_.flush();
    data.write(std::vector<int>(1000, 9));
    data.set_attribute("a", 1);
  }
  EXPECT_EQ(root().open_dataset("data").read<int>(), std::vector<int>(1000, 8));
  reopen();
  EXPECT_EQ(root().open_dataset("data").read<int>(), std::vector<int>(1000, 8));
  EXPECT_FALSE(root().open_dataset("data").has_attribute("a"));
}

TEST_F(EditLinksTest, SpaceIsUsedAgain) {
  const auto fill = [&] {
    for (int i = 0; i < 100; ++i) {
      Group group = root().create_group(fmt::format("top/group{}", i));
      group.create_dataset("data", {3000}, std::vector<int>(3000, i));
      for (int a = 0; a < 20; ++a) group.set_attribute(fmt::format("attribute{}", a), a);
    }
    file_.flush();
  };
  fill();
  std::uint64_t first = 0;
  for (int round = 0; round < 12; ++round) {
    root().remove("top");
    file_.flush();
    fill();
    if (round == 5) first = end();
  }
  // The old data stays until a flush has succeeded, so after some rounds both have places.
  EXPECT_EQ(end(), first);
  reopen();
  for (int i = 0; i < 100; ++i) {
    const Group group = root().open_group(fmt::format("top/group{}", i));
    EXPECT_EQ(group.open_dataset("data").read<int>(), std::vector<int>(3000, i));
    EXPECT_EQ(group.attribute("attribute19").read<int>(), std::vector<int>{19});
  }
}

TEST_F(EditLinksTest, DenseStorageThatIsReplacedIsUsedAgain) {
  Group group = root().create_group("group");
  for (int i = 0; i < 300; ++i) {
    group.create_group(fmt::format("member{}", i));
    group.set_attribute(fmt::format("attribute{}", i), i);
  }
  file_.flush();
  group.set_attribute("attribute7", 0);
  file_.flush();
  const std::uint64_t size = end();
  for (int round = 1; round < 20; ++round) {
    group.set_attribute("attribute7", round);
    file_.flush();
  }
  EXPECT_EQ(end(), size);
  reopen();
  EXPECT_EQ(root().open_group("group").attribute("attribute7").read<int>(), std::vector<int>{19});
  EXPECT_EQ(root().open_group("group").link_count(), 300U);
}

TEST_F(EditLinksTest, AGroupThatLeadsToItselfCanBeRemoved) {
  Group group = root().create_group("a");
  group.create_hard_link("again", group);
  group.create_group("child").create_hard_link("parent", group);
  root().create_hard_link("a/top", root());
  reopen();
  root().remove("a");
  reopen();
  EXPECT_EQ(root().link_count(), 0U);
}

TEST_F(EditLinksTest, WhatIsDamagedCanBeRemoved) {
  root().create_dataset("good", {3}, std::vector<int>{1, 2, 3});
  root().create_dataset("bad", {3}, std::vector<int>{1, 2, 3});
  file_.flush();
  const std::uint64_t at = details_of(root().open_object("bad")).address;
  file_.close();
  disk_.bytes(kName)[at + 20] ^= std::byte{1};
  file_ = disk_.open(kName, Access::read_write);
  root().remove("bad");
  reopen();
  EXPECT_EQ(names(root()), Names{"good"});
}

}  // namespace
}  // namespace onecast
