// read_all returns equal data on all ranks, even if some of it was written independently and waits
// for the flush.
#include <functional>

#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kSize = 60;

struct Stored {
  std::string name;
  DatasetOptions options;
};
const std::vector<Stored> kStored{
    {"compact", {.layout = Layout::compact}},
    {"contiguous", {.layout = Layout::contiguous}},
    {"chunked", {.chunk = {7}}},
    {"filtered", {.chunk = {7}, .filters = {Filter::deflate(1)}}},
};

class SettledReadsTest : public ParallelTest {
 protected:
  /// Creates numbers and strings in each kind of storage, and virtual datasets over the numbers,
  /// and flushes.
  File create_all(const FileOptions& options = {}) {
    File file = File::create(path(), world_, options);
    Group root = file.root();
    const auto values = count_up(kSize);
    for (const auto& [name, storage] : kStored) {
      root.create_dataset(name, {.type = Datatype::of<std::int32_t>(),
                                 .space = Shape{kSize},
                                 .data = std::as_bytes(std::span(values)),
                                 .options = storage});
      Dataset texts = root.create_dataset(
          name + " texts",
          {.type = Datatype::variable_string(), .space = Shape{kSize}, .options = storage});
      texts.write_equal(texts_from(0));
      const Selection all = Hyperslab{{0}, {kSize}};
      root.create_dataset(name + " seen", {.type = Datatype::of<std::int32_t>(),
                                           .space = Shape{kSize},
                                           .options = {.sources = {{".", "/" + name, all, all}}}});
    }
    file.flush();
    return file;
  }
  static std::vector<std::string> texts_from(std::uint64_t first, std::uint64_t count = kSize) {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < count; ++i) texts.push_back("text " + std::to_string(first + i));
    return texts;
  }
  /// Changes the elements 10 to 29 on this rank alone.
  static void change(Group root, std::int32_t to) {
    const Hyperslab part{{10}, {20}};
    for (const auto& [name, storage] : kStored) {
      root.open_dataset(name).write(count_up(20, to), part);
      root.open_dataset(name + " texts")
          .write(texts_from(static_cast<std::uint64_t>(to), 20), part);
    }
  }
  static std::vector<std::int32_t> changed(std::int32_t to, const Hyperslab& part) {
    std::vector<std::int32_t> values = count_up(kSize);
    for (std::size_t i = 10; i < 30; ++i) values[i] = to + static_cast<std::int32_t>(i) - 10;
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(part.start[0]);
    return {first, first + static_cast<std::ptrdiff_t>(part.count[0])};
  }
  static std::vector<std::string> changed_texts(std::int32_t to, const Hyperslab& part) {
    std::vector<std::string> values = texts_from(0);
    const auto fresh = texts_from(static_cast<std::uint64_t>(to), 20);
    std::copy(fresh.begin(), fresh.end(), values.begin() + 10);
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(part.start[0]);
    return {first, first + static_cast<std::ptrdiff_t>(part.count[0])};
  }
  static std::vector<std::int32_t> numbers(const Dataset& x, const Hyperslab& part,
                                           Sharing sharing) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(part.count[0]));
    x.read_all(std::as_writable_bytes(std::span(values)), {.part = part, .sharing = sharing});
    return values;
  }
  static std::vector<std::string> texts(const Dataset& x, const Hyperslab& part, Sharing sharing) {
    std::vector<std::byte> elements(part.count[0] * x.datatype().size());
    x.read_all(elements, {.part = part, .sharing = sharing});
    return VariableValues(x).strings(x.datatype(), elements);
  }
};

const Hyperslab kWhole{{0}, {kSize}};
const Hyperslab kPart{{5}, {40}};

TEST_F(SettledReadsTest, WhatOneRankWroteAllRead) {
  for (const TransferMethod method : {TransferMethod::automatic, TransferMethod::plain}) {
    File file = create_all({.method = method});
    Group root = file.root();
    std::int32_t to = 100;
    for (const Sharing sharing : {Sharing::automatic, Sharing::verify, Sharing::serve})
      for (const Hyperslab& part : {kWhole, kPart})
        for (const int writer : {0, last()}) {
          to += 100;
          if (rank() == writer) change(root, to);
          for (const auto& [name, storage] : kStored) {
            SCOPED_TRACE(name);
            EXPECT_EQ(numbers(root.open_dataset(name + " seen"), part, sharing), changed(to, part));
            EXPECT_EQ(numbers(root.open_dataset(name), part, sharing), changed(to, part));
            EXPECT_EQ(texts(root.open_dataset(name + " texts"), part, sharing),
                      changed_texts(to, part));
          }
        }
  }
}

// The ranks do not ask for writes of others: all get the first rank's data.
TEST_F(SettledReadsTest, WithTrustAllGetWhatTheFirstRankHas) {
  for (const TransferMethod method : {TransferMethod::automatic, TransferMethod::plain})
    for (const int writer : {0, last()}) {
      File file = create_all({.method = method});
      Group root = file.root();
      if (rank() == writer) change(root, 100);
      barrier();  // now contiguous data is in the file
      for (const Hyperslab& part : {kWhole, kPart})
        for (const auto& [name, storage] : kStored) {
          SCOPED_TRACE(name);
          for (const std::string& which : {name, name + " seen"}) {
            const auto found = numbers(root.open_dataset(which), part, Sharing::trust);
            const std::string text(reinterpret_cast<const char*>(found.data()), 4 * found.size());
            EXPECT_EQ(everyones(text), std::vector(static_cast<std::size_t>(size()), text));
            if (writer == 0) {
              EXPECT_EQ(found, changed(100, part));
            }
          }
          const auto found = texts(root.open_dataset(name + " texts"), part, Sharing::trust);
          std::string text;
          for (const std::string& t : found) text += t + ",";
          EXPECT_EQ(everyones(text), std::vector(static_cast<std::size_t>(size()), text));
        }
    }
}

TEST_F(SettledReadsTest, PartsAndLists) {
  File file = create_all();
  Group root = file.root();
  if (rank() == last()) change(root, 100);
  const Hyperslab mine = my_share(kSize);
  for (const auto& [name, storage] : kStored)
    EXPECT_EQ(numbers(root.open_dataset(name), mine, Sharing::automatic), changed(100, mine));
  if (rank() == last()) change(root, 500);
  std::vector<std::vector<std::int32_t>> found;
  std::vector<ReadRequest> list;
  found.reserve(3 * kStored.size());
  for (const auto& [name, storage] : kStored)
    for (const auto& [which, part] :
         {std::pair(name, mine), {name, kWhole}, {name + " seen", mine}})
      list.push_back({root.open_dataset(which),
                      std::as_writable_bytes(
                          std::span(found.emplace_back(static_cast<std::size_t>(part.count[0])))),
                      part});
  file.read_multi(list);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], changed(500, i % 3 == 1 ? kWhole : mine)) << i;
  file.close();
  barrier();
  const File again = File::open(path());
  for (const auto& [name, storage] : kStored) {
    EXPECT_EQ(again.root().open_dataset(name).read<std::int32_t>(), changed(500, kWhole)) << name;
    EXPECT_EQ(again.root().open_dataset(name + " texts").read<std::string>(),
              changed_texts(500, kWhole));
  }
}

// Objects that a rank creates inside independent() are unknown to other ranks until the flush, so
// they do not settle.
TEST_F(SettledReadsTest, LocalDatasetsWaitForTheFlush) {
  File file = create_all();
  Group root = file.root();
  const auto made = [&](const std::string& name) { return name + " of " + std::to_string(rank()); };
  {
    const auto alone = file.independent();
    for (const auto& [name, storage] : kStored) {
      root.create_dataset(
              made(name),
              {.type = Datatype::of<std::int32_t>(), .space = Shape{kSize}, .options = storage})
          .write(count_up(kSize, rank()));
      root.create_dataset(
              made(name + " texts"),
              {.type = Datatype::variable_string(), .space = Shape{kSize}, .options = storage})
          .write(texts_from(7));
    }
  }
  if (rank() == last()) change(root, 100);
  for (const auto& [name, storage] : kStored) {
    EXPECT_EQ(numbers(root.open_dataset(name), kWhole, Sharing::automatic), changed(100, kWhole));
    EXPECT_EQ(numbers(root.open_dataset(name + " seen"), kWhole, Sharing::automatic),
              changed(100, kWhole));
    EXPECT_EQ(texts(root.open_dataset(name + " texts"), kWhole, Sharing::automatic),
              changed_texts(100, kWhole));
  }
  file.close();
  barrier();
  const File again = File::open(path());
  for (const auto& [name, storage] : kStored) {
    EXPECT_EQ(again.root().open_dataset(made(name)).read<std::int32_t>(), count_up(kSize, rank()));
    EXPECT_EQ(again.root().open_dataset(made(name + " texts")).read<std::string>(), texts_from(7));
  }
}

// If nothing was written, settling costs nothing: there is one reduction, and what the read needs.
TEST_F(SettledReadsTest, NothingToSettleCostsNothing) {
  File file = create_all();
  const Dataset x = file.root().open_dataset("compact");
  static_cast<void>(x.layout());
  const auto collectives = [&](Sharing sharing) {
    return counts(file, [&] { numbers(x, kWhole, sharing); }).collectives;
  };
  if (size() == 1) GTEST_SKIP();
  EXPECT_EQ(collectives(Sharing::automatic), 1U);
  EXPECT_EQ(collectives(Sharing::trust), 1U);
  Dataset other = file.root().open_dataset("filtered");
  if (rank() == 0) other.write(count_up(kSize));
  EXPECT_EQ(collectives(Sharing::automatic), 1U) << "another dataset was written";
}

}  // namespace
}  // namespace onecast::test
