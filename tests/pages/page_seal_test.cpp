#include "pages/page_seal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "support/disk.hpp"
#include "support/file_name.hpp"
#include "support/file_states.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace files;

namespace {

using test::open_state;
using test::thrown_by;

using test::kName;

TEST(PageSeal, BelongsToTheBytesAndTheirPlace) {
  std::vector<std::byte> bytes(4096, std::byte{1});
  EXPECT_FALSE(is_sealed({4096}, bytes));
  seal_page({4096}, bytes);
  EXPECT_TRUE(is_sealed({4096}, bytes));
  EXPECT_FALSE(is_sealed({8192}, bytes));
  for (const std::size_t at : {0U, 1000U, 4087U, 4088U, 4095U}) {
    bytes[at] ^= std::byte{8};
    EXPECT_FALSE(is_sealed({4096}, bytes)) << at;
    bytes[at] ^= std::byte{8};
  }
}

class PageSealTest : public testing::Test {
 protected:
  void SetUp() override {
    FileOptions options;
    options.page_size = 4096;
    File file = disk_.create(kName, options);
    for (int i = 0; i < 100; ++i) add_group(file, i);
    file.close();
  }

  static void add_group(File& file, int i) {
    file.root().create_group(fmt::format("group{}", i)).set_attribute("number", i);
  }
  std::shared_ptr<FileState> open(const FileOptions& options = {}) {
    return open_state(kName, Access::read_only, Communicator(), options, disk_.factory());
  }
  static bool is_verified(FileState& file, Node& node) {
    return file.structures().is_verified(node.address, node.header.first.size);
  }
  static std::size_t count_verified(FileState& file) {
    std::size_t verified = 0;
    for (LinkEntry& e : file.root().links().entries)
      verified += is_verified(file, *follow_link(file.root(), e)) ? 1U : 0U;
    return verified;
  }

  test::Disk disk_;
};

TEST_F(PageSealTest, IsKeptByEveryFlush) {
  EXPECT_EQ(count_verified(*open()), 100U);
  for (int round = 0; round < 3; ++round) {
    File file = disk_.open(kName, Access::read_write);
    file.root().open_group("group3").set_attribute("number", 100 * round);
    file.flush();
    EXPECT_EQ(count_verified(*open()), file.root().link_count());
    // The file has dense links and attributes, raw data between metadata pages, and a page list in
    // a block.
    for (int i = 0; i < 300; ++i) {
      add_group(file, 1000 * (round + 1) + i);
      file.root().open_group("group5").set_attribute(fmt::format("{} {}", round, i), i);
      if (i % 5 == 0)
        file.root().create_dataset(fmt::format("data {} {}", round, i), {2000},
                                   std::vector<int>(2000, i));
    }
    file.root().remove(fmt::format("group{}", round));
    file.close();
    EXPECT_EQ(count_verified(*open()), disk_.open(kName).root().link_count());
  }
}

TEST_F(PageSealTest, AnObjectThatTakesItsPageWholeIsNotOverwritten) {
  for (std::size_t size = 4020; size <= 4096; size += 4) {
    File file = disk_.open(kName, Access::read_write);
    const std::string name = fmt::format("data{}", size);
    const std::vector<std::uint8_t> values(size, 7);
    DatasetOptions options;
    options.layout = Layout::compact;
    file.root().create_dataset(name, {.type = Datatype::of<std::uint8_t>(),
                                      .space = Dataspace({size}),
                                      .data = std::as_bytes(std::span(values)),
                                      .options = options});
    file.close();
    EXPECT_EQ(disk_.open(kName).root().open_dataset(name).read<std::uint8_t>(), values);
  }
}

TEST_F(PageSealTest, OneDamagedByteIsFoundWhereItIs) {
  Address damaged;
  {
    const auto file = open();
    damaged = find_object(file->root(), "group17")->address;
  }
  disk_.bytes(kName)[damaged.value + 20] ^= std::byte{4};
  EXPECT_LT(damaged.value, disk_.bytes(kName).size());
  const File file = disk_.open(kName);
  const Error error = thrown_by([&] { static_cast<void>(file.root().open_group("group17")); });
  EXPECT_EQ(error.code(), ErrorCode::format);
  EXPECT_NE(std::string(error.what()).find(fmt::format("address {:#x}", damaged.value)),
            std::string::npos)
      << error.what();
  EXPECT_NE(std::string(error.what()).find("Checksum"), std::string::npos) << error.what();
  EXPECT_EQ(file.root().open_group("group18").attribute("number").read<int>(),
            std::vector<int>{18});
}

FileOptions lazy() {
  FileOptions options;
  options.load_policy = LoadPolicy::lazy;
  return options;
}

TEST_F(PageSealTest, IsComparedWhereAnObjectIsLookedAtFirst) {
  const auto file = open(lazy());
  EXPECT_EQ(count_verified(*file), 100U);
  Node& group = *find_object(file->root(), "group3");
  EXPECT_FALSE(file->structures().is_verified(group.address, 4096));
  // A copy that is read anew may differ.
  disk_.bytes(kName)[(group.address.value / 4096 + 1) * 4096 - 1] ^= std::byte{1};
  EXPECT_TRUE(is_verified(*file, group));
  EXPECT_FALSE(is_verified(*open(lazy()), group));
}

TEST_F(PageSealTest, OneDamagedByteIsFoundOnDemandToo) {
  const Address damaged = find_object(open()->root(), "group17")->address;
  disk_.bytes(kName)[damaged.value + 20] ^= std::byte{4};
  const auto file = open(lazy());
  const Error error = thrown_by([&] { static_cast<void>(find_object(file->root(), "group17")); });
  EXPECT_NE(std::string(error.what()).find(fmt::format("address {:#x}", damaged.value)),
            std::string::npos)
      << error.what();
  EXPECT_NE(std::string(error.what()).find("Checksum"), std::string::npos) << error.what();
  EXPECT_NE(find_object(file->root(), "group18"), nullptr);
}

TEST_F(PageSealTest, OfALargePageIsNotComparedOnDemand) {
  FileOptions options;
  options.page_size = 128 << 10U;
  File made = disk_.create(kName, options);
  add_group(made, 0);
  made.close();
  const auto file = open(lazy());
  EXPECT_FALSE(is_verified(*file, *find_object(file->root(), "group0")));
}

TEST_F(PageSealTest, OnlyPagesThatWereBroughtWhole) {
  const auto whole = open();
  EXPECT_TRUE(whole->structures().is_verified({4096}, 4096));
  EXPECT_FALSE(whole->structures().is_verified({disk_.bytes(kName).size() - 8}, 16));
}

TEST_F(PageSealTest, FilesWithoutSealsStaySo) {
  const std::size_t end = disk_.bytes(kName).size();
  for (std::size_t page = 4096; page <= end; page += 4096)
    disk_.bytes(kName)[page - 1] ^= std::byte{1};
  EXPECT_EQ(count_verified(*open()), 0U);
  File file = disk_.open(kName, Access::read_write);
  for (int i = 0; i < 100; ++i) {
    file.root().open_group(fmt::format("group{}", i)).set_attribute("number", -i);
    add_group(file, 100 + i);
  }
  file.close();
  const auto state = open();
  EXPECT_FALSE(is_verified(*state, *find_object(state->root(), "group3")));
  EXPECT_TRUE(is_verified(*state, *find_object(state->root(), "group190")));
}

}  // namespace
}  // namespace onecast
