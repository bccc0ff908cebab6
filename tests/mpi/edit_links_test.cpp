// Links change while independent writes wait for the flush.
#include "onecast/objects/details.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class EditLinksTest : public ParallelTest {
 protected:
  /// Creates a file with "a/data" and "a/other", compact, with one element for each rank.
  File make() {
    File file = File::create(path(), world_);
    for (const char* name : {"a/data", "a/other"})
      file.root().create_dataset(name, {ranks()}, std::vector<int>(ranks(), -1));
    return file;
  }
  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(size()); }
  void write_mine(Dataset data) const {
    const auto mine = static_cast<std::uint64_t>(rank());
    data.write(std::vector<int>{rank()}, Hyperslab{{mine}, {1}});
  }
  void expect_all(const std::string& where) const {
    std::vector<int> all(ranks());
    for (int r = 0; r < size(); ++r) all[static_cast<std::size_t>(r)] = r;
    const File file = File::open(path(), Access::read_only, world_);
    EXPECT_EQ(file.root().open_dataset(where).read<int>(), all);
  }
};

TEST_F(EditLinksTest, WhatWasWrittenMovesWithItsDataset) {
  for (const bool flushed : {false, true}) {
    File file = make();
    if (flushed) file.flush();
    write_mine(file.root().open_dataset("a/data"));
    file.root().move("a", "b");
    file.root().move("b/data", "c/renamed");
    file.close();
    expect_all("c/renamed");
  }
}

TEST_F(EditLinksTest, WhatWasWrittenStaysIfAnotherLinkLeadsThere) {
  for (const bool flushed : {false, true}) {
    File file = make();
    file.root().create_hard_link("again", file.root().open_object("a/data"));
    if (flushed) file.flush();
    write_mine(file.root().open_dataset("a/data"));
    file.root().remove("a");
    file.close();
    expect_all("again");
  }
}

TEST_F(EditLinksTest, ANewDatasetOfTheSameNameHasNoneOfIt) {
  File file = make();
  write_mine(file.root().open_dataset("a/data"));
  file.root().remove("a/data");
  file.root().create_dataset("a/data", {2}, std::vector<int>{5, 6});
  file.close();
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(found.root().open_dataset("a/data").read<int>(), (std::vector<int>{5, 6}));
}

TEST_F(EditLinksTest, RanksThatMoveToOtherPlacesHearOfIt) {
  File file = make();
  file.flush();
  if (size() == 1) return;
  file.root().move("a/data", rank() == last() ? "b" : "c");
  try {
    file.flush();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    EXPECT_NE(std::string(error.what()).find("move"), std::string::npos) << error.what();
  }
  EXPECT_THROW(file.close(), Error);
  const File found = File::open(path(), Access::read_only, world_);
  EXPECT_TRUE(found.root().contains("a/data"));
}

}  // namespace
}  // namespace onecast::test
