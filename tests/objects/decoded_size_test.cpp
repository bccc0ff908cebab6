#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/disk.hpp"
#include "support/file_name.hpp"

namespace onecast {
namespace {

using test::kName;

/// The memory for one of very many datasets with an attribute of which a program has looked at the
/// shape and the attribute.
TEST(DecodedSizeTest, OfADatasetWithAnAttribute) {
  constexpr int kDatasets = 5000;
  constexpr std::uint64_t kMost = 640;
  test::Disk disk;
  {
    File file = disk.create(kName);
    for (int i = 0; i < kDatasets; ++i)
      file.root()
          .create_dataset(fmt::format("group/dataset {}", i), {Datatype::of<int>(), Dataspace()})
          .set_attribute("number", i);
    file.close();
  }
  const File file = disk.open(kName, Access::read_only, {.load_policy = LoadPolicy::eager});
  const std::uint64_t before = file.metadata_report().memory_bytes;
  const Group group = file.root().open_group("group");
  for (const Link& link : group.links()) {
    const Dataset dataset = group.open_dataset(link);
    ASSERT_EQ(dataset.dataspace().rank(), 0U);
    ASSERT_EQ(dataset.attribute("number").datatype(), Datatype::of<int>());
  }
  const std::uint64_t taken = file.metadata_report().memory_bytes - before;
  EXPECT_LE(taken / kDatasets, kMost);
}

}  // namespace
}  // namespace onecast
