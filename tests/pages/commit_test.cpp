#include "pages/commit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "comm/self_communicator.hpp"
#include "pages/boot_page.hpp"
#include "support/disk.hpp"
#include "support/page_ledger.hpp"
#include "support/pattern.hpp"
#include "support/played_communicator.hpp"
#include "support/thrown_by.hpp"

namespace onecast::pages {
namespace {

using test::IoCall;
using test::PlayedCommunicator;
using test::thrown_by;

using test::kPage;

class CommitTest : public testing::Test {
 protected:
  static constexpr const char* kName = "a.h5";

  void SetUp() override {
    transport_ = disk_.factory()(kName, OpenMode::create);
    store_ = MetadataStore::empty(*transport_, kName, node_k_of_new(2));
  }

  /// Prepares a commit of these pages, each filled with `value`, in a file of `end` bytes.
  void commit(const std::vector<std::uint64_t>& pages, int value, std::uint64_t end,
              const CommitOptions& options = {}) {
    SelfCommunicator self;
    commit_on(self, pages, value, end, options);
  }
  void commit_on(CommunicatorBackend& comm, const std::vector<std::uint64_t>& pages, int value,
                 std::uint64_t end, const CommitOptions& options) {
    Commit commit(*store_, kPage, options);
    for (const std::uint64_t page : pages) commit.touch({page * kPage}, kPage);
    commit.prepare(known_end_);
    for (const std::uint64_t page : pages) {
      const auto bytes = commit.at({page * kPage}, kPage);
      std::fill(bytes.begin(), bytes.end(), std::byte(value));
    }
    write(comm, commit, end);
    commit.apply();
    known_end_ = end;
  }
  void write(CommunicatorBackend& comm, Commit& commit, std::uint64_t end) {
    try {
      commit.protect(comm, *transport_, journal_);
      commit.write(comm, *transport_, known_end_, end);
    } catch (const Error&) {
      put_back_ = commit.put_back(comm, *transport_);
      throw;
    }
  }
  [[nodiscard]] int stored(std::uint64_t page) const {
    return std::to_integer<int>(disk_.bytes(kName)[static_cast<std::size_t>(page * kPage)]);
  }
  static IoCall write(std::uint64_t page, std::uint64_t count) {
    return {IoCall::Kind::write, page * kPage, count * kPage};
  }
  /// Returns the write of the journal for a flush that changes this many existing blocks, in
  /// addition to the first 512 bytes.
  static IoCall journal(std::uint64_t blocks) {
    return {IoCall::Kind::write, 0, 28 + 512 + blocks * (16 + 512)};
  }
  /// Returns the write of the first pages of a new file, without the start of page 0.
  static IoCall behind_boot(std::uint64_t pages) {
    return {IoCall::Kind::write, kBootSize, pages * kPage - kBootSize};
  }
  static constexpr IoCall kBoot{IoCall::Kind::write, 0, kBootSize};
  static constexpr IoCall kMark{IoCall::Kind::write, 8, 1};

  test::Disk disk_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<MetadataStore> store_;
  JournalFile journal_{disk_.factory(), kName};
  std::uint64_t known_end_ = 0;
  bool put_back_ = false;
};

TEST_F(CommitTest, EveryPageOnceNeighboursTogetherPageZeroLast) {
  commit({0, 1, 2, 5, 6, 9}, 1, 10 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{behind_boot(3), write(5, 2), write(9, 1), kBoot}));
  EXPECT_EQ(disk_.bytes(kName).size(), 10 * kPage);
}

TEST_F(CommitTest, TouchingTwiceWritesOnce) {
  Commit commit(*store_, kPage);
  commit.touch({3 * kPage + 4000}, 200);  // spans pages 3 and 4
  commit.touch({3 * kPage}, 10);
  commit.touch({0}, 512);
  commit.touch({4 * kPage}, kPage);
  commit.touch({4 * kPage + 1}, 0);
  commit.prepare(0);
  const auto across = commit.at({3 * kPage + 4000}, 200);
  std::fill(across.begin(), across.end(), std::byte{9});
  SelfCommunicator self;
  write(self, commit, 5 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{behind_boot(1), write(3, 2), kBoot}));
  EXPECT_EQ(std::count(disk_.bytes(kName).begin(), disk_.bytes(kName).end(), std::byte{9}), 200);
  EXPECT_EQ(std::count(disk_.bytes(kName).begin(), disk_.bytes(kName).end(), std::byte{0}),
            static_cast<std::ptrdiff_t>(5 * kPage - 200));
}

TEST_F(CommitTest, OneByteMakesTheFileAsLongAsItsEnd) {
  commit({0, 1}, 1, 8 * kPage);
  EXPECT_EQ(disk_.trace(),
            (test::IoTrace{behind_boot(2), {IoCall::Kind::write, 8 * kPage - 1, 1}, kBoot}));
  EXPECT_EQ(disk_.bytes(kName).size(), 8 * kPage);
  disk_.trace().clear();
  commit({0}, 2, 8 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{journal(8), write(0, 1)})) << "it is so long already";
}

TEST_F(CommitTest, KeepsWhatWasInAPage) {
  commit({0, 1}, 7, 2 * kPage);
  Commit second(*store_, kPage);
  second.touch({0}, 8);
  second.touch({kPage + 100}, 8);
  second.prepare(2 * kPage);
  std::fill_n(second.at({kPage + 100}, 8).begin(), 8, std::byte{9});
  // Nothing has changed so far.
  EXPECT_EQ(std::to_integer<int>(store_->view({kPage + 100}, 1, "t")[0]), 7);
  SelfCommunicator self;
  disk_.trace().clear();
  write(self, second, 2 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{journal(2), write(1, 1)})) << "page 0 did not change";
  EXPECT_EQ(std::to_integer<int>(store_->view({kPage + 100}, 1, "t")[0]), 7);
  const ByteView before = store_->view({kPage}, kPage, "t");
  second.apply();
  EXPECT_EQ(std::to_integer<int>(before[100]), 9) << "views see the new bytes";
  EXPECT_EQ(std::count(before.begin(), before.end(), std::byte{7}),
            static_cast<std::ptrdiff_t>(kPage - 8));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), disk_.bytes(kName).begin() + kPage));
}

TEST_F(CommitTest, AFileBehindAUserBlockIsWrittenThere) {
  test::Disk disk;
  File file = disk.create(kName);
  file.close();
  disk.bytes(kName).insert(disk.bytes(kName).begin(), 512, std::byte{'#'});
  disk.trace().clear();
  file = disk.open(kName, Access::read_write);
  file.root().set_attribute("a", 1);
  file.close();
  ASSERT_EQ(disk.writes().size(), 2U) << "the journal, and page 0";
  EXPECT_EQ(disk.writes().back(), (IoCall{IoCall::Kind::write, 512, kPage}));
  EXPECT_EQ(disk.open(kName).root().attribute("a").read<int>(), std::vector<int>{1});
}

TEST_F(CommitTest, StripesAreDealtToRanks) {
  CommitOptions options;
  options.stripe_size = 2 * kPage;
  options.single_writer_stripes = 2;
  const std::vector<std::uint64_t> pages{0, 1, 2, 3, 4, 5, 6, 7, 12};
  std::map<std::uint64_t, int> writes_of_page;
  for (int rank = 0; rank < 3; ++rank) {
    disk_.trace().clear();
    PlayedCommunicator comm(rank, 3);
    known_end_ = 0;
    commit_on(comm, pages, 3, 13 * kPage, options);
    for (const IoCall& call : disk_.writes()) {
      const std::uint64_t stripe = call.offset / options.stripe_size;
      EXPECT_EQ((call.offset + call.size - 1) / options.stripe_size, stripe);
      if (call.offset != 0) {
        EXPECT_EQ(stripe % 3, static_cast<std::uint64_t>(rank));
      }
      // The start of page 0 is a write of its own.
      for (std::uint64_t p = call.offset / kPage; p < (call.offset + call.size) / kPage; ++p)
        ++writes_of_page[p];
    }
    if (rank == 0) {
      EXPECT_EQ(disk_.writes().back(), kBoot);
    }
  }
  for (const std::uint64_t page : pages) EXPECT_EQ(writes_of_page[page], 1) << page;
  EXPECT_EQ(writes_of_page.size(), pages.size());
}

TEST_F(CommitTest, APageHasOneWriterEvenWhereStripesAreSmaller) {
  CommitOptions options;
  options.stripe_size = 512;
  options.single_writer_stripes = 0;
  for (int rank = 0; rank < 2; ++rank) {
    disk_.trace().clear();
    PlayedCommunicator comm(rank, 2);
    known_end_ = 0;
    commit_on(comm, {0, 1, 2, 3, 4}, 3, 5 * kPage, options);
    const test::IoTrace of_zero{behind_boot(1), write(2, 1), write(4, 1), kBoot};
    const test::IoTrace of_one{write(1, 1), write(3, 1)};
    EXPECT_EQ(disk_.writes(), rank == 0 ? of_zero : of_one);
  }
}

TEST_F(CommitTest, StripesAreWrittenByTheirOwners) {
  const OwnerMap owners({kPage, 3, StripeLayout::Source::lustre}, {0, 0, 1});
  CommitOptions options;
  options.stripe_size = owners.stripe_size();
  options.single_writer_stripes = 0;
  options.owners = &owners;
  std::set<std::uint64_t> written;
  for (int rank = 0; rank < 3; ++rank) {
    disk_.trace().clear();
    PlayedCommunicator comm(rank, 3);
    known_end_ = 0;
    commit_on(comm, {0, 1, 2, 5, 6}, 3, 7 * kPage, options);
    for (const IoCall& call : disk_.writes()) {
      const std::uint64_t stripe = call.offset / options.stripe_size;
      EXPECT_EQ((call.offset + call.size - 1) / options.stripe_size, stripe);
      EXPECT_EQ(owners.rank_of(owners.owner(stripe)), rank);
      written.insert(stripe);
    }
  }
  EXPECT_EQ(written, (std::set<std::uint64_t>{0, 1, 2, 5, 6}));
}

/// This rank may write raw data there, so rank 0 would revoke its lock.
TEST_F(CommitTest, TheOwnerOfTheLastStripeMakesTheFileLongEnough) {
  const OwnerMap owners({kPage, 3, StripeLayout::Source::lustre}, {0, 0, 1});
  CommitOptions options;
  options.stripe_size = owners.stripe_size();
  options.owners = &owners;
  constexpr std::uint64_t kStripe = 5;  // belongs to the third target
  for (const int rank : {1, 2, 0}) {
    disk_.trace().clear();
    PlayedCommunicator comm(rank, 3);
    known_end_ = 0;
    commit_on(comm, {0, 1}, 3, (kStripe + 1) * kPage, options);
    const bool is_owner = owners.rank_of(owners.owner(kStripe)) == rank;
    const auto reaches = std::ranges::count_if(disk_.writes(), [&](const IoCall& call) {
      return call.offset + call.size == (kStripe + 1) * kPage;
    });
    EXPECT_EQ(reaches, is_owner ? 1 : 0) << rank;
  }
}

TEST_F(CommitTest, ReusedPagesWereNotThere) {
  commit({0, 1, 4}, 1, 5 * kPage);
  disk_.trace().clear();
  Commit commit(*store_, kPage);
  for (const std::uint64_t page : {0U, 1U, 2U, 3U, 4U}) commit.touch({page * kPage}, kPage);
  commit.prepare(known_end_, {2, 3});
  for (const std::uint64_t page : {0U, 1U, 2U, 3U, 4U}) {
    const auto bytes = commit.at({page * kPage}, kPage);
    EXPECT_EQ(std::to_integer<int>(bytes[0]), page == 2 || page == 3 ? 0 : 1);
    std::fill(bytes.begin(), bytes.end(), std::byte{2});
  }
  SelfCommunicator self;
  write(self, commit, known_end_);
  // The journal has the three old pages. The new pages are written together with the first of them.
  EXPECT_EQ(disk_.trace(),
            (test::IoTrace{journal(24), kMark, write(1, 3), write(4, 1), write(0, 1)}));
  commit.apply();
  for (const std::uint64_t page : {0U, 1U, 2U, 3U, 4U}) EXPECT_EQ(stored(page), 2);
}

TEST_F(CommitTest, FewStripesAreWrittenByOneRank) {
  CommitOptions options;
  options.stripe_size = kPage;
  options.single_writer_stripes = 5;
  PlayedCommunicator one(1, 2);
  commit_on(one, {0, 1, 2, 3, 4}, 3, 5 * kPage, options);
  EXPECT_TRUE(disk_.writes().empty());
  known_end_ = 0;
  PlayedCommunicator zero(0, 2);
  commit_on(zero, {0, 1, 2, 3, 4}, 3, 5 * kPage, options);
  EXPECT_EQ(disk_.writes(), (test::IoTrace{behind_boot(5), kBoot}));
}

TEST_F(CommitTest, DurableSyncsEachStepBeforeTheNext) {
  CommitOptions options;
  options.durable = true;
  commit({0, 1}, 1, 4 * kPage, options);
  const IoCall sync{IoCall::Kind::sync};
  EXPECT_EQ(
      disk_.trace(),
      (test::IoTrace{behind_boot(2), sync, {IoCall::Kind::write, 4 * kPage - 1, 1}, kBoot, sync}));
  disk_.trace().clear();
  commit({0, 1}, 2, 4 * kPage, options);
  // The calls are for the journal, its name, the mark, the pages, page 0.
  EXPECT_EQ(disk_.trace(), (test::IoTrace{journal(16), sync, sync, kMark, sync, write(1, 1), sync,
                                          write(0, 1), sync}));
}

TEST_F(CommitTest, PagesThatWereThereAreJournaledFirst) {
  commit({0, 1, 2, 5}, 1, 6 * kPage);
  disk_.trace().clear();
  commit({0, 7}, 2, 8 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{journal(8), write(7, 1), write(0, 1)}))
      << "nobody sees new pages before page 0 is there: no mark";
  disk_.trace().clear();
  commit({0, 1, 2, 5, 8}, 3, 9 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{journal(32), kMark, write(1, 2), write(5, 1), write(8, 1),
                                          write(0, 1)}));
  disk_.trace().clear();
  commit({0, 1, 5}, 3, 9 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{write(1, 1), write(5, 1)})) << "as it was";
}

TEST_F(CommitTest, WithoutChangesOfPageZeroTheMarkIsTakenBack) {
  commit({0, 1, 5}, 1, 6 * kPage);
  disk_.trace().clear();
  Commit commit(*store_, kPage);
  commit.touch({0}, 8);
  for (const std::uint64_t page : {1U, 5U}) commit.touch({page * kPage}, kPage);
  commit.prepare(known_end_);
  for (const std::uint64_t page : {1U, 5U}) commit.at({page * kPage}, 1)[0] = std::byte{7};
  SelfCommunicator self;
  write(self, commit, 6 * kPage);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{journal(3), kMark, write(1, 1), write(5, 1), kMark}));
  EXPECT_EQ(std::to_integer<int>(disk_.bytes(kName)[8]), 1);
}

TEST_F(CommitTest, InANewFileTheSuperblockIsLastAlsoWithinItsPage) {
  constexpr std::uint64_t kLarge = 4 * kPage;
  Commit commit(*store_, kLarge);
  commit.touch({0}, kLarge);
  commit.prepare(0);
  SelfCommunicator self;
  write(self, commit, kLarge);
  EXPECT_EQ(disk_.trace(), (test::IoTrace{behind_boot(4), kBoot}));
}

TEST_F(CommitTest, AFailurePutsBackWhatWasThere) {
  commit({0, 1, 2, 5}, 1, 6 * kPage);
  const auto before = disk_.bytes(kName);
  for (std::uint64_t call = 1; call <= 6; ++call) {
    disk_.faults().writes = 0;
    disk_.faults().faults = {{.call = test::FaultPlan::Call::write,
                              .first = call,
                              .error = ENOSPC,
                              .written_before = 100}};
    const Error error = thrown_by([&] { commit({0, 1, 2, 5, 7}, 2, 8 * kPage); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(error.system_errno(), ENOSPC);
    EXPECT_TRUE(put_back_);
    for (const std::uint64_t page : {0U, 1U, 2U, 5U}) EXPECT_EQ(stored(page), 1) << "call " << call;
    EXPECT_EQ(std::to_integer<int>(store_->view({0}, 1, "t")[0]), 1);
  }
  disk_.faults().faults.clear();
  commit({0, 1, 2, 5, 7}, 2, 8 * kPage);
  for (const std::uint64_t page : {0U, 1U, 2U, 5U, 7U}) EXPECT_EQ(stored(page), 2);
}

}  // namespace
}  // namespace onecast::pages
