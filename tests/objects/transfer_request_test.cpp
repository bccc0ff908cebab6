// The arguments of Dataset's calls: elements in memory of many kinds, and one request
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"

namespace onecast::test {
namespace {

struct Particle {
  double mass;
  std::int32_t charge;
};

Datatype particle_type() {
  return Datatype::compound(sizeof(Particle),
                            {{"mass", offsetof(Particle, mass), Datatype::of<double>()},
                             {"charge", offsetof(Particle, charge), Datatype::of<std::int32_t>()}});
}

class TransferRequestTest : public testing::Test {
 protected:
  TemporaryDirectory folder_;
  File file_ = File::create(folder_ / "x.h5");
  Group root_ = file_.root();

  template <class F>
  static std::string refusal(F&& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
      return error.what();
    }
    return "no error";
  }
};

TEST_F(TransferRequestTest, PointsMayBeGivenMoreThanOnce) {
  const Dataset d = root_.create_dataset("d", {4}, {1.0, 2.0, 3.0, 4.0});
  const Selection points = Selection::points(1, {2, 2, 0, 2});
  EXPECT_EQ(d.read<double>(points), (std::vector{3.0, 3.0, 1.0, 3.0}));
  EXPECT_EQ(d.read_all<int>(points), (std::vector{3, 3, 1, 3}));
  Dataset texts = root_.create_dataset("texts", {Datatype::variable_string(), Dataspace({2})});
  texts.write(std::vector<std::string>{"a", "bc"});
  EXPECT_EQ(texts.read<std::string>(Selection::points(1, {1, 0, 1})),
            (std::vector<std::string>{"bc", "a", "bc"}));
}

TEST_F(TransferRequestTest, AnyContiguousRangeOfNumbersIsConverted) {
  Dataset d = root_.create_dataset("d", {2, 3}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
  EXPECT_EQ(d.datatype(), Datatype::of<double>());
  std::array<int, 3> row{};
  d.read(row, d.rows(1, 2));
  EXPECT_EQ(row, (std::array{4, 5, 6}));
  float table[2][3];
  d.read(table);
  EXPECT_EQ(table[1][2], 6.0F);
  row = {7, 8, 9};
  d.write(row, d.rows(0, 1));
  d.write(std::span(row).first(1), Hyperslab{{1, 0}, {1, 1}});
  EXPECT_EQ(d.read<double>(), (std::vector{7.0, 8.0, 9.0, 7.0, 5.0, 6.0}));
  d.write(std::int16_t{-1}, Hyperslab{{1, 2}, {1, 1}});
  std::uint64_t one = 0;
  d.read(one, Selection::points(2, {0, 2}));
  EXPECT_EQ(one, 9U);
  EXPECT_EQ(d.read<int>(Selection::points(2, {1, 2, 0, 0})), (std::vector{-1, 7}));
  EXPECT_EQ(d.read<std::byte>(d.rows(0, 1)).size(), 3 * sizeof(double));
}

TEST_F(TransferRequestTest, RowsOfTheDataset) {
  Dataset d = root_.create_dataset("d", {4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(d.read<int>(d.rows(1, 3)), (std::vector{2, 3, 4, 5}));
  EXPECT_TRUE(d.read<int>(d.rows(4, 4)).empty());
  EXPECT_NE(
      refusal([&] { static_cast<void>(d.rows(3, 5)); }).find("rows 3 to 5: the dataset has 4 rows"),
      std::string::npos);
  EXPECT_NE(refusal([&] { static_cast<void>(d.rows(3, 2)); }), "no error");
  const Dataset single = root_.create_dataset("one", {}, {1});
  EXPECT_NE(refusal([&] { static_cast<void>(single.rows(0, 1)); }), "no error");
}

TEST_F(TransferRequestTest, StructsNeedAType) {
  Dataset d = root_.create_dataset("d", {particle_type(), Dataspace({3})});
  const std::vector<Particle> some{{1.5, 1}, {2.5, -1}, {3.5, 0}};
  d.write(some, {.memory_type = particle_type()});
  const auto found = d.read<Particle>({.part = d.rows(1, 3), .memory_type = particle_type()});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].mass, 2.5);
  EXPECT_EQ(found[1].charge, 0);
  Particle one{};
  d.read(one, {.part = d.rows(0, 1), .memory_type = particle_type()});
  EXPECT_EQ(one.mass, 1.5);
  EXPECT_NE(refusal([&] { d.write(some); }).find("memory_type: expected"), std::string::npos);
  EXPECT_NE(refusal([&] {
              static_cast<void>(d.read<Particle>({.memory_type = Datatype::of<float>()}));
            }).find("conversion"),
            std::string::npos);
}

TEST_F(TransferRequestTest, StringsOfFixedAndVariableLength) {
  for (const Datatype& type : {Datatype::string(6), Datatype::variable_string()}) {
    Dataset d = root_.create_dataset(type.describe(), {type, Dataspace({3})});
    d.write(std::vector<std::string>{"one", "two", "three"});
    d.write("2", d.rows(1, 2));
    d.write(std::string("3"), d.rows(2, 3));
    EXPECT_EQ(d.read<std::string>(), (std::vector<std::string>{"one", "2", "3"}));
    EXPECT_EQ(d.read_all<std::string>(d.rows(1, 3)), (std::vector<std::string>{"2", "3"}));
    std::array<std::string, 2> out;
    d.read(out, d.rows(0, 2));
    EXPECT_EQ(out[0], "one");
    EXPECT_NE(refusal([&] { d.read(out); }).find("3 strings expected, 2 given"), std::string::npos);
    EXPECT_NE(refusal([&] {
                d.write(out, {.memory_type = Datatype::string(3)});
              }).find("memory_type: not with strings"),
              std::string::npos);
  }
}

TEST_F(TransferRequestTest, WhatACallDoesNotTakeIsAnError) {
  Dataset d = root_.create_dataset("d", {3}, {1, 2, 3});
  std::vector<int> values(3);
  const NewValues made;
  EXPECT_NE(refusal([&] { d.read(values, {.sharing = Sharing::trust}); }).find("sharing"),
            std::string::npos);
  EXPECT_NE(refusal([&] { d.write_all(values, {.sharing = Sharing::trust}); }).find("sharing"),
            std::string::npos);
  EXPECT_NE(refusal([&] { d.read_all(values, {.values = &made}); }).find("values"),
            std::string::npos);
  EXPECT_NE(
      refusal([&] { d.write(values, {.values = &made}); }).find("memory_type: not with values"),
      std::string::npos);
  const std::vector<ReadRequest> list{{d, values, {.sharing = Sharing::trust}},
                                      {d, values, {.sharing = Sharing::serve}}};
  EXPECT_NE(refusal([&] { file_.read_multi(list); }).find("not all requests have one"),
            std::string::npos);
  EXPECT_NE(
      refusal([&] {
        static_cast<void>(d.read<std::array<std::byte, 3>>({.memory_type = Datatype::of<int>()}));
      }).find("elements of 4 bytes expected, not of 3"),
      std::string::npos);
}

TEST_F(TransferRequestTest, AFailureIsThrownAndNothingMoves) {
  Dataset d = root_.create_dataset("d", {3}, {1, 2, 3});
  const TransferRequest failing{
      .failure = std::make_exception_ptr(Error(ErrorCode::invalid_argument, "no such zone"))};
  std::vector<int> values{7, 7, 7};
  EXPECT_EQ(refusal([&] { d.write(values, failing); }), "no such zone");
  EXPECT_EQ(refusal([&] { d.write_all(values, failing); }), "no such zone");
  EXPECT_EQ(refusal([&] { d.write_equal(values, failing); }), "no such zone");
  EXPECT_EQ(refusal([&] { d.read_all(values, failing); }), "no such zone");
  EXPECT_EQ(refusal([&] { d.read_async(values, failing).wait(); }), "no such zone");
  EXPECT_EQ(refusal([&] { file_.write_multi(std::vector<WriteRequest>{{d, values, failing}}); }),
            "no such zone");
  EXPECT_EQ(values, (std::vector{7, 7, 7}));
  EXPECT_EQ(d.read<int>(), (std::vector{1, 2, 3}));
}

TEST_F(TransferRequestTest, WriteEqualFromAPartOfMemoryAndBegun) {
  Dataset d = root_.create_dataset("d", {3}, {1, 2, 3});
  const std::vector<int> ghosts{-1, 4, 5, 6, -1};
  const MemoryLayout inner({5}, Hyperslab{{1}, {3}});
  d.write_equal(ghosts, {.memory = inner});
  EXPECT_EQ(d.read<int>(), (std::vector{4, 5, 6}));
  d.write_equal_async(ghosts,
                      {.part = d.rows(0, 2), .memory = MemoryLayout({5}, Hyperslab{{3}, {2}})})
      .wait();
  EXPECT_EQ(d.read<int>(), (std::vector{6, -1, 6}));
}

TEST_F(TransferRequestTest, APartIsCheckedBeforeMemoryIsTaken) {
  const Dataset d = root_.create_dataset("d", {10}, std::vector<int>(10));
  const Hyperslab far{{0}, {std::uint64_t{1} << 60U}};
  EXPECT_NE(refusal([&] { static_cast<void>(d.read<double>(far)); }), "no error");
  EXPECT_NE(refusal([&] { static_cast<void>(d.read_all<double>(far)); }), "no error");
}

TEST_F(TransferRequestTest, AttributesOfStructsNeedAType) {
  const Particle one{1.5, 2};
  root_.set_attribute("particle", particle_type(), Dataspace(), std::as_bytes(std::span(&one, 1)));
  Particle found{};
  const Attribute a = root_.attribute("particle");
  EXPECT_NE(refusal([&] { a.read(found); }).find("memory_type: expected"), std::string::npos);
  a.read(found, particle_type());
  EXPECT_EQ(found.charge, 2);
}

TEST_F(TransferRequestTest, AttributesOfNumbers) {
  root_.set_attribute("one", 1.5);
  root_.set_attribute("many", std::array{1, 2, 3});
  EXPECT_EQ(root_.attribute("one").dataspace(), Dataspace());
  EXPECT_EQ(root_.attribute("many").dataspace(), Dataspace({3}));
  double sum[3];
  root_.attribute("many").read(sum);
  EXPECT_EQ(sum[2], 3.0);
  root_.set_attribute("text", "abc");
  EXPECT_EQ(root_.attribute("text").read<std::string>(), std::vector<std::string>{"abc"});
  EXPECT_EQ(root_.attribute("many").read<std::byte>().size(), 12U);
}

}  // namespace
}  // namespace onecast::test
