// Ranks that make different structural calls get one error at the flush, and nobody hangs.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "objects/memory/digest.hpp"
#include "onecast/objects/file_option_table.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class DivergingTest : public ParallelTest {
 protected:
  void SetUp() override {
    if (size() == 1) GTEST_SKIP() << "one rank cannot diverge";
  }

  /// `odd` is true on the rank that differs.
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
                    root.create_dataset("x",
                                        {.type = Datatype::of<int>(),
                                         .space = Dataspace({10}),
                                         .options = {odd ? Layout::compact : Layout::contiguous}});
                  },
                  {"create dataset \"x\" in \"/\" with storage compact",
                   "create dataset \"x\" in \"/\" with storage contiguous"});
  expect_diverged("types",
                  [](Group root, bool odd) {
                    root.create_dataset(
                        "x", {odd ? Datatype::of<int>() : Datatype::of<float>(), Dataspace({10})});
                  },
                  {"create dataset \"x\" in \"/\" with type int32 little-endian",
                   "create dataset \"x\" in \"/\" with type float32 little-endian"});
  expect_diverged(
      "chunks, filters and fill values",
      [](Group root, bool odd) {
        const std::int32_t fill = odd ? 7 : 8;
        const auto bytes = std::as_bytes(std::span(&fill, 1));
        root.create_group("zone").create_dataset(
            "x", {.type = Datatype::of<std::int32_t>(),
                  .space = Dataspace({10, 4}, {Dataspace::kUnlimited, 4}),
                  .options = {.chunk = {odd ? 5U : 2U, 4},
                              .filters = {Filter::deflate(odd ? 1 : 6)},
                              .fill_value = std::vector<std::byte>(bytes.begin(), bytes.end())}});
      },
      {"create dataset \"x\" in \"/zone\" with storage chunked, chunks (5, 4), "
       "deflate(1), fill value 7",
       "storage chunked, chunks (2, 4), deflate(6), fill value 8"});
}

TEST_F(DivergingTest, ShapesAndValues) {
  expect_diverged("small shapes",
                  [](Group root, bool odd) { create_int32(root, "x", odd ? 10 : 11); },
                  {"create dataset \"x\" in \"/\" with shape (10,)",
                   "create dataset \"x\" in \"/\" with shape (11,)"});
  expect_diverged(
      "storage", [](Group root, bool odd) { create_int32(root, "x", odd ? 10 : 100'000); },
      {"with shape (10,), with storage compact", "with shape (100000,), with storage contiguous"});
  expect_diverged("compact data",
                  [](Group root, bool odd) { root.create_dataset("x", {10}, count_up(10, odd)); },
                  {"create dataset \"x\" in \"/\" with 0 at element 0 of its value",
                   "create dataset \"x\" in \"/\" with 1 at element 0 of its value"});
  expect_diverged(
      "contiguous data",
      [](Group root, bool odd) { root.create_dataset("x", {5000}, count_up(5000, odd)); },
      {"create dataset \"x\" in \"/\" with another value"});
  for (const std::uint64_t n : {10U, 5000U})
    expect_diverged("equal writes",
                    [n](Group root, bool odd) {
                      const auto values = count_up(n, odd);
                      create_int32(root, "x", n).write_equal(std::as_bytes(std::span(values)));
                    },
                    {"call 2 ", "write \"/x\""});
}

/// The log has only the ends of the digests of arguments.
TEST_F(DivergingTest, ArgumentsWithTheSameDigest) {
  const auto end_of_digest = [](int value) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(&value, 1));
    const std::span<const std::byte> no_values;
    return static_cast<std::uint16_t>(memory::Digest().add(bytes).add(no_values).value());
  };
  int equal = 1;
  while (end_of_digest(equal) != end_of_digest(0)) ++equal;
  expect_diverged("one digest",
                  [equal](Group root, bool odd) { root.set_attribute("a", odd ? equal : 0); },
                  {"set attribute \"a\" in \"/\" with other arguments"});
}

TEST_F(DivergingTest, Attributes) {
  expect_diverged(
      "values", [](Group root, bool odd) { root.set_attribute("a", odd ? 1 : 2); },
      {"set attribute \"a\" in \"/\" with value 1", "set attribute \"a\" in \"/\" with value 2"});
  expect_diverged(
      "one of many values",
      [](Group root, bool odd) {
        std::vector<double> values(1000, 0.5);
        if (odd) values[77] = -1e-300;
        root.set_attribute("a", Datatype::of<double>(), Dataspace({1000}),
                           std::as_bytes(std::span(values)));
      },
      {"with 0.5 at element 77 of its value", "with -1e-300 at element 77 of its value"});
  expect_diverged("texts",
                  [](Group root, bool odd) { root.set_attribute("a", odd ? "abc" : "abd"); },
                  {"with value \"abc\"", "with value \"abd\""});
  expect_diverged("texts of variable length",
                  [](Group root, bool odd) {
                    const std::vector<std::string> texts{"same", odd ? "one" : "two"};
                    NewValues values;
                    const auto elements = values.strings(Datatype::variable_string(), texts);
                    root.set_attribute("a", Datatype::variable_string(), Dataspace({2}), elements,
                                       values);
                  },
                  {"with \"one\" at element 1 of its value", "with \"two\" at element 1 of its"});
  expect_diverged("shapes",
                  [](Group root, bool odd) {
                    const std::vector<int> values(6, 1);
                    root.set_attribute("a", Datatype::of<int>(),
                                       odd ? Dataspace({2, 3}) : Dataspace({3, 2}),
                                       std::as_bytes(std::span(values)));
                  },
                  {"with shape (2, 3)", "with shape (3, 2)"});
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

TEST_F(DivergingTest, NamesAndComments) {
  expect_diverged("new names",
                  [](Group root, bool odd) {
                    root.set_attribute("a", 1);
                    root.rename_attribute("a", odd ? "b" : "c");
                  },
                  {"call 2 ", "rename attribute \"b\"", "rename attribute \"c\""});
  expect_diverged("comments",
                  [](Group root, bool odd) { root.set_comment(odd ? "one" : "another"); },
                  {"set comment of \"/\""});
}

TEST_F(DivergingTest, LinksAndShapes) {
  expect_diverged("soft links",
                  [](Group root, bool odd) { root.create_soft_link("s", odd ? "/a" : "/b"); },
                  {"create soft link \"s\" in \"/\" with value \"/a\"", "with value \"/b\""});
  expect_diverged(
      "external links",
      [](Group root, bool odd) { root.create_external_link("e", "f.h5", odd ? "/a" : "/b"); },
      {"with value \"/a\" of file \"f.h5\"", "with value \"/b\" of file \"f.h5\""});
  expect_diverged("resizing",
                  [](Group root, bool odd) {
                    root.create_dataset("x", {.type = Datatype::of<int>(),
                                              .space = Dataspace({10}, {Dataspace::kUnlimited}),
                                              .options = {.chunk = {5}}})
                        .resize({odd ? 3U : 20U});
                  },
                  {"call 2 ", "resize \"/x\" with shape (3,), at most (unlimited)",
                   "with shape (20,), at most (unlimited)"});
}

// The arguments of objects that are gone cannot be named any more, but the call can.
TEST_F(DivergingTest, WhatIsGone) {
  expect_diverged("removed since",
                  [](Group root, bool odd) {
                    create_int32(root, "x", odd ? 10 : 11);
                    root.set_attribute("a", odd);
                    root.remove_attribute("a");
                    root.remove("x");
                  },
                  {"create dataset \"x\" in \"/\" with another shape"});
  expect_diverged("overwritten since",
                  [](Group root, bool odd) {
                    root.set_attribute("a", odd ? 1 : 2);
                    root.set_attribute("a", 3);
                  },
                  {"set attribute \"a\" in \"/\" with another value"});
}

/// Sets an allowed value that differs from the default.
template <class T>
void change(FileOptions& options, const FileOption<T>& option) {
  T& value = options.*option.field;
  if constexpr (std::is_same_v<T, bool>) {
    value = !value;
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>((static_cast<std::size_t>(value) + 1) % names_of(value).size());
  } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
    value = {{"cb_nodes", "2"}};
  } else {
    constexpr std::uint64_t kAllowed = 16384;
    value = static_cast<std::uint32_t>(std::max(option.range.least, kAllowed));
  }
}

TEST_F(DivergingTest, EachOption) {
  std::vector<std::string_view> free_ones;
  const auto look = [&](const auto& option) {
    SCOPED_TRACE(std::string(option.name));
    FileOptions options;
    if (rank() == last()) change(options, option);
    if (!option.is_same) {
      free_ones.push_back(option.name);
      File::create(path(), world_, options).close();
      return;
    }
    const Error error = same_error([&] { File::create(path(), world_, options); });
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    const bool hints = option.name == "hints";
    const std::string name =
        hints ? "hint cb_nodes: " : "option " + std::string(option.name) + ": ";
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
  };
  std::apply([&](const auto&... option) { (look(option), ...); }, kFileOptions);
  EXPECT_EQ(free_ones, (std::vector<std::string_view>{"decode_threads", "chunk_cache_bytes"}));
}

/// An error that a binding finds on one rank is an error of all; one that it finds on all ranks is
/// a wrong argument.
TEST_F(DivergingTest, OptionsThatCannotBeMade) {
  const bool odd = rank() == last();
  for (const bool everywhere : {false, true}) {
    const FileOptions options{.problem = odd || everywhere ? "no such option" : ""};
    const Error error = same_error([&] { File::create(path(), world_, options); });
    EXPECT_EQ(error.code(), everywhere ? ErrorCode::invalid_argument : ErrorCode::diverged);
    EXPECT_NE(std::string(error.what()).find("no such option"), std::string::npos) << error.what();
  }
  barrier();
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(DivergingTest, OptionsByName) {
  const bool odd = rank() == last();
  const std::string two = "on rank 0, ";
  const std::string other = " on rank " + std::to_string(last());
  const auto told = [&](const std::string& file, const FileOptions& options) {
    const Error error = same_error([&] { File::create(file, world_, options); });
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    return std::string(error.what());
  };
  EXPECT_EQ(told(path(), {.page_size = odd ? 65536U : 4096U}),
            path() + ": ranks open the file with different arguments: option page_size: 4096 " +
                two + "65536" + other);
  const std::string several =
      told(path(), {.durable = odd, .sharing = odd ? Sharing::verify : Sharing::automatic});
  EXPECT_NE(several.find("option durable: false " + two + "true" + other), std::string::npos);
  EXPECT_NE(several.find("option sharing: automatic " + two + "verify" + other), std::string::npos);
  EXPECT_NE(told(path(), odd ? FileOptions{.hints = {{"cb_nodes", "4"}}} : FileOptions())
                .find("hint cb_nodes: not given " + two + "4" + other),
            std::string::npos);
  EXPECT_NE(told(path(odd ? "b.h5" : "a.h5"), {}).find("path: "), std::string::npos);
  File::create(path(), world_).close();
  barrier();
  EXPECT_NE(std::string(same_error([&] {
                          File::open(path(), odd ? Access::read_write : Access::read_only, world_);
                        }).what())
                .find("mode: for reading " + two + "for writing" + other),
            std::string::npos);
}

// Collective transfers must have equal meanings on all ranks.
TEST_F(DivergingTest, TransfersInWords) {
  const bool odd = rank() == last();
  File file = File::create(path(), world_, {.sharing = Sharing::verify});
  Dataset x = file.root().create_dataset("x", {100}, count_up(100));
  Dataset y = file.root().create_dataset("y", {100}, count_up(100));
  const auto expect = [&](const Error& error, const std::string& first, const std::string& other) {
    const std::string text = error.what();
    EXPECT_NE(text.find("; rank 0: " + first), std::string::npos) << text;
    EXPECT_NE(text.find("; rank " + std::to_string(last()) + ": " + other), std::string::npos)
        << text;
  };
  std::vector<std::int32_t> values(10, 5);
  const auto out = std::as_writable_bytes(std::span(values));
  const Hyperslab part{{odd ? 10U : 0U}, {10}};
  expect(same_error([&] { x.read_all(out, part); }), "elements [0:10] of /x",
         "elements [10:20] of /x");
  std::ranges::fill(values, 5);
  if (odd) values[3] = 6;
  const Hyperslab same{{0}, {10}};
  for (const auto& write : std::vector<std::function<void()>>{[&] { x.write_all(out, same); },
                                                              [&] { x.write_equal(out, same); }})
    expect(same_error(write), "5 for element 3 of the part of /x",
           "6 for element 3 of the part of /x");
  const std::vector<ReadRequest> two{{x, out, same}, {odd ? y : x, out, same}};
  const std::string lists = same_error([&] { file.read_multi(two); }).what();
  EXPECT_NE(lists.find("read_multi of 2 datasets (\"/x\", \"/x\")"), std::string::npos) << lists;
  EXPECT_NE(lists.find("read_multi of 2 datasets (\"/x\", \"/y\")"), std::string::npos) << lists;
  file.close();
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

// Collective reads and writes of datasets that differ end in an Error or a result. Nobody hangs,
// and no byte is read or written in a wrong place.
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
    // The next collective call, whichever it is, raises the error.
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

// Each rank opens the dataset by a link of its own.
TEST_F(DivergingTest, DifferentLinksToOneObjectAreNoDifference) {
  {
    File file = File::create(path(), world_);
    const Dataset x =
        file.root().create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                         .space = Dataspace({10}, {Dataspace::kUnlimited}),
                                         .options = {.chunk = {2}}});
    file.root().create_group("g").create_hard_link("y", x);
    file.close();
  }
  File file = File::open(path(), Access::read_write, world_);
  Dataset mine = file.root().open_dataset(rank() == 0 ? "x" : "g/y");
  const std::vector<std::int32_t> values = count_up(10);
  mine.write_equal(std::as_bytes(std::span(values)));
  mine.resize({12});
  mine.set_attribute("a", 1);
  file.close();
  EXPECT_EQ(File::open(path()).root().open_dataset("x").shape(), Shape{12});
}

// The calls of a failed flush are kept. After a successful flush, equal calls do not differ.
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
