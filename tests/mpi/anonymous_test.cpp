// Objects that are created without a link, and linked later or never
#include "faults.hpp"
#include "independent_support.hpp"
#include "onecast/objects/details.hpp"

namespace onecast::test {
namespace {

class AnonymousTest : public IndependentTest {
 protected:
  static constexpr std::uint64_t kMany = 50000;

  static Dataset make_contiguous(Group root, std::int32_t offset = 0) {
    return root.create_anonymous_dataset({kMany}, count_up(kMany, offset),
                                         {.layout = Layout::contiguous});
  }
  [[nodiscard]] std::uint64_t bytes_of_file() const {
    barrier();
    return std::filesystem::file_size(path());
  }
  static std::uint32_t link_count(const Object& object) {
    return details_of(object).reference_count;
  }

  /// Creates objects of every kind, and links them after `between()`.
  template <class F>
  void make_kinds_without_links(File& file, F&& between) const {
    Group root = file.root();
    Group group = root.create_anonymous_group();
    Dataset compact =
        root.create_anonymous_dataset({kCount}, count_up(kCount), {.layout = Layout::compact});
    DatasetOptions filtered{.chunk = {7}};
    filtered.filters = {Filter::shuffle(), Filter::deflate(4)};
    Dataset chunked = root.create_anonymous_dataset(
        {.type = Datatype::of<std::int32_t>(), .space = Dataspace({kCount}), .options = filtered});
    Dataset contiguous = make_contiguous(root);
    Object type = root.create_anonymous_datatype(Datatype::of<double>());
    Dataset typed = root.create_anonymous_dataset({.type = Datatype::of<double>(),
                                                   .space = Dataspace({2}),
                                                   .options = {.committed_type = type}});
    NewValues texts;
    const Datatype text = Datatype::variable_string();
    const auto elements = texts.strings(text, std::vector{text_of(0, 0), text_of(0, 1)});
    Dataset strings = root.create_anonymous_dataset(
        {.type = text, .space = Dataspace({2}), .data = elements, .values = &texts});
    group.set_attribute("of", "a group");
    group.create_dataset("inside", {kCount}, count_up(kCount, 5));
    compact.set_attribute("texts", text, Dataspace({2}), elements, texts);
    type.set_attribute("number", 7);
    chunked.write_all(count_up(my_share(kCount)), my_share(kCount));
    between();
    const Hyperslab mine = my_share(kMany);
    contiguous.write(count_up(mine, 3), mine);
    typed.write_equal(std::vector{1.5, 2.5});
    root.create_hard_link("group", group);
    root.create_hard_link("group/compact", compact);
    root.create_hard_link("new/chunked", chunked);
    root.create_hard_link("contiguous", contiguous);
    root.create_hard_link("type", type);
    root.create_hard_link("typed", typed);
    root.create_hard_link("strings", strings);
  }

  static void expect_kinds_linked(const Group& root) {
    const Group group = root.open_group("group");
    EXPECT_EQ(group.attribute("of").read<std::string>(), std::vector<std::string>{"a group"});
    EXPECT_EQ(group.open_dataset("inside").read<std::int32_t>(), count_up(kCount, 5));
    const Dataset compact = group.open_dataset("compact");
    EXPECT_EQ(compact.read<std::int32_t>(), count_up(kCount));
    EXPECT_EQ(compact.attribute("texts").read<std::string>(),
              (std::vector{text_of(0, 0), text_of(0, 1)}));
    EXPECT_EQ(root.open_dataset("new/chunked").read<std::int32_t>(), count_up(kCount));
    EXPECT_EQ(root.open_dataset("contiguous").read<std::int32_t>(), count_up(kMany, 3));
    EXPECT_EQ(root.open_object("type").attribute("number").read<int>(), std::vector{7});
    EXPECT_EQ(link_count(root.open_object("type")), 2U);  // one link is from a dataset
    EXPECT_EQ(root.open_dataset("typed").read<double>(), (std::vector{1.5, 2.5}));
    EXPECT_EQ(root.open_dataset("strings").read<std::string>(),
              (std::vector{text_of(0, 0), text_of(0, 1)}));
    for (const char* once : {"group", "group/compact", "new/chunked", "contiguous", "typed"})
      EXPECT_EQ(link_count(root.open_object(once)), 1U) << once;
  }
};

TEST_F(AnonymousTest, AreLikeOthersOnceTheyHaveALink) {
  for (const bool flushed : {false, true}) {
    File file = create_small();
    make_kinds_without_links(file, [&] {
      if (flushed) file.flush();
    });
    file.close();
    expect_kinds_linked(File::open(path(), Access::read_only, world_).root());
    expect_sound();
  }
}

TEST_F(AnonymousTest, HaveNoPathBeforeTheFirstLink) {
  File file = create_small();
  Group group = file.root().create_anonymous_group();
  const Dataset inside = create_int32(group, "inside", 3);
  EXPECT_EQ(group.path(), "");
  EXPECT_EQ(inside.path(), "");
  EXPECT_TRUE(inside.same_object(group.open_object("inside")));
  file.root().create_hard_link("inside only", inside);
  EXPECT_EQ(inside.path(), "/inside only");
  file.root().create_hard_link("deep/down/group", group);
  EXPECT_EQ(group.path(), "/deep/down/group");
  file.root().create_hard_link("again", group);
  EXPECT_EQ(link_count(group), 2U);
  file.close();
}

TEST_F(AnonymousTest, TheBytesDoNotDependOnTheRanks) {
  const auto run = [&](const std::string& name, const Communicator& comm) {
    File file = File::create(path(name), comm, {.page_size = 4096});
    Dataset kept = make_contiguous(file.root());
    Group dropped = file.root().create_anonymous_group();
    create_int32(dropped, "in a group that goes", kMany);
    file.flush();
    dropped = Group();
    const Hyperslab mine = share(kMany, comm.rank(), comm.size());
    kept.write_all(count_up(mine, 9), mine);
    file.root().create_hard_link("kept", kept);
    file.flush();
    file.root().create_dataset("where the other was", {kMany}, count_up(kMany));
    make_contiguous(file.root());
    file.close();
  };
  if (rank() == 0) run("one.h5", tested_communicator(MPI_COMM_SELF));
  run("all.h5", world_);
  EXPECT_EQ(contents(path("one.h5")), contents(path("all.h5")));
}

TEST_F(AnonymousTest, WithoutALinkTheyTakeNoSpaceOfAClosedFile) {
  create_small().close();
  std::uint64_t first = 0;
  for (int session = 0; session < 6; ++session) {
    File file = File::open(path(), Access::read_write, world_);
    std::vector<Object> objects;
    for (int i = 0; i < 20; ++i) {
      objects.push_back(make_contiguous(file.root(), i));
      objects.push_back(file.root().create_anonymous_group());
      Group(file.root()).create_anonymous_group().create_group("g");
      static_cast<void>(objects.back().reference());
      if (i == 10) file.flush();
    }
    file.close();
    if (session == 1) first = bytes_of_file();
  }
  EXPECT_EQ(bytes_of_file(), first);
  EXPECT_EQ(File::open(path(), Access::read_only, world_).root().link_count(), 0U);
  expect_sound();
}

TEST_F(AnonymousTest, AFlushEndsThoseThatNoRankHolds) {
  File file = create_small();
  Group root = file.root();
  std::uint64_t first = 0;
  for (int round = 0; round < 8; ++round) {
    static_cast<void>(make_contiguous(root, round));
    file.flush();
    if (round == 2) first = bytes_of_file();
  }
  EXPECT_EQ(bytes_of_file(), first);
  file.close();
}

TEST_F(AnonymousTest, TheHandleOfOneRankKeepsThem) {
  File file = create_small();
  std::optional<Dataset> kept = make_contiguous(file.root(), 1);
  std::optional<Group> above = file.root().create_anonymous_group();
  const Dataset inside = create_int32(*above, "inside", 3);
  const Reference to_kept = kept->reference();
  above.reset();
  if (rank() != last()) kept.reset();
  file.flush();
  file.flush();
  if (!kept) kept = file.root().open_dataset(to_kept);
  EXPECT_EQ(kept->path(), "");
  file.root().create_hard_link("kept", *kept);
  file.root().create_hard_link("inside", inside);
  file.close();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(found.root().open_dataset("kept").read<std::int32_t>(), count_up(kMany, 1));
  EXPECT_EQ(found.root().open_dataset("inside").read<std::int32_t>(), std::vector<std::int32_t>(3));
}

TEST_F(AnonymousTest, TheyStayWhenMemoryIsForgotten) {
  File file = File::create(path(), world_, {.page_size = 4096, .metadata_budget = 256 << 10U});
  Group group = file.root().create_anonymous_group();
  group.set_attribute("number", 7);
  for (int i = 0; i < 3000; ++i) {
    Group other = file.root().create_group("group " + std::to_string(i));
    other.set_attribute("text", std::string(200, 'x'));
  }
  file.flush();
  EXPECT_EQ(group.attribute("number").read<int>(), std::vector{7});
  file.root().create_hard_link("at last", group);
  file.close();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(found.root().open_group("at last").attribute("number").read<int>(), std::vector{7});
}

TEST_F(AnonymousTest, RanksThatDifferHearOfIt) {
  if (size() == 1) GTEST_SKIP() << "nobody to differ from";
  File file = create_small();
  file.flush();
  const std::uint64_t count = rank() == last() ? 3 : 2;
  const Dataset made =
      file.root().create_anonymous_dataset({Datatype::of<int>(), Dataspace({count})});
  const Error error = same_error([&] { file.flush(); });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  EXPECT_NE(std::string(error.what()).find("create dataset without a link with shape (2,)"),
            std::string::npos)
      << error.what();
  file.abandon("they differ");
}

TEST_F(AnonymousTest, WhatCannotBeLinked) {
  File file = create_small();
  Group root = file.root();
  Group group = root.create_anonymous_group();
  Group below = group.create_group("below");
  EXPECT_EQ(same_error([&] { group.create_hard_link("itself", group); }).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(same_error([&] { below.create_hard_link("above", group); }).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(same_error([&] { group.move("below", "below/itself"); }).code(),
            ErrorCode::invalid_argument);
  Group looped = root.create_group("looped");
  looped.create_hard_link("itself", looped);
  EXPECT_EQ(same_error([&] { group.copy_members(looped); }).code(), ErrorCode::invalid_argument);
  root.create_hard_link("group", group);
  group.copy_members(looped);
  EXPECT_EQ(link_count(group), 2U);
  group.remove("itself");
  below.create_hard_link("above", group);  // now a link leads there
  EXPECT_EQ(link_count(group), 2U);
  Dataset removed = create_int32(root, "removed", 3);
  root.remove("removed");
  EXPECT_EQ(same_error([&] { root.create_hard_link("again", removed); }).code(), ErrorCode::state);
  File other = File::create(path("other.h5"), world_);
  Group elsewhere = other.root();
  Group mine = root.create_anonymous_group();
  EXPECT_EQ(same_error([&] { elsewhere.create_hard_link("mine", mine); }).code(),
            ErrorCode::invalid_argument);
  elsewhere.copy(mine, "copy");
  other.close();
  file.close();
  EXPECT_THROW(root.create_hard_link("late", mine), Error);
}

TEST_F(AnonymousTest, DataThatCannotBeWrittenLeavesNothing) {
  const Faults faults = faults_on(0, world_);
  File file = create(path(), {.journal = false, .page_size = 4096}, faults.factory());
  file.flush();
  for (const bool linked : {false, true}) {
    faults.fail(Call::write);
    const Error error = same_error([&] {
      Dataset made = make_contiguous(file.root());
      if (linked) file.root().create_hard_link("linked", made);
      file.flush();
    });
    EXPECT_EQ(error.code(), ErrorCode::io);
    faults.stop();
    file.flush();
    EXPECT_EQ(file.root().link_count(), 0U);
  }
  Dataset made = make_contiguous(file.root(), 2);
  file.root().create_hard_link("made", made);
  file.close();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(found.root().open_dataset("made").read<std::int32_t>(), count_up(kMany, 2));
}

TEST_F(AnonymousTest, AFlushThatFailsIsTriedAgain) {
  const Faults faults = faults_on(0, world_);
  File file = create(path(), {.journal = false, .page_size = 4096}, faults.factory());
  file.flush();
  Group kept = file.root().create_anonymous_group();
  kept.set_attribute("number", 7);
  static_cast<void>(file.root().create_anonymous_group().reference());
  faults.fail(Call::write);
  EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::io);
  faults.stop();
  file.flush();
  file.root().create_hard_link("kept", kept);
  file.close();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(found.root().open_group("kept").attribute("number").read<int>(), std::vector{7});
}

TEST_F(AnonymousTest, CopiesHaveALink) {
  File file = create_small();
  Dataset source = make_contiguous(file.root(), 4);
  file.root().copy(source, "copy");
  file.close();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(link_count(found.root().open_object("copy")), 1U);
  EXPECT_EQ(found.root().open_dataset("copy").read<std::int32_t>(), count_up(kMany, 4));
}

TEST_F(AnonymousTest, ATypeLivesAsLongAsWhatHasIt) {
  for (const bool flushed : {false, true}) {
    File file = create_small();
    std::optional<Object> type = file.root().create_anonymous_datatype(Datatype::of<int>());
    Group(file.root()).set_attribute("typed", *type, Dataspace(), std::as_bytes(std::span("abc")));
    type.reset();
    if (flushed) file.flush();
    file.close();
    file = File::open(path(), Access::read_write, world_);
    EXPECT_EQ(file.root().attribute("typed").read<int>().size(), 1U);
    file.root().remove_attribute("typed");
    file.close();
    expect_sound();
  }
}

TEST_F(AnonymousTest, InSectionsTheyAreTheRanksOwn) {
  for (const bool flushed : {false, true}) {
    File file = create_small();
    Group known = file.root().create_anonymous_group();
    if (flushed) file.flush();
    Dataset lost;
    {
      const auto alone = file.independent();
      Group root = file.root();
      Group group = root.create_anonymous_group();
      Dataset inside = group.create_dataset("inside", {kCount}, count_up(kCount, rank()));
      group.set_attribute("number", rank());
      root.create_hard_link(mine(), group);
      EXPECT_EQ(group.path(), "/" + mine());
      EXPECT_EQ(inside.path(), "/" + mine() + "/inside");
      lost = make_contiguous(root, rank());
      NewValues texts;
      const Datatype text = Datatype::variable_string();
      const auto elements = texts.strings(text, std::vector{text_of(rank(), 0)});
      lost.set_attribute("text", text, Dataspace({1}), elements, texts);
      Group gone = root.create_anonymous_group();
      root.create_hard_link(mine() + "/kept", create_int32(gone, "inside", 2));
      EXPECT_THROW(group.create_hard_link("known", known), Error);
      known.create_group(mine());
    }
    EXPECT_THROW(file.root().create_hard_link("lost", lost), Error);
    file.flush();
    EXPECT_THROW(lost.set_attribute("after", 1), Error);
    file.root().create_hard_link("known", known);
    file.close();
    const File found = File::open(path(), Access::read_only, world_);
    const Group root = found.root();
    EXPECT_EQ(root.link_count(), static_cast<std::size_t>(size()) + 1);
    for (int r = 0; r < size(); ++r) {
      const Group group = root.open_group(name_of(r));
      EXPECT_EQ(group.attribute("number").read<int>(), std::vector{r});
      EXPECT_EQ(group.open_dataset("inside").read<std::int32_t>(), count_up(kCount, r));
      EXPECT_EQ(link_count(group.open_object("kept")), 1U);
      EXPECT_TRUE(root.open_group("known").contains(name_of(r)));
    }
    expect_sound();
  }
}

TEST_F(AnonymousTest, OnlyInSectionsAndNeverLinked) {
  File file = create_small();
  file.flush();
  if (rank() == last()) {
    const auto alone = file.independent();
    Dataset lost = make_contiguous(file.root());
    NewValues texts;
    const Datatype text = Datatype::variable_string();
    lost.set_attribute("text", text, Dataspace({1}),
                       texts.strings(text, std::vector<std::string>{"lost"}), texts);
  }
  file.flush();
  create_int32(file.root(), "x", 3);
  file.close();
  EXPECT_EQ(names(File::open(path(), Access::read_only, world_).root()),
            std::vector<std::string>{"x"});
  expect_sound();
}

}  // namespace
}  // namespace onecast::test
