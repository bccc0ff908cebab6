// Small files are small on a communicator, too, and the metadata of large files lies in large runs.
#include <algorithm>
#include <filesystem>
#include <set>

#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"
#include "onecast/check/check.hpp"
#include "onecast/objects/details.hpp"
#include "parallel_test.hpp"

namespace onecast::test {

using namespace files;
namespace {

class SmallFilesTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kPage = 4096;
  static constexpr std::uint64_t kMost = 2 * kPage;

  [[nodiscard]] std::uint64_t size_of(const std::string& file) const {
    barrier();
    return std::filesystem::file_size(file);
  }
  /// Expects the file to be at most 8 KiB larger than its contents.
  void expect_small(const std::string& file, std::uint64_t more = kMost) const {
    const std::uint64_t bytes = size_of(file);
    const CheckReport report = check_file(file, {.data = true});
    EXPECT_LE(bytes, report.metadata_bytes + report.raw_data_bytes + more)
        << report.metadata_bytes << " bytes of metadata, " << report.raw_data_bytes << " of data";
    EXPECT_LT(bytes, 64U << 10U);
  }
  /// Writes about 10 kB of data: compact, contiguous, chunked.
  void fill(Group root) const {
    for (const char* name : {"one", "two"}) {
      Group group = root.create_group(name);
      group.set_attribute("label", "Zone_t");
      group.create_dataset("compact", {100}, count_up(100));
      Dataset x = create_int32(group, "contiguous", 1100);
      x.write_all(count_up(my_share(1100)), my_share(1100));
    }
    DatasetOptions chunked;
    chunked.chunk = {10};
    Dataset c = root.create_dataset(
        "chunked",
        {.type = Datatype::of<std::int32_t>(), .space = Dataspace({60}), .options = chunked});
    c.write_all(count_up(my_share(60)), my_share(60));
  }
  /// Writes raw data and a little metadata, many times.
  void write_steps(File& file, int steps, std::uint64_t elements) const {
    for (int i = 0; i < steps; ++i) {
      Group step = file.root().create_group("step " + std::to_string(i));
      step.set_attribute("label", "Zone_t");
      for (int z = 0; z < 4; ++z)
        step.create_dataset("x" + std::to_string(z), {100}, count_up(100));
      Dataset x = create_int32(step, "data", elements);
      x.write_all(count_up(my_share(elements), i), my_share(elements));
      file.flush();
    }
  }
};

TEST_F(SmallFilesTest, TenKilobytes) {
  const FileOptions on_stripes{.stripe_size = 1U << 20U, .stripe_count = 4};
  for (const FileOptions& options : {FileOptions{}, on_stripes}) {
    File file = File::create(path(), world_, options);
    file.flush();
    EXPECT_LE(size_of(path()), kMost) << "an empty file";
    barrier();
    fill(file.root());
    file.close();
    expect_small(path());
    barrier();
    // The file also stays small if it is opened repeatedly.
    for (int i = 0; i < 5; ++i) {
      file = File::open(path(), Access::read_write, world_, options);
      file.root().create_dataset("more " + std::to_string(i), {1100}, count_up(1100));
      file.close();
    }
    expect_small(path(), kMost + kPage);  // the rest of a page is too small for the next data
    barrier();
  }
}

TEST_F(SmallFilesTest, PiecesOfAPageOrMoreLieCloseTogether) {
  File file = File::create(path(), world_);
  for (int i = 0; i < 8; ++i)
    file.root().create_dataset("x" + std::to_string(i), {1300}, count_up(1300));
  file.close();
  expect_small(path());
}

// In a file of several stripes, each stripe except the first holds either metadata or raw data.
TEST_F(SmallFilesTest, StripesOfALargerFileHoldOneKind) {
  constexpr std::uint64_t kStripe = 64U << 10U;
  const FileOptions options{.stripe_size = kStripe, .stripe_count = 4};
  File file = File::create(path(), world_, options);
  write_steps(file, 40, 5000);
  const PageAllocator& allocator = file_of(ObjectAccess::node(file.root())).allocator();
  std::set<std::uint64_t> with_metadata;
  for (const MetadataPageRun& run : allocator.metadata_runs())
    for (std::uint64_t page = run.first_page; page < run.first_page + run.page_count; ++page)
      with_metadata.insert(page * allocator.page_size() / kStripe);
  EXPECT_GT(with_metadata.size(), 1U);
  with_metadata.erase(0);
  for (int i = 0; i < 40; ++i) {
    Dataset x = file.root().open_dataset("step " + std::to_string(i) + "/data");
    const std::uint64_t at = storage_of(x).address.value();
    for (const std::uint64_t byte : {at, at + 19'999})
      EXPECT_FALSE(with_metadata.contains(byte / kStripe)) << i;
  }
  file.close();
}

TEST_F(SmallFilesTest, MetadataOfALargeFileLiesInFewRuns) {
  constexpr int kSteps = 150;
  constexpr std::uint64_t kElements = 10'000;
  File file = File::create(path(), world_);
  write_steps(file, kSteps, kElements);
  file.close();
  const std::uint64_t bytes = size_of(path());
  const CheckReport report = check_file(path());
  const std::uint64_t contents = report.metadata_bytes + report.raw_data_bytes;
  EXPECT_LE(bytes, contents + contents / 16 + kMost);
  barrier();
  file = File::open(path(), Access::read_write, world_);
  const MetadataReport lies = file.metadata_report();
  EXPECT_LE(lies.page_runs, 40U) << "of " << kSteps << " flushes";
  if (rank() == 0) {
    EXPECT_LE(file.io_stats().reads, 16U);
  }
  // New metadata lies together.
  const IoStats flushed = counts(file, [&] {
    for (int i = 0; i < 500; ++i) {
      Group group = file.root().create_group("new/" + std::to_string(i));
      group.set_attribute("label", "Zone_t");
    }
    file.flush();
  });
  EXPECT_LE(flushed.writes, rank() == 0 ? 16U : 0U);
  file.close();
}

// The scattered pages of a stripe count as one stripe, with one writer.
TEST_F(SmallFilesTest, ManyChangedPagesOfFewStripesHaveOneWriter) {
  constexpr int kGroups = 4000;
  const auto name = [](int i) { return "g/" + std::to_string(i); };
  File file = File::create(path(), world_);
  for (int i = 0; i < kGroups; ++i) {
    Group group = file.root().create_group(name(i));
    group.set_attribute("number", i);
    group.set_attribute("label", "a text of some length, so that few groups fill a page");
  }
  file.flush();
  const IoStats flushed = counts(file, [&] {
    for (int i = 0; i < kGroups; i += 40)
      file.root().open_group(name(i)).set_attribute("number", 0);
    file.flush();
  });
  EXPECT_GE(flushed.writes, rank() == 0 ? 70U : 0U) << "or this tests nothing";
  if (rank() != 0) {
    EXPECT_EQ(flushed.writes, 0U);
  }
  file.close();
}

}  // namespace
}  // namespace onecast::test
