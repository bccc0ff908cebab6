// How ranks that read, or that write equal data, find out whether they mean the same
#include <fmt/format.h>

#include "faults.hpp"
#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

constexpr Sharing kModes[] = {Sharing::automatic, Sharing::trust, Sharing::verify, Sharing::serve};

class SharingTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kElements = 30'000;
  static constexpr std::uint64_t kTexts = 3'000;

  void SetUp() override {
    File f = File::create(path(), world_, {.page_size = 4096});
    Group root = f.root();
    const auto values = count_up(kElements);
    const auto type = Datatype::of<std::int32_t>();
    const auto bytes = std::as_bytes(std::span(values));
    root.create_dataset("contiguous", {.type = type, .space = Shape{kElements}, .data = bytes});
    root.create_dataset(
        "chunked",
        {.type = type,
         .space = Shape{kElements},
         .data = bytes,
         .options = {.chunk = {999}, .filters = {Filter::shuffle(), Filter::deflate(1)}}});
    Dataset texts = root.create_dataset(
        "texts",
        {.type = Datatype::variable_string(), .space = Shape{kTexts}, .options = {.chunk = {500}}});
    if (rank() == 0) texts.write(all_texts());
    f.close();
    barrier();
  }
  static std::vector<std::string> all_texts() {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < kTexts; ++i)
      texts.push_back(fmt::format("{} {}", i, std::string(i * 31 % 80, 'x')));
    return texts;
  }
  [[nodiscard]] File open_again(const FileOptions& options = {}) const {
    return File::open(path(), Access::read_write, world_, options);
  }
  /// Returns the reads and collective calls of `work`.
  template <class F>
  static std::pair<std::uint64_t, std::uint64_t> reads_and_collectives(const File& file, F&& work) {
    const IoStats mine = counts(file, std::forward<F>(work));
    return {mine.reads, mine.collectives};
  }
  static std::vector<std::int32_t> read(const Dataset& x, const Hyperslab& part, Sharing sharing) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(part.count[0]));
    x.read_all(std::as_writable_bytes(std::span(values)), {.part = part, .sharing = sharing});
    return values;
  }
};

TEST_F(SharingTest, WhatAllWantIsReadByOneAndBroadcastOnce) {
  const File file = open_again({.chunk_cache_bytes = 0});
  const Hyperslab middle{{kElements / 4}, {kElements / 2}};
  for (const char* name : {"contiguous", "chunked"})
    for (const Sharing sharing : kModes) {
      const Dataset x = file.root().open_dataset(name);
      static_cast<void>(x.layout());
      const auto [reads, collectives] = reads_and_collectives(
          file, [&] { EXPECT_EQ(read(x, middle, sharing), count_up(middle)) << name; });
      if (size() == 1) continue;
      EXPECT_EQ(collectives, sharing == Sharing::trust ? 1U : 2U) << name;
      EXPECT_EQ(reads != 0, rank() == 0) << name;
    }
}

TEST_F(SharingTest, SmallPartsOfASmallDatasetComeAtOnce) {
  for (const Sharing sharing : {Sharing::automatic, Sharing::trust, Sharing::verify}) {
    const File file = File::open(path(), Access::read_only, world_, {.small_data_limit = 0});
    const Dataset x = file.root().open_dataset("contiguous");
    for (std::uint64_t at = 0; at < kElements; at += 100) {
      const Hyperslab part{{at}, {16}};
      const auto [reads, collectives] =
          reads_and_collectives(file, [&] { EXPECT_EQ(read(x, part, sharing), count_up(part)); });
      if (size() == 1) continue;
      EXPECT_EQ(collectives, (at == 0 ? 1U : 0U) + (sharing == Sharing::trust ? 0U : 1U));
      EXPECT_EQ(reads != 0, rank() == 0 && at == 0);
    }
  }
}

TEST_F(SharingTest, AnotherTypeInMemoryAndAnotherPlace) {
  const File file = open_again();
  for (const Sharing sharing : kModes) {
    const Dataset x = file.root().open_dataset("chunked");
    std::vector<double> values(2 * 100, -1);
    x.read_all(values, {.part = Hyperslab{{500}, {100}, {7}, {}},
                        .memory = MemoryLayout({100, 2}, Hyperslab{{0, 1}, {100, 1}}),
                        .sharing = sharing});
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(values[2 * i], -1);
      EXPECT_EQ(values[2 * i + 1], static_cast<double>(500 + 7 * i));
    }
  }
}

TEST_F(SharingTest, ValuesOfVariableLengthComeAlong) {
  for (const Sharing sharing : kModes) {
    const File file = open_again();
    const Dataset texts = file.root().open_dataset("texts");
    for (const auto& [part, messages] :
         {std::pair(Hyperslab{{7}, {20}}, 0U), {Hyperslab{{0}, {kTexts}}, 2U}}) {
      std::vector<std::byte> elements(part.count[0] * texts.datatype().size());
      std::vector<std::string> found;
      const auto [reads, collectives] = reads_and_collectives(file, [&] {
        texts.read_all(elements, {.part = part, .sharing = sharing});
        found = VariableValues(texts).strings(texts.datatype(), elements);
      });
      const auto all = all_texts();
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(part.start[0]);
      EXPECT_EQ(found, std::vector(first, first + static_cast<std::ptrdiff_t>(part.count[0])));
      if (size() == 1) continue;
      EXPECT_EQ(reads != 0, rank() == 0);
      EXPECT_LE(collectives, (sharing == Sharing::trust ? 1U : 2U) + messages);
    }
  }
}

TEST_F(SharingTest, VerifyNamesTheRanks) {
  if (size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  File file = open_again({.sharing = Sharing::verify});
  Dataset x = file.root().open_dataset("contiguous");
  const std::uint64_t other = rank() == last() ? 1 : 0;
  std::vector<std::int32_t> values(10);
  const Error error = same_error(
      [&] { x.read_all(std::as_writable_bytes(std::span(values)), Hyperslab{{other}, {10}}); });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  EXPECT_NE(std::string(error.what())
                .find(fmt::format("1 of {} ranks differ from rank 0: {}", size(), last())),
            std::string::npos)
      << error.what();

  const Hyperslab part{{0}, {10}};
  const auto wrong = count_up(10, static_cast<std::int32_t>(other));
  EXPECT_EQ(same_error([&] { x.write_equal(std::as_bytes(std::span(wrong)), part); }).code(),
            ErrorCode::diverged);
  const auto right = count_up(10, 5);
  x.write_equal(std::as_bytes(std::span(right)), part);
  file.close();
  EXPECT_EQ(read(open_again().root().open_dataset("contiguous"), part, Sharing::trust), right);
}

TEST_F(SharingTest, VerifyComparesWhatAllWriteInAnyLayout) {
  const auto expect_named = [&](const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    EXPECT_NE(std::string(error.what()).find(fmt::format("differ from rank 0: {}", last())),
              std::string::npos)
        << error.what();
  };
  for (const TransferMethod method : {TransferMethod::automatic, TransferMethod::plain,
                                      TransferMethod::independent, TransferMethod::collective}) {
    File file =
        File::create(path("verified.h5"), world_, {.sharing = Sharing::verify, .method = method});
    Group root = file.root();
    const auto before = count_up(1000);
    const auto right = count_up(1000, 5);
    const auto mine = count_up(1000, rank() == last() ? 7 : 5);
    std::vector<Dataset> sets;
    for (const DatasetOptions& options :
         {DatasetOptions{.layout = Layout::contiguous}, DatasetOptions{.layout = Layout::compact},
          DatasetOptions{.chunk = {99}},
          DatasetOptions{.chunk = {99}, .filters = {Filter::deflate(1)}}}) {
      const std::string name = std::to_string(sets.size());
      sets.push_back(root.create_dataset(name, {.type = Datatype::of<std::int32_t>(),
                                                .space = Shape{1000},
                                                .data = std::as_bytes(std::span(before)),
                                                .options = options}));
      sets.push_back(root.create_dataset(
          "new " + name,
          {.type = Datatype::of<std::int32_t>(), .space = Dataspace({1000}), .options = options}));
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
      Dataset& x = sets[i];
      if (size() > 1) expect_named(same_error([&] { x.write_all(mine); }));
      EXPECT_EQ(x.read_all<std::int32_t>(), i % 2 == 0 ? before : std::vector<std::int32_t>(1000))
          << i << ": nothing is written";
      x.write_all(right);
      EXPECT_EQ(x.read_all<std::int32_t>(), right) << i;
    }
    Dataset texts = root.create_dataset("texts", {Datatype::variable_string(), Dataspace({2})});
    const std::vector<std::string> some{"some", "text"};
    const std::vector<std::string> others{"some", rank() == last() ? "more" : "text"};
    if (size() > 1) expect_named(same_error([&] { texts.write_all(others); }));
    texts.write_all(some);
    EXPECT_EQ(texts.read<std::string>(), some);
    // The comparison covers all datasets of a list.
    const std::vector<WriteRequest> list{{sets[0], std::as_bytes(std::span(right))},
                                         {sets[3], std::as_bytes(std::span(mine))}};
    if (size() > 1) expect_named(same_error([&] { file.write_multi(list); }));
    file.close();
  }
}

TEST_F(SharingTest, TrustedWritesAreNotCompared) {
  File file = open_again();
  Dataset x = file.root().open_dataset("contiguous");
  const auto mine = count_up(10, rank());
  const auto [reads, collectives] = reads_and_collectives(file, [&] {
    x.write_equal(std::as_bytes(std::span(mine)),
                  {.part = Hyperslab{{0}, {10}}, .sharing = Sharing::trust});
  });
  EXPECT_EQ(reads + collectives, 0U);
  file.close();
  EXPECT_EQ(
      read(open_again().root().open_dataset("contiguous"), {{0}, {10}, {}, {}}, Sharing::trust),
      count_up(10));
}

TEST_F(SharingTest, ServedRanksShareWithThoseThatAskTheSame) {
  const File file = open_again({.sharing = Sharing::serve, .chunk_cache_bytes = 0});
  // The groups are the even ranks, the odd ranks, and the last rank, which wants nothing.
  const int group = rank() == last() && size() > 2 ? 2 : rank() % 2;
  const Hyperslab parts[] = {{{0}, {9'000}, {}, {}}, {{4'000}, {9'000}, {}, {}}, nothing()};
  const Hyperslab part = parts[group];
  for (const char* name : {"contiguous", "chunked"}) {
    const Dataset x = file.root().open_dataset(name);
    static_cast<void>(x.layout());
    std::uint64_t first = 0;
    for (int again = 0; again < 2; ++again) {
      const auto [reads, collectives] = reads_and_collectives(
          file, [&] { EXPECT_EQ(read(x, part, Sharing::serve), count_up(part)); });
      EXPECT_EQ(reads != 0, rank() < 2 && group != 2) << name << ", rank " << rank();
      if (again == 0)
        first = collectives;
      else
        EXPECT_LE(collectives, first) << "the groups are known";
    }
  }
}

TEST_F(SharingTest, AFailureOfTheReaderIsOneOfAll) {
  for (const Sharing sharing :
       {Sharing::automatic, Sharing::trust, Sharing::verify, Sharing::serve}) {
    const Faults faults = faults_on(0, world_);
    const File file = open(path(), Access::read_only, {.small_data_limit = 0}, faults.factory());
    const Dataset x = file.root().open_dataset("contiguous");
    const Hyperslab all{{0}, {kElements}};
    faults.fail(Call::read);
    EXPECT_EQ(same_error([&] { read(x, all, sharing); }).code(), ErrorCode::io);
    EXPECT_EQ(read(x, all, sharing), count_up(all));
    if (sharing != Sharing::serve || size() < 3) continue;
    // Ranks that want another part get the error, too.
    faults.fail(Call::read);
    const Hyperslab mine = rank() % 2 == 0 ? all : share(kElements, 0, 2);
    EXPECT_EQ(same_error([&] { read(x, mine, sharing); }).code(), ErrorCode::io);
    EXPECT_EQ(read(x, mine, sharing), count_up(mine));
  }
}

}  // namespace
}  // namespace onecast::test
