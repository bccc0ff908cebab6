// Independent writes of values of variable length: which rank wins, and what a failure leaves
#include <fmt/format.h>

#include "onecast/check/check.hpp"
#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"
#include "support/fault_transport.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {

using namespace transport;
namespace {

constexpr std::uint64_t kRows = 24;

class IndependentValuesTest : public ParallelTest {
 protected:
  static std::vector<std::string> texts(const std::string& word, std::uint64_t count = kRows) {
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(fmt::format("{} {:>400}", word, i));
    return all;
  }
  void expect_sound() {
    barrier();
    if (rank() == 0)
      for (const Finding& found : check_file(path(), {.data = true}).findings)
        ADD_FAILURE() << found.what;
    barrier();
  }
};

TEST_F(IndependentValuesTest, TheHighestRankWins) {
  File f = create(path(), {}, {});
  std::vector<Dataset> all;
  const auto make = [&](const char* name, const DatasetOptions& options) {
    all.push_back(
        f.root().create_dataset(name, {.type = kText, .space = Shape{kRows}, .options = options}));
  };
  make("contiguous", {.layout = Layout::contiguous});
  make("compact", {.layout = Layout::compact});
  make("chunked", {.chunk = {5}});
  for (int step = 0; step < 20; ++step) {
    // The last rank writes the second half, the others write everything.
    const bool is_last = rank() == size() - 1;
    const Hyperslab half{{kRows / 2}, {kRows / 2}};
    const std::string word = fmt::format("step {} of rank {}", step, rank());
    for (Dataset& x : all) is_last ? x.write(texts(word, kRows / 2), half) : x.write(texts(word));
    f.flush();
    for (Dataset& x : all) {
      const auto now = x.read<std::string>();
      const auto of_last = texts(fmt::format("step {} of rank {}", step, size() - 1), kRows / 2);
      ASSERT_TRUE(std::equal(of_last.begin(), of_last.end(), now.begin() + kRows / 2))
          << x.path() << " at step " << step;
      if (size() == 1) continue;
      const auto of_next = texts(fmt::format("step {} of rank {}", step, size() - 2));
      ASSERT_TRUE(std::equal(now.begin(), now.begin() + kRows / 2, of_next.begin()))
          << x.path() << " at step " << step;
    }
    barrier();
  }
  f.close();
  expect_sound();
}

TEST_F(IndependentValuesTest, AConflictKeepsTheValues) {
  if (size() == 1) GTEST_SKIP() << "one rank has no conflicts";
  File f = create(path(), {}, {});
  Dataset x = f.root().create_dataset(
      "x", {.type = kText,
            .space = Shape{kRows},
            .options = {.chunk = {kRows}, .filters = {Filter::deflate(1)}}});
  x.write_all(texts("old"));
  f.flush();
  x.write(texts(fmt::format("new of {}", rank())));
  EXPECT_EQ(same_error([&] { f.flush(); }).code(), ErrorCode::diverged);
  f.flush();
  for (int i = 0; i < 3; ++i) {
    Dataset other = f.root().create_dataset(fmt::format("other {}", i), {kText, Shape{kRows}});
    other.write_all(texts(fmt::format("other {}", i)));
    f.flush();
  }
  EXPECT_EQ(x.read<std::string>(), texts("old"));
  f.close();
  expect_sound();
}

TEST_F(IndependentValuesTest, WhatFoundNoRoomIsTriedAgain) {
  for (const DatasetOptions& options :
       {DatasetOptions{.layout = Layout::contiguous}, DatasetOptions{.chunk = {kRows}},
        DatasetOptions{.chunk = {1}, .filters = {Filter::deflate(1)}}}) {
    for (std::uint64_t writes = 0; writes < 4; ++writes) {
      const auto plan = std::make_shared<FaultPlan>();
      File f = create(path(), {.page_size = 4096}, fault_factory(posix_factory(), plan));
      const auto ranks = static_cast<std::uint64_t>(size());
      const auto me = static_cast<std::uint64_t>(rank());
      Dataset x = f.root().create_dataset(
          "x", {.type = kText, .space = Shape{ranks * kRows}, .options = options});
      const Hyperslab part{{me * kRows}, {kRows}};
      x.write_all(texts("old"), part);
      f.flush();
      x.write(texts("new"), part);
      if (rank() == size() - 1)
        plan->faults.push_back({FaultPlan::Call::write, plan->writes + writes, ENOSPC, 10});
      std::optional<Error> failure;
      try {
        f.flush();
      } catch (const Error& error) {
        failure = error;
      }
      plan->faults.clear();
      f.flush();
      EXPECT_EQ(x.read<std::string>(part), texts("new"))
          << writes << (failure ? failure->what() : "");
      f.close();
      expect_sound();
    }
  }
}

TEST_F(IndependentValuesTest, AValueThatFollowsAFailureStays) {
  const auto plan = std::make_shared<FaultPlan>();
  File f = create(path(), {.page_size = 4096}, fault_factory(posix_factory(), plan));
  Dataset x = f.root().create_dataset("x", {kText, Shape{3}});
  f.flush();
  const auto write = [&](char c) {
    if (rank() == 0) x.write(std::vector<std::string>(3, std::string(200, c)));
  };
  write('a');
  plan->faults.push_back({FaultPlan::Call::write, plan->writes + 1, ENOSPC, 0, 100});
  EXPECT_EQ(same_error([&] { f.flush(); }).code(), ErrorCode::io);
  plan->faults.clear();
  // The text lies in the collection that could not be written.
  NewValues values;
  const auto elements = values.strings(kText, std::vector<std::string>{"stays"});
  f.root().set_attribute("text", kText, Dataspace({1}), elements, values);
  for (int step = 0; step < 40; ++step) {
    write(static_cast<char>('b' + step % 20));
    f.flush();
  }
  f.close();
  expect_sound();
  EXPECT_EQ(File::open(path()).root().attribute("text").read<std::string>(),
            std::vector<std::string>{"stays"});
}

TEST_F(IndependentValuesTest, ACollectionThatGrewAfterAFailureStays) {
  const auto plan = std::make_shared<FaultPlan>();
  File f = create(path(), {.page_size = 4096}, fault_factory(posix_factory(), plan));
  constexpr std::uint64_t kAll = 20;
  Dataset x =
      f.root().create_dataset("x", {.type = kText,
                                    .space = Shape{kAll},
                                    .options = {.chunk = {kAll}, .filters = {Filter::deflate(1)}}});
  f.flush();
  const auto write = [&](char c, std::uint64_t count) {
    const std::vector<std::string> values(count, std::string(100, c));
    if (rank() == 0) x.write(values, Hyperslab{{0}, {count}});
  };
  write('a', kAll);
  f.flush();
  // The overwritten values are known, and their space is not free yet.
  write('b', 1);
  plan->faults.push_back({FaultPlan::Call::write, plan->writes + 1, ENOSPC, 0, 100});
  EXPECT_EQ(same_error([&] { f.flush(); }).code(), ErrorCode::io);
  plan->faults.clear();
  // Some of these values fill up the collection of the first ones.
  write('c', kAll);
  f.flush();
  expect_sound();
  Dataset y = f.root().create_dataset("y", {kText, Shape{kRows}});
  y.write_all(texts("other"));
  f.close();
  expect_sound();
  EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::string>(),
            std::vector<std::string>(kAll, std::string(100, 'c')));
}

}  // namespace
}  // namespace onecast::test
