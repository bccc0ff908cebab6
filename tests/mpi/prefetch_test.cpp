// Prefetching brings metadata to all ranks: one rank reads, and afterwards nothing is read.
#include <filesystem>

#include "parallel_test.hpp"
#include "support/corpus.hpp"

namespace onecast::test {
namespace {

class PrefetchTest : public ParallelTest {
 protected:
  static inline const std::uint64_t kSmall = FileOptions{}.small_data_limit;

  struct Found {
    std::uint64_t objects = 0;
    std::uint64_t attributes = 0;
    std::uint64_t value_bytes = 0;
    bool operator==(const Found&) const = default;
  };
  static void visit(const Group& group, Found& found) {
    ++found.objects;
    attributes(group, found);
    for (const Link& link : group.links()) {
      if (link.kind != LinkKind::hard) continue;
      if (group.kind_of(link) == ObjectKind::group) {
        visit(group.open_group(link), found);
        continue;
      }
      const Dataset d = group.open_dataset(link);
      ++found.objects;
      attributes(d, found);
      if (d.element_count() * d.datatype().size() > kSmall) continue;  // not brought along
      std::vector<std::byte> bytes(d.element_count() * d.datatype().size());
      d.read(bytes);
      found.value_bytes += bytes.size();
    }
  }
  static void attributes(const Object& object, Found& found) {
    for (const Attribute& a : object.attributes()) {
      ++found.attributes;
      found.value_bytes += a.bytes().size();
    }
  }
  static Found all_of(const Group& group) {
    Found found;
    visit(group, found);
    return found;
  }

  /// Opens a file lazily, prefetches everything and visits it.
  void expect_free_after_prefetch(const std::string& name, std::uint64_t most_reads) const {
    const Found expected = all_of(File::open(name).root());
    File file = File::open(name, Access::read_only, world_, {.load_policy = LoadPolicy::lazy});
    expect_quiet(file);
    const std::uint64_t before = file.io_stats().collectives;
    file.prefetch_all();
    expect_quiet(file);
    EXPECT_LE(file.io_stats().collectives - before, 4U);
    EXPECT_LE(file.io_stats().reads, most_reads);
    const IoStats stats = file.io_stats();
    EXPECT_EQ(all_of(file.root()), expected);
    EXPECT_EQ(file.io_stats(), stats) << "everything is there";
    file.close();
  }
  void expect_quiet(const File& file) const {
    if (rank() == 0) return;
    EXPECT_EQ(file.io_stats().opens, 0U);
    EXPECT_EQ(file.io_stats().reads, 0U);
  }
};

TEST_F(PrefetchTest, OwnFile) {
  File made = File::create(path(), world_, {.page_size = 4096});
  for (int b = 0; b < 40; ++b)
    for (int z = 0; z < 40; ++z) {
      Group zone = made.root().create_group(std::to_string(b) + "/" + std::to_string(z));
      zone.set_attribute("label", "Zone_t");
      zone.create_dataset("data", {100}, count_up(100));
    }
  made.close();
  expect_free_after_prefetch(path(), 20);

  // Only a part is prefetched.
  File file = File::open(path(), Access::read_only, world_, {.load_policy = LoadPolicy::lazy});
  file.prefetch_all("/33");
  const IoStats stats = file.io_stats();
  expect_quiet(file);
  EXPECT_EQ(all_of(file.root().open_group("33")).objects, 81U);
  if (rank() != 0) {
    EXPECT_EQ(file.io_stats(), stats);
  }
  file.prefetch_all("/34", false);
  file.prefetch_all("/34", false);
  EXPECT_EQ(file.root().open_group("34").link_count(), 40U);
  file.prefetch_all();
  file.prefetch_all();
  EXPECT_EQ(all_of(file.root()).objects, 1U + 40 + 40 * 40 * 2);
}

TEST_F(PrefetchTest, ForeignFiles) {
  const auto folder = corpus_folder() / "cgns";
  if (!exists(folder)) GTEST_SKIP() << "no corpus at " << folder << " (set ONECAST_CORPUS)";
  expect_free_after_prefetch(folder / "shape-128x32-contiguous.h5", 100);
  expect_free_after_prefetch(folder / "blocks-128x32.cgns", 100);
}

TEST_F(PrefetchTest, ForeignFilesWithoutAsking) {
  const auto folder = corpus_folder() / "cgns";
  if (!exists(folder)) GTEST_SKIP() << "no corpus at " << folder << " (set ONECAST_CORPUS)";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    const Found expected = all_of(File::open(entry.path()).root());
    File file =
        File::open(entry.path(), Access::read_only, world_, {.load_policy = LoadPolicy::eager});
    EXPECT_LE(file.io_stats().collectives, 5U);
    const IoStats stats = file.io_stats();
    expect_quiet(file);
    EXPECT_EQ(all_of(file.root()), expected);
    EXPECT_EQ(file.io_stats(), stats);
  }
}

// In files that are changed, prefetched data must not hide new data.
TEST_F(PrefetchTest, OfAFileThatChanges) {
  File made = File::create(path(), world_, {.page_size = 4096});
  for (int b = 0; b < 100; ++b)
    made.root().create_group("group " + std::to_string(b % 10) + "/" + std::to_string(b));
  made.close();
  File file = File::open(path(), Access::read_write, world_, {.load_policy = LoadPolicy::lazy});
  file.prefetch_all("/group 1");
  file.root().open_group("group 1").create_dataset("new", {9}, count_up(9));
  file.prefetch_all();
  file.flush();
  file.prefetch_all();
  EXPECT_EQ(file.root().open_dataset("group 1/new").read<std::int32_t>(), count_up(9));
  // These changes go to the same pages again: each applies to the newest bytes.
  file.root().open_group("group 2").set_attribute("a", 1);
  file.flush();
  file.root().open_group("group 3").set_attribute("a", 1);
  file.prefetch_all();
  file.close();
  const Group root = File::open(path()).root();
  EXPECT_EQ(root.open_dataset("group 1/new").read<std::int32_t>(), count_up(9));
  for (const char* name : {"group 2", "group 3"})
    EXPECT_TRUE(root.open_group(name).has_attribute("a"));
  EXPECT_EQ(root.open_group("group 3").link_count(), 10U);
}

}  // namespace
}  // namespace onecast::test
