// Exact counts of each rank's calls to the file system and to MPI
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"
#include "pages/boot_page.hpp"
#include "parallel_test.hpp"
#include "support/trace_transport.hpp"

namespace onecast::test {

using namespace files;
namespace {

class CountsTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kPage = 4096;

  static void fill(Group root) {
    for (int b = 0; b < 10; ++b) {
      Group base = root.create_group("base " + std::to_string(b));
      for (int z = 0; z < 20; ++z) {
        Group zone = base.create_group("zone " + std::to_string(z));
        zone.set_attribute("label", "Zone_t");
        zone.create_dataset("data", {9}, count_up(9, z));
      }
    }
  }
  static void visit(const Group& group) {
    for (const Attribute& a : group.attributes()) static_cast<void>(a.bytes());
    for (const Link& link : group.links())
      if (group.kind_of(link) == ObjectKind::group)
        visit(group.open_group(link));
      else
        static_cast<void>(group.open_dataset(link).read<std::int32_t>());
  }

  struct Write {
    std::uint64_t rank;
    std::uint64_t offset;
    std::uint64_t size;
  };
  /// Creates the file and returns the writes of all ranks, ordered by offset.
  std::vector<Write> writes_of_create(const FileOptions& options) const {
    const auto trace = std::make_shared<IoTrace>();
    File file = create(path(), options, trace_factory(posix_factory(), trace));
    fill(file.root());
    file.close();
    EXPECT_EQ(file.io_stats().syncs, 0U);
    std::string mine;
    for (const IoCall& call : *trace) {
      EXPECT_EQ(call.kind, IoCall::Kind::write);
      mine += std::to_string(call.offset) + " " + std::to_string(call.size) + " ";
    }
    std::vector<Write> all;
    const auto texts = everyones(mine);
    for (std::size_t r = 0; r < texts.size(); ++r) {
      std::istringstream in(texts[r]);
      for (std::uint64_t offset = 0, size = 0; in >> offset >> size;)
        all.push_back({r, offset, size});
    }
    std::sort(all.begin(), all.end(),
              [](const Write& a, const Write& b) { return a.offset < b.offset; });
    return all;
  }
  /// Expects whole pages, each written once.
  void expect_each_page_once(const std::vector<Write>& writes) const {
    std::uint64_t end = 0;
    for (const Write& w : writes) {
      EXPECT_EQ(w.offset, end) << "pages that hold metadata follow each other in this file";
      end = w.offset + w.size;
      if (w.offset == 0)
        EXPECT_EQ(end, kBootSize) << "the superblock comes last, by itself";
      else
        EXPECT_EQ(end % kPage, 0U);
    }
    EXPECT_EQ(end, contents(path()).size());
  }
};

TEST_F(CountsTest, OneRankWritesAFileInTwoCalls) {
  const auto writes = writes_of_create({.page_size = kPage});
  expect_each_page_once(writes);
  ASSERT_EQ(writes.size(), 2U) << "the superblock, and all else together";
  for (const Write& w : writes) EXPECT_EQ(w.rank, 0U);
}

TEST_F(CountsTest, EachStripeHasOneWriter) {
  if (size() == 1) GTEST_SKIP() << "one rank writes all there is in one call";
  constexpr std::uint64_t kStripe = 4 * kPage;
  const auto writes =
      writes_of_create({.stripe_size = kStripe, .page_size = kPage, .single_writer_stripes = 2});
  expect_each_page_once(writes);
  std::map<std::uint64_t, std::set<std::uint64_t>> writers;
  std::set<std::uint64_t> busy;
  for (const Write& w : writes) {
    EXPECT_EQ(w.offset / kStripe, (w.offset + w.size - 1) / kStripe) << "no call crosses stripes";
    writers[w.offset / kStripe].insert(w.rank);
    busy.insert(w.rank);
  }
  for (const auto& [stripe, ranks] : writers) EXPECT_EQ(ranks.size(), 1U) << "stripe " << stripe;
  EXPECT_EQ(writes.size(), writers.size() + 1)
      << "one call per stripe, and the superblock by itself";
  const std::size_t most = std::min<std::size_t>(4, static_cast<std::size_t>(size()));
  EXPECT_EQ(busy.size(), std::min(most, writers.size()));
}

TEST_F(CountsTest, FewCollectivesHoweverMuchIsCreated) {
  File file = File::create(path(), world_);
  fill(file.root());
  EXPECT_LE(file.io_stats().collectives, 2U) << "creating objects does not communicate";
  const std::uint64_t before = file.io_stats().collectives;
  file.flush();
  EXPECT_LE(file.io_stats().collectives - before, 4U);
  file.close();
  if (rank() != 0) {
    EXPECT_EQ(file.io_stats().opens + file.io_stats().writes, 0U);
  }
}

TEST_F(CountsTest, OneRankReadsForAll) {
  for (const std::uint64_t page_size : {kPage, std::uint64_t{1} << 20U}) {
    File made = File::create(path(), world_, {.page_size = page_size});
    fill(made.root());
    made.flush();
    // Raw data between the metadata pages splits them into several runs.
    for (int i = 0; i < 3; ++i) {
      create_int32(made.root(), "large " + std::to_string(i), page_size);
      for (int g = 0; g < 200; ++g)
        made.root().create_group("more " + std::to_string(i) + "/" + std::to_string(g));
      made.flush();
    }
    made.close();

    File file = File::open(path(), Access::read_only, world_);
    const IoStats opened = file.io_stats();
    const std::uint64_t runs = file.metadata_report().page_runs;
    if (page_size == kPage) {
      EXPECT_GT(runs, 1U);
    }
    EXPECT_EQ(opened.opens, rank() == 0 ? 1U : 0U);
    EXPECT_LE(opened.reads, rank() == 0 ? 1 + runs : 0U);
    EXPECT_LE(opened.collectives, 5U);
    visit(file.root().open_group("base 3"));
    visit(file.root().open_group("more 2"));
    EXPECT_EQ(file.io_stats(), opened) << "reading metadata costs nothing";
    file.close();
    EXPECT_EQ(file.io_stats(), opened) << "nor does closing";
    barrier();
  }
}

TEST_F(CountsTest, AnUnmodifiedFileIsNotWritten) {
  File made = File::create(path(), world_);
  fill(made.root());
  made.close();
  const std::string before = contents(path());
  File file = File::open(path(), Access::read_write, world_);
  visit(file.root());
  file.flush();
  file.close();
  EXPECT_EQ(file.io_stats().writes, 0U);
  EXPECT_EQ(file.io_stats().syncs, 0U);
  EXPECT_EQ(file.io_stats().opens, rank() == 0 ? 1U : 0U);
  EXPECT_TRUE(contents(path()) == before);
}

TEST_F(CountsTest, DurableFlushesSyncWhoWrote) {
  const FileOptions options{.durable = true, .page_size = kPage};
  File file = File::create(path(), world_, options);
  Dataset x = create_int32(file.root(), "x", 10'000);
  file.flush();
  const std::uint64_t before = file.io_stats().syncs;
  EXPECT_EQ(before, rank() == 0 ? 2U : 0U) << "once before the superblock, once after";
  const Hyperslab mine = my_share(10'000);
  x.write(count_up(mine), mine);
  file.flush();
  EXPECT_EQ(file.io_stats().syncs, before + 1) << "raw data alone";
  file.flush();
  EXPECT_EQ(file.io_stats().syncs, before + 1) << "nothing new";
  file.close();
}

// A long page list does not fit into the superblock's page.
TEST_F(CountsTest, ALongPageListIsReadOnce) {
  File made = File::create(path(), world_, {.page_size = kPage});
  for (int i = 0; i < 100; ++i) {
    create_int32(made.root(), "large " + std::to_string(i), 2 * kPage);
    for (int g = 0; g < 20; ++g)
      made.root().create_group(std::to_string(i) + "/" + std::to_string(g));
    made.flush();
  }
  for (int i = 0; i < 100; i += 2) made.root().remove("large " + std::to_string(i));
  made.close();
  for (const LoadPolicy policy : {LoadPolicy::automatic, LoadPolicy::lazy}) {
    File file = File::open(path(), Access::read_only, world_, {.load_policy = policy});
    const auto& list = file_of(ObjectAccess::node(file.root())).store().page_list();
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->message.runs_in_block());
    EXPECT_GT(list->free.size(), 24U);
    if (rank() != 0) {
      EXPECT_EQ(file.io_stats().opens, 0U);
    }
    file.close();
  }
  // Beyond the budget, each rank reads what it looks up.
  for (const std::uint64_t budget : {std::uint64_t{0}, kPage, 10 * kPage}) {
    File file = File::open(path(), Access::read_only, world_, {.metadata_budget = budget});
    EXPECT_FALSE(file.metadata_report().complete);
    if (rank() != 0) {
      EXPECT_EQ(file.io_stats().reads, 0U);
    }
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(file.root().open_group(std::to_string(i)).link_count(), 20U);
    file.close();
  }
}

}  // namespace
}  // namespace onecast::test
