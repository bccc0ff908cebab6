// metadata_budget in files open for writing: memory stays below it, and handles stay valid.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "objects/description.hpp"
#include "support/file_name.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace transport;

namespace {

using test::thrown_by;

using test::kName;
constexpr std::uint64_t kBudget = 384 << 10U;
/// The memory besides the budget: the results of one call, a few pages, and the least that causes a
/// flush.
constexpr std::uint64_t kFixed = 256 << 10U;

std::string name(int i) { return fmt::format("part {}/group {:05}", i / 100, i); }

void make(Group root, int i) {
  Group group = root.create_group(name(i));
  group.set_attribute("number", i);
  for (const char* dataset : {"a", "b"})
    group.create_dataset(dataset, {4}, std::vector<int>{i, 1, 2, 3});
  group.create_dataset("long", {32}, std::vector<int>(32, i));
}

void expect_made(const Group& root, int count) {
  for (int i = 0; i < count; ++i) {
    const Group group = root.open_group(name(i));
    ASSERT_EQ(group.attribute("number").read<int>(), std::vector<int>{i});
    for (const char* dataset : {"a", "b"})
      ASSERT_EQ(group.open_dataset(dataset).read<int>(), (std::vector<int>{i, 1, 2, 3}));
    ASSERT_EQ(group.open_dataset("long").read<int>(), std::vector<int>(32, i));
  }
}

class MetadataBudgetTest : public testing::Test {
 protected:
  static inline const FileOptions kOptions{.compact_limit = 64, .metadata_budget = kBudget};

  [[nodiscard]] std::uint64_t writes() { return disk_.faults().writes; }

  test::SoundDisk disk_;
};

TEST_F(MetadataBudgetTest, HoldsWithSeveralTimesAsMuch) {
  constexpr int kGroups = 2500;
  {
    File file = disk_.create(kName, kOptions);
    for (int i = 0; i < kGroups; ++i) make(file.root(), i);
    const MetadataReport report = file.metadata_report();
    EXPECT_GT(report.pages * report.page_size, 3 * kBudget);
    EXPECT_LE(report.most_memory_bytes, kBudget + kFixed);
    EXPECT_LE(report.memory_bytes, report.most_memory_bytes);
    EXPECT_LT(report.objects_in_memory, 1000U);
    expect_made(file.root(), kGroups);
    file.close();
  }
  expect_made(disk_.open(kName).root(), kGroups);
  // Small changes everywhere stay below the budget as well.
  {
    File file = disk_.open(kName, Access::read_write, kOptions);
    for (int i = 0; i < kGroups; ++i) file.root().open_group(name(i)).set_attribute("number", i);
    for (int i = 0; i < kGroups; ++i)
      file.root().open_group(name(i)).set_attribute("more", "what every group gets");
    constexpr std::uint64_t kOpenReads = std::uint64_t{1} << 20U;
    EXPECT_LE(file.metadata_report().most_memory_bytes, 2 * kBudget + kFixed + kOpenReads);
    file.close();
  }
  expect_made(disk_.open(kName).root(), kGroups);
  test::expect_as_stock(disk_, kName);
}

TEST_F(MetadataBudgetTest, HandlesStayWhatTheyAre) {
  File file = disk_.create(kName, kOptions);
  Group root = file.root();
  Group group = root.create_group("held/below");
  group.set_attribute("kept", "a text that is looked at later");
  const Attribute attribute = group.attribute("kept");
  Dataset dataset = group.create_dataset(
      "data",
      {.type = Datatype::of<int>(), .space = Dataspace({2}, {100}), .options = {.chunk = {2}}});
  dataset.write(std::vector<int>{1, 2});
  const Object type = root.create_datatype("type", Datatype::of<double>());
  const Dataspace& space = dataset.dataspace();
  const std::vector<Link> links = group.links();
  int made = 0;
  const auto make_many = [&] {
    const std::uint64_t before = writes();
    for (const int end = made + 500; made < end; ++made) make(root, made);
    EXPECT_GT(writes(), before + 530) << "with flushes, each of some writes";
    EXPECT_LT(file.metadata_report().objects_in_memory, 600U);
  };
  make_many();
  EXPECT_EQ(attribute.name(), "kept");
  EXPECT_EQ(attribute.read<std::string>(),
            std::vector<std::string>{"a text that is looked at later"});
  EXPECT_EQ(links.at(0).name, "data");
  EXPECT_EQ(space.shape(), Shape{2});
  EXPECT_EQ(group.path(), "/held/below");
  EXPECT_EQ(dataset.path(), "/held/below/data");
  EXPECT_TRUE(dataset.same_object(root.open_dataset("held/below/data")));
  EXPECT_TRUE(root.open_group("held").same_object(file.root().open_group("held")));
  EXPECT_EQ(dataset.read<int>(), (std::vector<int>{1, 2}));

  dataset.resize({5});
  dataset.write(std::vector<int>{3, 4, 5}, Hyperslab{{2}, {3}});
  const double value = 2.5;
  group.set_attribute("typed", type, Dataspace({1}), std::as_bytes(std::span(&value, 1)));
  make_many();
  dataset.set_attribute("late", 7);
  group.create_group("new");
  root.remove("held/below/new");
  make_many();
  EXPECT_EQ(dataset.shape(), Shape{5});
  EXPECT_EQ(dataset.read<int>(), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(dataset.attribute("late").read<int>(), std::vector<int>{7});
  EXPECT_FALSE(group.contains("new"));
  root.move("held", "moved");
  make_many();
  EXPECT_EQ(group.path(), "/moved/below");
  root.create_hard_link("second", dataset);
  root.remove("moved");
  make_many();
  EXPECT_EQ(thrown_by([&] { return group.links(); }).code(), ErrorCode::state);
  EXPECT_EQ(dataset.read<int>(), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_TRUE(dataset.same_object(root.open_dataset("second")));
  file.close();
  EXPECT_EQ(thrown_by([&] { return dataset.read<int>(); }).code(), ErrorCode::state);
  EXPECT_EQ(attribute.name(), "kept");
}

TEST_F(MetadataBudgetTest, AFlushThatFailsLeavesTheCallUndone) {
  File file = disk_.create(kName, kOptions);
  file.flush();
  int made = 0;
  std::optional<Error> failed;
  disk_.faults().faults = {{.call = test::FaultPlan::Call::write,
                            .first = writes() + 30,
                            .error = ENOSPC,
                            .count = test::FaultPlan::kForever}};
  for (; !failed && made < 5000; ++made) try {
      file.root().create_group(name(made));
    } catch (const Error& error) {
      failed = error;
      --made;
    }
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->system_errno(), ENOSPC);
  EXPECT_FALSE(file.root().contains(name(made)));
  // Creating fails again, but existing objects can be removed.
  EXPECT_EQ(thrown_by([&] { file.root().create_group(name(made)); }).code(), ErrorCode::io);
  file.root().remove(name(0));
  disk_.faults().faults.clear();
  for (const int end = made + 100; made < end; ++made) file.root().create_group(name(made));
  file.close();
  const File again = disk_.open(kName);
  EXPECT_FALSE(again.root().contains(name(0)));
  for (int i = 1; i < made; ++i) EXPECT_TRUE(again.root().contains(name(i))) << i;
}

TEST_F(MetadataBudgetTest, NoFlushInsideIndependent) {
  File file = disk_.create(kName, kOptions);
  file.flush();
  {
    const auto alone = file.independent();
    const std::uint64_t before = writes();
    for (int i = 0; i < 2000; ++i) file.root().create_group(name(i));
    EXPECT_EQ(writes(), before);
  }
  file.flush();
  EXPECT_EQ(file.root().link_count(), 20U);
  EXPECT_LT(file.metadata_report().objects_in_memory, 100U);
  file.close();
}

// This test uses the default options.
TEST_F(MetadataBudgetTest, ALongSessionTakesNoMoreMemoryThanAShortOne) {
  constexpr std::uint64_t kLittle = std::uint64_t{10} << 20U;
  constexpr int kSteps = 4000;
  File file = disk_.create(kName);
  std::uint64_t objects = 0;
  for (int i = 0; i < kSteps; ++i) {
    make(file.root(), i);
    file.flush();
    if (i % 500 != 499) continue;
    const MetadataReport report = file.metadata_report();
    if (i == 499) objects = report.objects_in_memory;
    EXPECT_LE(report.objects_in_memory, 5 * objects) << "after step " << i;
    EXPECT_LE(report.most_memory_bytes, kLittle) << "after step " << i;
  }
  file.close();
  expect_made(disk_.open(kName).root(), kSteps);
}

}  // namespace
}  // namespace onecast
