// The rules of File::independent: what a rank can do alone, the cost, and failures
#include "independent_support.hpp"
#include "support/fault_transport.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {

using namespace transport;
namespace {

TEST_F(IndependentTest, WhatARankCannotDoAlone) {
  File file = create_small();
  Group all = file.root().create_group("all");
  all.set_attribute("number", 1);
  Dataset rows = all.create_dataset("rows", {.type = Datatype::of<int>(),
                                             .space = Dataspace({4}, {Dataspace::kUnlimited}),
                                             .options = {.chunk = {2}}});
  const auto values = count_up(6);
  const auto refused = [&](auto&& call) { EXPECT_EQ(thrown_by(call).code(), ErrorCode::state); };
  Dataset own = [&] {
    const auto alone = file.independent();
    Group root = file.root();
    Dataset data = root.create_dataset(mine(), {.type = Datatype::of<int>(),
                                                .space = Dataspace({4}, {Dataspace::kUnlimited}),
                                                .options = {.chunk = {2}}});
    refused([&] { root.remove("all"); });
    refused([&] { root.move("all", "other"); });
    refused([&] { root.copy(all, "copy"); });
    refused([&] { all.set_attribute("number", 2); });
    refused([&] { all.remove_attribute("number"); });
    refused([&] { all.rename_attribute("number", "other"); });
    refused([&] { all.set_comment("of one rank"); });
    refused([&] { rows.resize({5}); });
    refused([&] { rows.write_equal(std::as_bytes(std::span(values))); });
    refused([&] { static_cast<void>(all.reference()); });
    refused([&] { static_cast<void>(data.reference()); });
    refused([&] { data.write_all(count_up(4)); });
    refused([&] { static_cast<void>(data.read_all<std::int32_t>()); });
    // A rank may change its own objects.
    data.resize({6});
    data.write(count_up(6, rank()));
    data.set_attribute("number", 1);
    data.set_attribute("digit", 2.5);
    data.remove_attribute("number");
    data.rename_attribute("digit", "number");
    data.set_comment("of one rank");
    data.set_attribute("gone", 1);
    data.remove_attribute("gone");
    root.set_attribute(mine(), 1);
    root.set_attribute(mine() + " before", 2.5);
    root.remove_attribute(mine());
    root.rename_attribute(mine() + " before", mine());
    root.set_attribute(mine() + " gone", 1);
    root.remove_attribute(mine() + " gone");
    rows.write(std::vector{rank()}, Hyperslab{{static_cast<std::uint64_t>(rank()) % 4}, {1}});
    return data;
  }();
  refused([&] { own.resize({7}); });
  refused([&] { own.set_attribute("number", 3); });
  refused([&] { own.write_equal(std::as_bytes(std::span(values))); });
  refused([&] { own.write_all(count_up(6)); });
  refused([&] { file.root().create_hard_link("link", own); });
  EXPECT_EQ(thrown_by([&] { file.root().remove(mine()); }).code(), ErrorCode::not_found);
  own.write(std::vector{-1}, Hyperslab{{0}, {1}});
  file.flush();
  for (int r = 0; r < size(); ++r) {
    const Dataset data = file.root().open_dataset(name_of(r));
    auto expected = count_up(6, r);
    expected[0] = -1;
    EXPECT_EQ(data.read<std::int32_t>(), expected);
    EXPECT_EQ(data.attribute("number").read<double>(), std::vector{2.5});
    EXPECT_EQ(data.attributes().size(), 1U);
    EXPECT_EQ(data.comment(), "of one rank");
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
      file.root().create_dataset(name, {.type = type,
                                        .space = Dataspace({30}),
                                        .data = elements,
                                        .options = options,
                                        .values = &values});
      Dataset later = file.root().create_dataset(
          name + " later", {.type = type, .space = Dataspace({30}), .options = options});
      later.write(elements, {.values = &values});
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
                .read<std::string>(),
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
    EXPECT_EQ(file.io_stats().collectives - before - made, size() == 1 ? 0U : 1U)
        << "nothing is left";
    file.close();
    return made;
  };
  const std::uint64_t without = collectives_of_flush(false);
  EXPECT_EQ(collectives_of_flush(true), without + 1);
}

// If the data of a new dataset cannot be written, all ranks fail; the next attempt succeeds.
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
  EXPECT_EQ(names_flushed(), std::vector<std::string>{"before"});
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
      // The ranks create their objects in another temporal order.
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
