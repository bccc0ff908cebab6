// Ranks that make different structural calls are told at the flush, all the same; nobody hangs.
#include <functional>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class DivergingTest : public ParallelTest {
 protected:
  void SetUp() override {
    if (size() == 1) GTEST_SKIP() << "one rank cannot diverge";
  }

  /// `odd`: this rank is the one that differs.
  using Calls = std::function<void(Group root, bool odd)>;

  void expect_diverged(const std::string& what, const Calls& calls,
                       const std::vector<std::string>& words) {
    SCOPED_TRACE(what);
    for (const int differs : {0, last()}) {
      File file = File::create(path(), world_, {.page_size = 4096});
      create_int32(file.root(), "common", 10);
      file.flush();
      calls(file.root(), rank() == differs);
      const Error error = same_error([&] { file.flush(); });
      expect_told(error, differs, words);
      expect_told(same_error([&] { file.close(); }), differs, words);
      EXPECT_FALSE(file.is_open());
      barrier();
      EXPECT_EQ(names(File::open(path()).root()), std::vector<std::string>{"common"})
          << "the last flush";
      barrier();
    }
  }
  void expect_told(const Error& error, int differs, const std::vector<std::string>& words) const {
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    const std::string text = error.what();
    EXPECT_EQ(text.rfind(path() + ": ", 0), 0U) << text;
    const int other = differs == 0 ? 1 : differs;
    for (const std::string& word :
         {std::string("rank 0: "), "rank " + std::to_string(other) + ": "})
      EXPECT_NE(text.find(word), std::string::npos) << text;
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
  }
};

TEST_F(DivergingTest, Names) {
  expect_diverged("groups", [](Group root, bool odd) { root.create_group(odd ? "a" : "b"); },
                  {"call 1 ", "create group \"a\" in \"/\"", "create group \"b\" in \"/\""});
  expect_diverged(
      "deep",
      [](Group root, bool odd) { root.create_group("one/two").create_group(odd ? "a" : "b"); },
      {"call 3 ", "create group \"a\" in \"/one/two\"", "create group \"b\" in \"/one/two\""});
  expect_diverged("places",
                  [](Group root, bool odd) {
                    root.create_group("a");
                    root.create_group("b");
                    root.open_group(odd ? "a" : "b").create_group("x");
                  },
                  {"call 3 ", "create group \"x\" in \"/a\"", "create group \"x\" in \"/b\""});
  expect_diverged("after many others",
                  [](Group root, bool odd) {
                    for (int i = 0; i < 1000; ++i)
                      root.create_group(i == 777 && odd ? "x" : std::to_string(i));
                  },
                  {"call 778 ", "create group \"x\"", "create group \"777\""});
}

TEST_F(DivergingTest, Kinds) {
  expect_diverged("group and dataset",
                  [](Group root, bool odd) {
                    if (odd)
                      root.create_group("x");
                    else
                      create_int32(root, "x", 10);
                  },
                  {"create group \"x\"", "create dataset \"x\""});
  expect_diverged("layouts",
                  [](Group root, bool odd) {
                    root.create_dataset("x", Datatype::of<int>(), Dataspace({10}), {},
                                        {odd ? Layout::compact : Layout::contiguous});
                  },
                  {"create dataset \"x\""});
  expect_diverged("types",
                  [](Group root, bool odd) {
                    root.create_dataset("x", odd ? Datatype::of<int>() : Datatype::of<float>(),
                                        Dataspace({10}));
                  },
                  {"create dataset \"x\""});
}

TEST_F(DivergingTest, ShapesAndValues) {
  expect_diverged("small shapes",
                  [](Group root, bool odd) { create_int32(root, "x", odd ? 10 : 11); },
                  {"create dataset \"x\""});
  expect_diverged("storage",
                  [](Group root, bool odd) { create_int32(root, "x", odd ? 10 : 100'000); },
                  {"create dataset \"x\""});
  expect_diverged("compact data",
                  [](Group root, bool odd) { root.create_dataset("x", {10}, count_up(10, odd)); },
                  {"create dataset \"x\""});
  expect_diverged(
      "contiguous data",
      [](Group root, bool odd) { root.create_dataset("x", {5000}, count_up(5000, odd)); },
      {"create dataset \"x\""});
  for (const std::uint64_t n : {10U, 5000U})
    expect_diverged("equal writes",
                    [n](Group root, bool odd) {
                      const auto values = count_up(n, odd);
                      create_int32(root, "x", n).write_equal(std::as_bytes(std::span(values)));
                    },
                    {"call 2 ", "write \"x\""});
}

TEST_F(DivergingTest, Attributes) {
  expect_diverged("values", [](Group root, bool odd) { root.set_attribute("a", odd ? 1 : 2); },
                  {"set attribute \"a\""});
  expect_diverged("types",
                  [](Group root, bool odd) {
                    if (odd)
                      root.set_attribute("a", 1.0);
                    else
                      root.set_attribute("a", 1);
                  },
                  {"set attribute \"a\""});
  expect_diverged("removed by one",
                  [](Group root, bool odd) {
                    root.set_attribute("a", 1);
                    if (odd) root.remove_attribute("a");
                  },
                  {"call 2 ", "remove attribute \"a\"", "no call"});
}

TEST_F(DivergingTest, NumbersOfCalls) {
  expect_diverged("no call at all",
                  [](Group root, bool odd) {
                    if (!odd) root.create_group("x");
                  },
                  {"call 1 ", "create group \"x\"", "no call"});
  expect_diverged("only one rank calls",
                  [](Group root, bool odd) {
                    if (odd) root.create_group("x");
                  },
                  {"call 1 ", "create group \"x\"", "no call"});
  expect_diverged("some more",
                  [](Group root, bool odd) {
                    for (int i = 0; i < (odd ? 100 : 50); ++i) root.create_group(std::to_string(i));
                  },
                  {"call 51 ", "create group \"50\"", "no call"});
  expect_diverged("another order",
                  [](Group root, bool odd) {
                    for (const char* name : {odd ? "a" : "b", odd ? "b" : "a"})
                      root.create_group(name);
                  },
                  {"call 1 "});
  expect_diverged("removed by one",
                  [](Group root, bool odd) {
                    if (odd) root.remove("common");
                  },
                  {"remove \"common\"", "no call"});
}

TEST_F(DivergingTest, EachRankDoesItsOwn) {
  File file = File::create(path(), world_);
  file.root().create_group("rank " + std::to_string(rank()));
  const Error error = same_error([&] { file.close(); });
  EXPECT_NE(std::string(error.what()).find("rank 0: create group \"rank 0\""), std::string::npos)
      << error.what();
  EXPECT_NE(std::string(error.what()).find("rank 1: create group \"rank 1\""), std::string::npos)
      << error.what();
}

// Collective reads and writes of datasets that differ: an Error or a result, but no hang, and no
// byte read or written out of place.
TEST_F(DivergingTest, CollectiveDataInBetween) {
  for (const bool odd_is_large : {false, true}) {
    const bool odd = rank() == last();
    const std::uint64_t count = odd == odd_is_large ? 100'000 : 10;
    File file = File::create(path(), world_, {.page_size = 4096});
    Dataset x = create_int32(file.root(), "x", count);
    const Error error = same_error([&] { x.write_all(count_up(count)); });
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    EXPECT_EQ(same_error([&] { static_cast<void>(x.read_all<std::int32_t>()); }).code(),
              ErrorCode::diverged);
    const Hyperslab mine = my_share(10);
    EXPECT_EQ(same_error([&] { x.write_all(count_up(mine), mine); }).code(), ErrorCode::diverged);
    EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::diverged);
    EXPECT_EQ(same_error([&] { file.close(); }).code(), ErrorCode::diverged);
    barrier();
  }
  for (const auto& [few, many] : {std::pair{10U, 20U}, std::pair{5000U, 9000U}}) {
    const std::uint64_t count = rank() == last() ? few : many;
    File file = File::create(path(), world_, {.page_size = 4096});
    Dataset x = create_int32(file.root(), "x", count);
    // Told at the next collective call, whichever it is.
    for (int i = 0; i < 2; ++i) {
      const Error error = same_error([&] { x.write_all(count_up(count)); });
      EXPECT_EQ(error.code(), ErrorCode::diverged);
      EXPECT_NE(std::string(error.what()).find("create dataset \"x\""), std::string::npos)
          << error.what();
    }
    EXPECT_EQ(same_error([&] { static_cast<void>(x.read_all<std::int32_t>()); }).code(),
              ErrorCode::diverged);
    x.write(count_up(count));
    EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::diverged);
    EXPECT_EQ(same_error([&] { file.close(); }).code(), ErrorCode::diverged);
    barrier();
  }
}

// The calls of a failed flush are not forgotten; equal calls after a good one do not differ.
TEST_F(DivergingTest, GoodFlushesForget) {
  File file = File::create(path(), world_);
  for (int i = 0; i < 3; ++i) {
    file.root().create_group(std::to_string(i));
    file.flush();
  }
  file.root().set_attribute("a", rank() == last());
  for (int i = 0; i < 3; ++i) {
    file.root().create_group("later " + std::to_string(i));
    EXPECT_NE(std::string(same_error([&] { file.flush(); }).what()).find("call 1 "),
              std::string::npos);
  }
  same_error([&] { file.close(); });
  file.close();
}

}  // namespace
}  // namespace onecast::test
