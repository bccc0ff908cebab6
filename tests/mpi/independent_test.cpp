// Objects that each rank creates inside File::independent, and their merge by the next flush
#include "independent_support.hpp"
#include "onecast/objects/details.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

TEST_F(IndependentTest, EveryKindOfObjectIsMergedAndSeenAtOnce) {
  File file = create_small();
  file.root().create_group("of all");
  {
    const auto alone = file.independent();
    make_kinds(file.root(), rank());
    expect_kinds(file.root(), rank());
    EXPECT_EQ(file.root().link_count(), 2U) << "nobody else's";
  }
  const Group held = file.root().open_group(mine());
  const Dataset data = held.open_dataset("of every kind/filtered");
  const Attribute texts = held.open_group("of every kind").attribute("texts");
  file.flush();
  for (int r = 0; r < size(); ++r) expect_kinds(file.root(), r);
  EXPECT_TRUE(held.same_object(file.root().open_group(mine())));
  EXPECT_EQ(data.read<std::int32_t>(), count_up(kCount, 1000 * rank()));
  EXPECT_EQ(texts.read<std::string>()[1], text_of(rank(), 1));
  // All ranks can change merged objects.
  for (int r = 0; r < size(); ++r) file.root().open_group(name_of(r)).set_attribute("of all", true);
  file.close();
  expect_sound();
  file = File::open(path(), Access::read_only, world_);
  for (int r = 0; r < size(); ++r) expect_kinds(file.root(), r);
  EXPECT_EQ(names(file.root()).size(), static_cast<std::size_t>(size()) + 1);
  EXPECT_EQ(names(file.root())[1], name_of(0)) << "in the order of the ranks";
}

TEST_F(IndependentTest, InFilesThatAreThere) {
  File made = create_small();
  for (int g = 0; g < 3; ++g) made.root().create_group(fmt::format("group {}/inner", g));
  create_int32(made.root(), "data", 10);
  made.close();
  for (int round = 0; round < 2; ++round) {
    File file = File::open(path(), Access::read_write, world_);
    // The ranks have looked at different objects.
    if (rank() % 2 == 1) static_cast<void>(file.root().open_group("group 2/inner"));
    {
      const auto alone = file.independent();
      Group inner = file.root().open_group("group 1/inner");
      inner.create_group(fmt::format("{} in round {}", mine(), round));
      inner.set_attribute(fmt::format("{} in round {}", mine(), round), rank());
      file.root().open_dataset("data").set_attribute(fmt::format("{}, {}", rank(), round), 1);
    }
    if (round == 1) file.root().create_group("together");
    file.close();
    expect_sound();
  }
  const File file = File::open(path(), Access::read_only, world_);
  const Group inner = file.root().open_group("group 1/inner");
  EXPECT_EQ(inner.link_count(), 2U * static_cast<unsigned>(size()));
  EXPECT_EQ(inner.attributes().size(), 2U * static_cast<unsigned>(size()));
  EXPECT_TRUE(file.root().contains("together"));
  EXPECT_EQ(inner.attribute(name_of(size() - 1) + " in round 1").read<int>(),
            std::vector{size() - 1});
}

TEST_F(IndependentTest, UnevenPartsAndRanksWithNothing) {
  File file = create_small();
  for (int round = 0; round < 3; ++round) {
    if (rank() == last()) {
      const auto alone = file.independent();
      for (int i = 0; i < 300; ++i) {
        Group group = file.root().create_group(fmt::format("round {}/group {}", round, i));
        if (i % 3 == 0) group.create_dataset("data", {9}, count_up(9, i));
        group.set_attribute("number", i);
      }
    }
    file.flush();
    EXPECT_EQ(file.root().open_group(fmt::format("round {}", round)).link_count(), 300U);
    EXPECT_EQ(
        file.root().open_dataset(fmt::format("round {}/group 99/data", round)).read<std::int32_t>(),
        count_up(9, 99));
  }
  file.close();
  expect_sound();
}

TEST_F(IndependentTest, GroupsOnTheWayAreShared) {
  File file = create_small();
  {
    const auto alone = file.independent();
    file.root().create_group("a/b/c " + mine());
    file.root().require_group("a/b").set_attribute(mine(), rank());
    file.root().require_group("required").create_dataset(mine(), {1}, count_up(1, rank()));
  }
  const Group b = file.root().open_group("a/b");
  file.flush();
  EXPECT_EQ(b.link_count(), static_cast<std::size_t>(size()));
  EXPECT_EQ(b.attributes().size(), static_cast<std::size_t>(size()));
  EXPECT_EQ(names(file.root()), (std::vector<std::string>{"a", "required"}));
  for (int r = 0; r < size(); ++r)
    EXPECT_EQ(file.root().open_dataset("required/" + name_of(r)).read<std::int32_t>(),
              std::vector{r});
  file.close();
  expect_sound();
}

TEST_F(IndependentTest, MergedObjectsHaveTheirLimitsOfDenseStorage) {
  File file = create_small();
  const DenseLimits links{5, 3};
  const DenseLimits attributes{0, 0};
  {
    const auto alone = file.independent();
    file.root().create_group("group " + mine(),
                             {.dense_links = links, .dense_attributes = attributes});
    file.root().create_dataset("data " + mine(), {3}, count_up(3, rank()),
                               {.dense_attributes = attributes});
  }
  file.flush();
  file.close();
  file = File::open(path());
  for (int r = 0; r < size(); ++r) {
    const ObjectDetails group = details_of(file.root().open_group("group " + name_of(r)));
    EXPECT_EQ(group.links, links);
    EXPECT_EQ(group.attributes, attributes);
    EXPECT_EQ(details_of(file.root().open_dataset("data " + name_of(r))).attributes, attributes);
  }
}

TEST_F(IndependentTest, ANameOfTwoRanksIsOneErrorAndTheRestIsThere) {
  if (size() < 2) return;
  File file = create_small();
  {
    const auto alone = file.independent();
    Group root = file.root();
    root.create_dataset("own " + mine(), {3}, count_up(3, rank()));
    if (rank() == 0 || rank() == last()) {
      root.create_dataset("twice", {kCount}, count_up(kCount, 7 * rank()),
                          {.layout = Layout::contiguous});
      root.create_group("group").create_dataset("in " + mine(), {5000}, count_up(5000, rank()));
      root.set_attribute("twice", rank());
    }
    if (rank() == last()) {
      DatasetOptions filtered{.chunk = {50}, .filters = {Filter::deflate(1)}};
      root.create_dataset("conflict/inside/filtered", {kCount}, count_up(kCount), filtered);
    }
    if (rank() == 0) root.create_dataset("conflict", {1}, count_up(1));
  }
  Dataset twice = rank() == 0 || rank() == last() ? file.root().open_dataset("twice")
                                                  : file.root().open_dataset("own " + mine());
  const Error error = same_error([&] { file.flush(); });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  const std::string text = error.what();
  for (const std::string& part :
       {fmt::format("\"/twice\" was created by rank 0 and by rank {}", last()),
        fmt::format("\"/group\" was created by rank 0 and by rank {}; it has the members of both",
                    last()),
        fmt::format("\"/conflict\" was created by rank 0 and by rank {}", last()),
        fmt::format("attribute \"twice\" of \"/\" was created by rank 0 and by rank {}", last())})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  if (rank() == last()) {
    EXPECT_THROW(static_cast<void>(twice.read<std::int32_t>()), Error) << "it was left out";
  } else {
    static_cast<void>(twice.read<std::int32_t>());
  }
  const auto look = [&](const Group& root) {
    for (int r = 0; r < size(); ++r)
      EXPECT_EQ(root.open_dataset("own " + name_of(r)).read<std::int32_t>(), count_up(3, r));
    EXPECT_EQ(root.open_dataset("twice").read<std::int32_t>(), count_up(kCount));
    EXPECT_EQ(root.open_dataset("group/in rank 0").read<std::int32_t>(), count_up(5000));
    EXPECT_EQ(root.open_dataset("group/in " + name_of(last())).read<std::int32_t>(),
              count_up(5000, last()));
    EXPECT_EQ(root.attribute("twice").read<int>(), std::vector{0});
    EXPECT_EQ(root.kind_of("conflict"), ObjectKind::dataset);
  };
  look(file.root());
  file.root().create_group("and goes on");
  file.close();
  expect_sound();
  look(File::open(path(), Access::read_only, world_).root());
}

TEST_F(IndependentTest, WhatAllRanksDoInTheMeantimeComesFirst) {
  File file = create_small();
  file.root().create_group("removed/deep");
  file.root().create_group("moved");
  file.flush();
  {
    const auto alone = file.independent();
    file.root().create_dataset("taken", {1}, count_up(1, rank()));
    file.root().create_group("removed/deep/" + mine());
    file.root().create_group("moved/" + mine());
    file.root().create_group("way/" + mine());
    file.root().set_attribute("taken", rank());
  }
  file.root().create_dataset("taken", {2}, count_up(2, 5));
  file.root().create_group("way");
  file.root().set_attribute("taken", -1);
  file.root().remove("removed");
  file.root().move("moved", "there");
  const Error error = same_error([&] { file.flush(); });
  EXPECT_NE(std::string(error.what()).find("\"/taken\" was created by all ranks and by rank 0"),
            std::string::npos)
      << error.what();
  EXPECT_NE(std::string(error.what()).find("\"/removed/deep\", where rank 0 created something"),
            std::string::npos)
      << error.what();
  EXPECT_EQ(file.root().open_dataset("taken").read<std::int32_t>(), count_up(2, 5));
  EXPECT_EQ(file.root().attribute("taken").read<int>(), std::vector{-1});
  EXPECT_EQ(file.root().open_group("there").link_count(), static_cast<std::size_t>(size()));
  EXPECT_EQ(file.root().open_group("way").link_count(), static_cast<std::size_t>(size()));
  file.close();
  expect_sound();
}

TEST_F(IndependentTest, AnErrorInsideKeepsWhatWasThereAndNobodyHangs) {
  File file = create_small();
  try {
    const auto alone = file.independent();
    file.root().create_group(mine());
    if (rank() == last()) throw std::runtime_error("of the program");
    file.root().create_group(mine() + "/more");
  } catch (const std::runtime_error&) {
  }
  file.flush();
  EXPECT_EQ(file.root().link_count(), static_cast<std::size_t>(size()));
  EXPECT_EQ(file.root().contains(name_of(last()) + "/more"), false);
  file.close();
}

TEST_F(IndependentTest, FlushAndNestedBlocksInside) {
  File file = create_small();
  {
    const auto alone = file.independent();
    file.root().create_group(mine());
    {
      const auto nested = file.independent();
      file.root().create_group(mine() + "/nested");
    }
    file.root().create_group(mine() + "/inner");
    file.flush();
    EXPECT_EQ(file.root().link_count(), static_cast<std::size_t>(size()));
    // The merged group belongs to all ranks, so they can add to it.
    Group next = file.root().open_group(name_of((rank() + 1) % size()));
    next.create_group("by " + mine());
    EXPECT_EQ(thrown_by([&] { next.remove("inner"); }).code(), ErrorCode::state);
    file.close();
  }
  expect_sound();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(found.root().open_group(mine()).link_count(), 3U);
}

}  // namespace
}  // namespace onecast::test
