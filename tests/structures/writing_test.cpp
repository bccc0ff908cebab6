#include <gtest/gtest.h>

#include <set>

#include "structures/dense.hpp"
#include "structures/dense_file.hpp"
#include "structures/memory_file.hpp"
#include "structures/stock.hpp"
#include "support/temporary_directory.hpp"

namespace onecast::structures {
namespace {

DenseLinks links_of(MemoryFile& file) {
  const Address root = file.superblock().root_header_address;
  const auto info = message_of<LinkInfoMessage>(file, root, MessageType::link_info);
  return {file, info.fractal_heap, info.name_btree, info.creation_order_btree};
}

DenseAttributes attributes_of(MemoryFile& file) {
  const Address root = file.superblock().root_header_address;
  const auto info = message_of<AttributeInfoMessage>(file, root, MessageType::attribute_info);
  return {file, info.fractal_heap, info.name_btree, info.creation_order_btree};
}

/// Returns all names, and expects that each is found by name and in both orders.
template <class M, class D>
std::set<std::string> names_of(MemoryFile& file, D dense) {
  const auto name = [&](ByteView bytes) {
    return std::string(decode<M>(bytes, {}, file.file()).name);
  };
  std::set<std::string> by_hash;
  std::set<std::string> by_order;
  dense.for_each_by_hash([&](ByteView bytes) { by_hash.insert(name(bytes)); });
  EXPECT_TRUE(
      dense.for_each_by_creation_order([&](ByteView bytes) { by_order.insert(name(bytes)); }));
  EXPECT_EQ(by_hash, by_order);
  for (const std::string& wanted : by_hash) {
    const auto found = dense.find(wanted);
    if (!found || name(*found) != wanted) ADD_FAILURE() << wanted;
  }
  EXPECT_EQ(by_hash.size(), dense.count());
  return by_hash;
}

class Writing : public testing::TestWithParam<DenseFilePlan> {};

TEST_P(Writing, IsReadBack) {
  const DenseFilePlan& plan = GetParam();
  const DenseFile made(plan);
  MemoryFile file(made.bytes());
  const auto links = names_of<LinkMessage>(file, links_of(file));
  EXPECT_EQ(links.size(), plan.links + 1);
  EXPECT_TRUE(links.contains("target"));
  EXPECT_EQ(links.contains("link000000"), plan.links != 0);
  const auto attributes = names_of<AttributeMessage>(file, attributes_of(file));
  EXPECT_EQ(attributes.size(), plan.attributes + plan.big_attributes);
}

TEST_P(Writing, StockReadsAndChanges) {
  ONECAST_NEEDS_H5PY();
  const DenseFilePlan& plan = GetParam();
  const test::TemporaryDirectory directory;
  const std::string path = directory / "dense.h5";
  DenseFile(plan).save(path);
  const StockAnswer answer = run_stock(
      "check_files.py",
      fmt::format("change '{}' {} {} {}", path, plan.links, plan.attributes, plan.big_attributes));
  ASSERT_EQ(answer.status, 0) << answer.text;

  // Onecast reads what stock HDF5 made of the file.
  MemoryFile file(MemoryFile::read(path));
  const auto links = names_of<LinkMessage>(file, links_of(file));
  const auto attributes = names_of<AttributeMessage>(file, attributes_of(file));
  EXPECT_EQ(answer.text, fmt::format("{} {}\n", links.size(), attributes.size()));
}

TEST_P(Writing, StockEmpties) {
  ONECAST_NEEDS_H5PY();
  const DenseFilePlan& plan = GetParam();
  const test::TemporaryDirectory directory;
  const std::string path = directory / "dense.h5";
  DenseFile(plan).save(path);
  const StockAnswer answer = run_stock(
      "check_files.py",
      fmt::format("empty '{}' {} {} {}", path, plan.links, plan.attributes, plan.big_attributes));
  EXPECT_EQ(answer.status, 0) << answer.text;
}

std::string plan_name(const testing::TestParamInfo<DenseFilePlan>& plan) {
  return fmt::format("{}_{}_{}", plan.param.links, plan.param.attributes,
                     plan.param.big_attributes);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Writing,
                         testing::Values(DenseFilePlan{9, 9, 0}, DenseFilePlan{0, 0, 9},
                                         DenseFilePlan{100, 100, 3}),
                         plan_name);
INSTANTIATE_TEST_SUITE_P(Long, Writing,
                         testing::Values(DenseFilePlan{5000, 5000, 100},
                                         DenseFilePlan{100'000, 30, 30}),
                         plan_name);

TEST(WritingMany, TakesLittleSpace) {
  EXPECT_LT(DenseFile({100'000, 0, 0}).bytes().size(), std::size_t{10} << 20U);
}

}  // namespace
}  // namespace onecast::structures
