#pragma once

// The common part of the tests of File::independent
#include <fmt/format.h>

#include <algorithm>

#include "onecast/check/check.hpp"
#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"

namespace onecast::test {

inline std::string text_of(int rank, int i) { return fmt::format("text {} of rank {}", i, rank); }

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
      for (const Finding& f : report.findings)
        if (f.kind != Finding::Kind::note) ADD_FAILURE() << f.what;
    }
    barrier();
  }

  /// Creates one rank's objects of every kind.
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
    Dataset later =
        group.create_dataset("written later", {.type = Datatype::of<std::int32_t>(),
                                               .space = space,
                                               .options = {.layout = Layout::contiguous}});
    later.write(count_up(10, r), Hyperslab{{20}, {10}});
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
    EXPECT_EQ(group.attribute("texts").read<std::string>(),
              (std::vector{text_of(r, 0), text_of(r, 1)}));
    EXPECT_EQ(group.open_group("dense").link_count(), 80U);
    EXPECT_EQ(group.open_group("dense").attribute("attribute 19").read<int>(), std::vector{19 + r});
    EXPECT_EQ(group.links().size(), 11U);
  }
};

}  // namespace onecast::test
