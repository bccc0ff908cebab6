// metadata_budget in files open for writing: structural calls that flush, on any number of ranks
#include <algorithm>

#include "faults.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class MetadataBudgetTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kBudget = 48 << 10U;
  /// The memory besides the budget: the results of one call, a few pages, and the least that causes
  /// a flush.
  static constexpr std::uint64_t kFixed = 512 << 10U;
  static constexpr int kGroups = 300;
  static inline const FileOptions kOptions{
      .page_size = 4096, .compact_limit = 64, .metadata_budget = kBudget};

  static std::string name(int i) { return "group " + std::to_string(i); }
  static void make(Group root, int i) {
    Group group = root.create_group(name(i));
    group.set_attribute("number", i);
    group.create_dataset("a", {4}, std::vector<int>{i, 1, 2, 3});
    group.create_dataset("b", {2}, std::vector<int>{i, 1});
    group.create_dataset("long", {32}, std::vector<int>(32, i));
  }
  static void expect_made(const Group& root, int count) {
    for (int i = 0; i < count; ++i) {
      const Group group = root.open_group(name(i));
      ASSERT_EQ(group.attribute("number").read<int>(), std::vector<int>{i});
      ASSERT_EQ(group.open_dataset("a").read<int>(), (std::vector<int>{i, 1, 2, 3}));
      ASSERT_EQ(group.open_dataset("long").read<int>(), std::vector<int>(32, i));
    }
  }

  /// Writes together and independently, between calls that flush.
  static MetadataReport run(const std::string& file, const Communicator& comm) {
    File f = File::create(file, comm, kOptions);
    Group root = f.root();
    Dataset rows =
        root.create_dataset("rows", {.type = Datatype::of<std::int32_t>(),
                                     .space = Dataspace({16}, {std::uint64_t{1} << 20U}),
                                     .options = {.chunk = {16}, .filters = {Filter::deflate(4)}}});
    Dataset plain = create_int32(root, "plain", 4096);
    for (int i = 0; i < kGroups; ++i) {
      make(root, i);
      const Hyperslab mine = share(64, comm.rank(), comm.size());
      if (i % 40 == 0) {
        rows.resize({64 + static_cast<std::uint64_t>(i)});
        rows.write_all(count_up(mine, i), mine);
        plain.write(count_up(mine, i), mine);
      }
      // Each rank may look at different objects.
      if (comm.rank() == i % 3) static_cast<void>(root.open_group(name(i / 2)).attributes());
    }
    const MetadataReport report = f.metadata_report();
    f.close();
    return report;
  }
};

TEST_F(MetadataBudgetTest, HoldsAndTheBytesAreThoseOfOneRank) {
  std::string reference;
  for (int ranks = 1; ranks <= size(); ranks += std::max(1, size() - 1)) {
    const std::string file = path(std::to_string(ranks) + ".h5");
    if (const auto comm = first_ranks(ranks)) {
      const MetadataReport report = run(file, *comm);
      EXPECT_GT(report.pages * report.page_size, 3 * kBudget);
      EXPECT_LE(report.most_memory_bytes, kBudget + kFixed);
      EXPECT_LT(report.objects_in_memory, 300U);
    }
    const std::string bytes = contents(file);
    if (ranks == 1) reference = bytes;
    EXPECT_TRUE(bytes == reference) << ranks << " ranks";
    const File again = File::open(file);
    expect_made(again.root(), kGroups);
    EXPECT_EQ(again.root().open_dataset("plain").read<std::int32_t>()[63], 63 + 280);
    barrier();
  }
}

TEST_F(MetadataBudgetTest, ReadTogetherAfterItWasForgotten) {
  File file = File::create(path(), world_, kOptions);
  Dataset held = file.root().create_dataset("held", {3}, std::vector<int>{5, 6, 7});
  for (int i = 0; i < kGroups; ++i) make(file.root(), i);
  for (int i = 0; i < kGroups; i += 50) {
    Dataset found = file.root().open_dataset(name(i) + "/long");
    std::vector<int> read(32);
    found.read_all(std::as_writable_bytes(std::span(read)));
    EXPECT_EQ(read, std::vector<int>(32, i));
  }
  std::vector<int> read(3);
  held.read_all(std::as_writable_bytes(std::span(read)));
  EXPECT_EQ(read, (std::vector<int>{5, 6, 7}));
  Dataset changed = file.root().open_dataset(name(7) + "/b");
  const int value = 100 + last();
  if (rank() == last()) changed.write(std::vector<int>{value}, Hyperslab{{1}, {1}});
  for (int i = 0; i < kGroups; ++i) file.root().open_group(name(i)).set_attribute("later", i);
  EXPECT_EQ(changed.read<int>(), (std::vector<int>{7, value})) << "a flush came between";
  file.close();
}

TEST_F(MetadataBudgetTest, AFlushThatFailsOnOneRankFailsTheCallOnAll) {
  for (int failing = 0; failing < size(); failing += std::max(1, last())) {
    const std::string file = path("failing " + std::to_string(failing) + ".h5");
    const Faults faults = faults_on(failing, world_);
    FileOptions options = kOptions;
    options.stripe_size = 4096;
    options.stripe_count = 7;
    options.single_writer_stripes = 0;
    File f = create(file, options, faults.factory());
    for (int i = 0; i < 60; ++i) make(f.root(), i);
    faults.fail(Call::write, 1, FaultPlan::kForever);
    int made = 60;
    const Error error = same_error([&] {
      for (; made < 2000; ++made) f.root().create_group(name(made));
    });
    EXPECT_EQ(error.code(), ErrorCode::io) << error.what();
    const auto each = everyones(static_cast<std::uint64_t>(made));
    EXPECT_EQ(each, std::vector<std::uint64_t>(each.size(), each.front()));
    EXPECT_FALSE(f.root().contains(name(made)));
    faults.stop();
    for (const int end = made + 50; made < end; ++made) f.root().create_group(name(made));
    f.close();
    barrier();
    const File again = File::open(file);
    expect_made(again.root(), 60);
    EXPECT_EQ(again.root().link_count(), static_cast<std::size_t>(made));
    barrier();
  }
}

TEST_F(MetadataBudgetTest, ARankThatCallsSomethingElseIsNamed) {
  if (size() == 1) return;
  File file = File::create(path(), world_, kOptions);
  Dataset data = create_int32(file.root(), "data", 8);
  file.flush();
  const std::vector<std::int32_t> none;
  const Error error = same_error([&] {
    if (rank() == last())
      data.write_all(none, nothing());
    else
      for (int i = 0; i < 1000; ++i) file.root().create_group(name(i));
  });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  const std::string text = error.what();
  EXPECT_NE(text.find("metadata_budget"), std::string::npos) << text;
  EXPECT_NE(text.find("write_all"), std::string::npos) << text;
  EXPECT_THROW(file.close(), Error);
}

TEST_F(MetadataBudgetTest, NoFlushInsideIndependent) {
  File file = File::create(path(), world_, kOptions);
  file.flush();
  const IoStats inside = counts(file, [&] {
    const auto alone = file.independent();
    for (int i = 0; i < 500; ++i)
      file.root().create_group("of rank " + std::to_string(rank()) + "/" + name(i));
  });
  EXPECT_EQ(inside.collectives, 0U);
  EXPECT_EQ(inside.writes, 0U);
  file.flush();
  EXPECT_LT(file.metadata_report().objects_in_memory, 100U);
  for (int of = 0; of < size(); ++of)
    EXPECT_EQ(file.root().open_group("of rank " + std::to_string(of)).link_count(), 500U);
  file.close();
}

TEST_F(MetadataBudgetTest, BesideCallsThatAreBegun) {
  File file = File::create(path(), world_, kOptions);
  Dataset data = create_int32(file.root(), "data", 700);
  const Hyperslab mine = my_share(700);
  const std::vector<std::int32_t> values = count_up(mine);
  for (int i = 0; i < 40; ++i) {
    Pending pending = data.write_all_async(std::as_bytes(std::span(values)), mine);
    make(file.root(), i);
    pending.wait();
  }
  Pending flushed = file.flush_async();
  Pending written = file.root()
                        .open_dataset(name(0) + "/long")
                        .write_all_async(std::span<const std::byte>(), nothing());
  flushed.wait();
  written.wait();
  EXPECT_EQ(data.read<std::int32_t>(), count_up(700));
  file.close();
  barrier();
  expect_made(File::open(path()).root(), 40);
}

}  // namespace
}  // namespace onecast::test
