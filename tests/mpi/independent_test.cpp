// What each rank creates for itself, inside File::independent, and what the next flush makes of it.
#include <fmt/format.h>

#include <algorithm>

#include "onecast/check/check.hpp"
#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"
#include "support/thrown_by.hpp"
#include "transport/fault_transport.hpp"

namespace onecast::test {
namespace {

std::string text_of(int rank, int i) { return fmt::format("text {} of rank {}", i, rank); }

class IndependentTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kCount = 100;

  [[nodiscard]] static std::string name_of(int r) { return fmt::format("rank {}", r); }
  [[nodiscard]] std::string mine() const { return name_of(rank()); }
  File create_small() const { return File::create(path(), world_, {.page_size = 4096}); }
  void expect_sound() const {
    barrier();
    if (rank() == 0) {
      const CheckReport report = check_file(path(), {.data = true});
      for (const Finding& f : report.findings) ADD_FAILURE() << f.what;
    }
    barrier();
  }

  /// One rank's objects of every kind.
  static void make_kinds(Group root, int r) {
    Group group = root.create_group(fmt::format("{}/of every kind", name_of(r)));
    const auto values = count_up(kCount, 1000 * r);
    group.create_dataset("compact", {kCount}, values, {.layout = Layout::compact});
    group.create_dataset("contiguous", {kCount}, values, {.layout = Layout::contiguous});
    DatasetOptions chunked{.chunk = {7}};
    group.create_dataset("chunked", {kCount}, values, chunked);
    chunked.filters = {Filter::shuffle(), Filter::deflate(4)};
    group.create_dataset("filtered", {kCount}, values, chunked);
    create_int32(group, "never written", kCount);
    const Dataspace space({kCount});
    Dataset later = group.create_dataset("written later", Datatype::of<std::int32_t>(), space, {},
                                         {.layout = Layout::contiguous});
    later.write(count_up(10, r), Hyperslab{{20}, {10}, {}, {}});
    group.create_datatype("type", Datatype::of<double>()).set_attribute("number", r);
    group.create_soft_link("soft", "compact");
    group.create_external_link("external", "elsewhere.h5", "/x");
    group.create_hard_link("hard", later);
    group.set_attribute("number", r);
    NewValues texts;
    const Datatype type = Datatype::variable_string();
    const auto elements = texts.strings(type, std::vector{text_of(r, 0), text_of(r, 1)});
    group.set_attribute("texts", type, Dataspace({2}), elements, texts);
    Group dense = group.create_group("dense");
    for (int i = 0; i < 80; ++i) dense.create_group(fmt::format("{}", i));
    for (int i = 0; i < 20; ++i) dense.set_attribute(fmt::format("attribute {}", i), i + r);
  }

  static void expect_kinds(const Group& root, int r) {
    const Group group = root.open_group(fmt::format("{}/of every kind", name_of(r)));
    for (const char* name : {"compact", "contiguous", "chunked", "filtered", "soft"})
      EXPECT_EQ(group.open_dataset(name).read<std::int32_t>(), count_up(kCount, 1000 * r)) << name;
    EXPECT_EQ(group.open_dataset("never written").read<std::int32_t>(),
              std::vector<std::int32_t>(kCount));
    for (const char* name : {"written later", "hard"}) {
      const auto later = group.open_dataset(name).read<std::int32_t>();
      EXPECT_EQ(later[19], 0);
      EXPECT_EQ(later[20], r);
      EXPECT_EQ(later[29], r + 9);
    }
    EXPECT_EQ(group.open_object("type").attribute("number").read<int>(), std::vector{r});
    EXPECT_EQ(group.attribute("number").read<int>(), std::vector{r});
    EXPECT_EQ(group.attribute("texts").read_strings(), (std::vector{text_of(r, 0), text_of(r, 1)}));
    EXPECT_EQ(group.open_group("dense").link_count(), 80U);
    EXPECT_EQ(group.open_group("dense").attribute("attribute 19").read<int>(), std::vector{19 + r});
    EXPECT_EQ(group.links().size(), 11U);
  }
};

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
  EXPECT_EQ(texts.read_strings()[1], text_of(rank(), 1));
  // What was merged belongs to all.
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
    // Ranks have looked at different things.
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
    // Now it is everyone's: it can be added to.
    Group next = file.root().open_group(name_of((rank() + 1) % size()));
    next.create_group("by " + mine());
    EXPECT_EQ(thrown_by([&] { next.remove("inner"); }).code(), ErrorCode::state);
    file.close();
  }
  expect_sound();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(found.root().open_group(mine()).link_count(), 3U);
}

TEST_F(IndependentTest, WhatARankCannotDoAlone) {
  File file = create_small();
  Group all = file.root().create_group("all");
  all.set_attribute("number", 1);
  Dataset rows = all.create_dataset("rows", Datatype::of<int>(),
                                    Dataspace({4}, {Dataspace::kUnlimited}), {}, {.chunk = {2}});
  const auto values = count_up(6);
  const auto refused = [&](auto&& call) { EXPECT_EQ(thrown_by(call).code(), ErrorCode::state); };
  Dataset own = [&] {
    const auto alone = file.independent();
    Group root = file.root();
    Dataset data = root.create_dataset(mine(), Datatype::of<int>(),
                                       Dataspace({4}, {Dataspace::kUnlimited}), {}, {.chunk = {2}});
    refused([&] { root.remove("all"); });
    refused([&] { root.move("all", "other"); });
    refused([&] { root.copy(all, "copy"); });
    refused([&] { all.set_attribute("number", 2); });
    refused([&] { all.remove_attribute("number"); });
    refused([&] { rows.resize({5}); });
    refused([&] { rows.write_equal(std::as_bytes(std::span(values))); });
    refused([&] { static_cast<void>(all.reference()); });
    refused([&] { static_cast<void>(data.reference()); });
    refused([&] { data.write_all(count_up(4)); });
    refused([&] { static_cast<void>(data.read_all<std::int32_t>()); });
    // Its own it may change.
    data.resize({6});
    data.write(count_up(6, rank()));
    data.set_attribute("number", 1);
    data.set_attribute("number", 2.5);
    data.set_attribute("gone", 1);
    data.remove_attribute("gone");
    root.set_attribute(mine(), 1);
    root.set_attribute(mine(), 2.5);
    root.set_attribute(mine() + " gone", 1);
    root.remove_attribute(mine() + " gone");
    rows.write(std::vector{rank()},
               Hyperslab{{static_cast<std::uint64_t>(rank()) % 4}, {1}, {}, {}});
    return data;
  }();
  refused([&] { own.resize({7}); });
  refused([&] { own.set_attribute("number", 3); });
  refused([&] { own.write_equal(std::as_bytes(std::span(values))); });
  refused([&] { own.write_all(count_up(6)); });
  refused([&] { file.root().create_hard_link("link", own); });
  EXPECT_EQ(thrown_by([&] { file.root().remove(mine()); }).code(), ErrorCode::not_found);
  own.write(std::vector{-1}, Hyperslab{{0}, {1}, {}, {}});
  file.flush();
  for (int r = 0; r < size(); ++r) {
    const Dataset data = file.root().open_dataset(name_of(r));
    auto expected = count_up(6, r);
    expected[0] = -1;
    EXPECT_EQ(data.read<std::int32_t>(), expected);
    EXPECT_EQ(data.attribute("number").read<double>(), std::vector{2.5});
    EXPECT_EQ(data.attributes().size(), 1U);
    EXPECT_EQ(file.root().attribute(name_of(r)).read<double>(), std::vector{2.5});
  }
  EXPECT_EQ(file.root().attributes().size(), static_cast<std::size_t>(size()));
  file.root().open_dataset(name_of(0)).resize({7});
  file.close();
  expect_sound();
}

TEST_F(IndependentTest, HardLinksAreCounted) {
  File file = create_small();
  Dataset shared = create_int32(file.root(), "shared", 5);
  file.flush();
  {
    const auto alone = file.independent();
    file.root().create_hard_link("shared by " + mine(), shared);
    Group group = file.root().create_group(mine());
    group.create_hard_link("again", group.create_group("inner"));
    file.root().create_hard_link("inner of " + mine(), group.open_group("inner"));
  }
  file.close();
  expect_sound();
  file = File::open(path(), Access::read_write, world_);
  file.root().remove("shared");
  for (int r = 0; r < size(); ++r) {
    EXPECT_TRUE(file.root().open_dataset("shared by " + name_of(r)).shape() == Shape{5});
    file.root().remove("shared by " + name_of(r));
    file.root().remove(name_of(r));
    EXPECT_EQ(file.root().open_group("inner of " + name_of(r)).link_count(), 0U);
  }
  file.close();
  expect_sound();
}

TEST_F(IndependentTest, ValuesOfVariableLength) {
  const Datatype type = Datatype::variable_string();
  File file = create_small();
  const auto texts = [&](int r, int n) {
    std::vector<std::string> all;
    for (int i = 0; i < n; ++i) all.push_back(text_of(r, i));
    return all;
  };
  {
    const auto alone = file.independent();
    for (const Layout layout : {Layout::compact, Layout::contiguous, Layout::chunked}) {
      DatasetOptions options{.layout = layout};
      if (layout == Layout::chunked) options.chunk = {10}, options.filters = {Filter::deflate(1)};
      NewValues values;
      const auto elements = values.strings(type, texts(rank(), 30));
      const std::string name = fmt::format("{}/{}", mine(), static_cast<int>(layout));
      file.root().create_dataset(name, type, Dataspace({30}), elements, options, values);
      Dataset later =
          file.root().create_dataset(name + " later", type, Dataspace({30}), {}, options);
      later.write(elements, {}, values);
    }
  }
  file.close();
  expect_sound();
  file = File::open(path(), Access::read_only, world_);
  for (int r = 0; r < size(); ++r)
    for (const Layout layout : {Layout::compact, Layout::contiguous, Layout::chunked})
      for (const char* suffix : {"", " later"})
        EXPECT_EQ(
            file.root()
                .open_dataset(fmt::format("{}/{}{}", name_of(r), static_cast<int>(layout), suffix))
                .read_strings(),
            texts(r, 30));
}

TEST_F(IndependentTest, OneExchangeMore) {
  const auto collectives_of_flush = [&](bool alone) {
    File file = File::create(path(), world_, {.page_size = 4096});
    file.root().create_group("first");
    file.flush();
    file.root().create_group("second");
    const std::uint64_t before_block = file.io_stats().collectives;
    if (alone) {
      const auto block = file.independent();
      for (int i = 0; i < 50; ++i) {
        Group group = file.root().create_group(fmt::format("{}/{}", mine(), i));
        group.create_dataset("x", {10}, count_up(10), {.layout = Layout::contiguous});
        group.set_attribute("text", "of one rank");
      }
      EXPECT_EQ(file.io_stats().collectives, before_block);
    }
    const std::uint64_t before = file.io_stats().collectives;
    file.flush();
    const std::uint64_t made = file.io_stats().collectives - before;
    file.flush();
    EXPECT_EQ(file.io_stats().collectives - before - made, 1U) << "nothing is left";
    file.close();
    return made;
  };
  const std::uint64_t without = collectives_of_flush(false);
  EXPECT_EQ(collectives_of_flush(true), without + 1);
}

// Data of a new dataset that cannot be written is every rank's failure; then it can.
TEST_F(IndependentTest, WritingMergedDataCanBeTriedAgain) {
  const auto plan = std::make_shared<FaultPlan>();
  File file = create(path(), {.page_size = 4096}, fault_factory(posix_factory(), plan));
  file.root().create_group("before");
  file.flush();
  {
    const auto alone = file.independent();
    file.root().create_dataset(mine(), {5000}, count_up(5000, rank()));
  }
  if (rank() == last())
    plan->faults.push_back({FaultPlan::Call::write, plan->writes + 1, ENOSPC, 10});
  EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::io);
  {
    const File found = File::open(path(), Access::read_only, world_, {.locking = FileLocking::off});
    EXPECT_EQ(names(found.root()), std::vector<std::string>{"before"});
    barrier();
  }
  file.flush();
  file.close();
  expect_sound();
  const File found = File::open(path(), Access::read_only, world_);
  for (int r = 0; r < size(); ++r)
    EXPECT_EQ(found.root().open_dataset(name_of(r)).read<std::int32_t>(), count_up(5000, r));
}

TEST_F(IndependentTest, TheSamePartsMakeTheSameBytes) {
  std::string reference;
  for (int round = 0; round < 2; ++round) {
    File file = create_small();
    {
      const auto alone = file.independent();
      // In another order in time.
      if (round == 1 && rank() == 0) usleep(20'000);
      make_kinds(file.root(), rank());
      file.root().create_group("common/" + mine());
    }
    file.close();
    const std::string bytes = contents(path());
    if (round == 0)
      reference = bytes;
    else
      EXPECT_TRUE(bytes == reference);
    barrier();
  }
}

}  // namespace
}  // namespace onecast::test
