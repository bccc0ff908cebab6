// Many datasets in one call
#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "faults.hpp"
#include "onecast/objects/variable_values.hpp"
#include "striped_table_test.hpp"

namespace onecast::test {
namespace {

class MultiTest : public StripedTableTest {
 protected:
  using Values = std::vector<std::int32_t>;

  static Dataset create(Group group, const std::string& name, const Shape& shape,
                        const DatasetOptions& options) {
    return group.create_dataset(
        name,
        {.type = Datatype::of<std::int32_t>(), .space = Dataspace(shape), .options = options});
  }
  /// Creates contiguous tables with columns for all ranks.
  [[nodiscard]] std::vector<Dataset> create_tables(const File& file, std::size_t count) const {
    std::vector<Dataset> tables;
    for (std::size_t i = 0; i < count; ++i)
      tables.push_back(create(file.root(), "table " + std::to_string(i), {kRows, width()},
                              {.layout = Layout::contiguous}));
    return tables;
  }
  static std::span<const std::byte> bytes_of(const Values& values) {
    return std::as_bytes(std::span(values));
  }
  static std::span<std::byte> room_of(Values& values) {
    return std::as_writable_bytes(std::span(values));
  }
  [[nodiscard]] std::uint64_t sum(std::uint64_t mine) const {
    std::uint64_t all = 0;
    for (const std::uint64_t n : everyones(mine)) all += n;
    return all;
  }

  /// Writes one dataset of each kind of storage, as rank `index` of `parts`.
  static void write_all_kinds(File& file, int index, int parts) {
    constexpr std::uint64_t kCount = 1000;
    Group root = file.root();
    const Hyperslab part = share(kCount, index, parts);
    const Values values = count_up(part);
    Dataset plain = create(root, "plain", {kCount}, {.layout = Layout::contiguous});
    Dataset placed = root.create_dataset("placed", {.type = Datatype::of<std::int32_t>(),
                                                    .space = Shape{kCount},
                                                    .data = bytes_of(count_up(kCount, 7)),
                                                    .options = {.chunk = {64}}});
    Dataset chunked = create(root, "chunked", {kCount}, {.chunk = {64}});
    Dataset filtered =
        create(root, "filtered", {kCount}, {.chunk = {64}, .filters = {Filter::deflate(1)}});
    Dataset compact = create(root, "compact", {kCount}, {.layout = Layout::compact});
    Dataset texts =
        root.create_dataset("texts", {Datatype::variable_string(), Dataspace({kCount})});
    std::vector<std::string> strings;
    for (const std::int32_t v : values) strings.push_back("text " + std::to_string(v));
    NewValues made;
    const std::vector<std::byte> elements = made.strings(texts.datatype(), strings);
    const std::vector<double> doubles(values.begin(), values.end());
    std::vector<WriteRequest> requests;
    for (const Dataset& x : {filtered, compact, placed, chunked})
      requests.push_back({x, bytes_of(values), part});
    requests.push_back({texts, elements, {.part = part, .values = &made}});
    requests.push_back({plain,
                        std::as_bytes(std::span(doubles)),
                        {.part = part, .memory_type = Datatype::of<double>()}});
    file.write_multi(requests);
  }
};

TEST_F(MultiTest, EveryKindOfStorageAndTheBytesOfOneProcess) {
  File file = File::create(path(), world_);
  write_all_kinds(file, rank(), size());
  file.close();
  if (const auto alone = first_ranks(1)) {
    File one = File::create(path("one.h5"), *alone);
    write_all_kinds(one, 0, 1);
    one.close();
  }
  EXPECT_TRUE(contents(path()) == contents(path("one.h5")));

  const File again = File::open(path(), Access::read_only, world_);
  const Hyperslab part = my_share(1000);
  const std::vector<std::string> names{"plain", "placed", "chunked", "filtered", "compact"};
  std::vector<Values> mine(names.size(), Values(part.count[0]));
  std::vector<Values> all(names.size(), Values(1000));
  std::vector<ReadRequest> requests;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Dataset x = again.root().open_dataset(names[i]);
    requests.push_back({x, room_of(mine[i]), part});
    requests.push_back({x, room_of(all[i])});  // this part overlaps another one
  }
  const Dataset texts = again.root().open_dataset("texts");
  std::vector<std::byte> elements(part.count[0] * texts.datatype().size());
  requests.push_back({texts, elements, part});
  again.read_multi(requests);
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(mine[i], count_up(part)) << names[i];
    EXPECT_EQ(all[i], count_up(1000)) << names[i];
  }
  const auto strings = VariableValues(texts).strings(texts.datatype(), elements);
  for (std::size_t i = 0; i < strings.size(); ++i)
    EXPECT_EQ(strings[i], "text " + std::to_string(part.start[0] + i));
}

TEST_F(MultiTest, ManyDatasetsCostAsManyCollectivesAsOne) {
  std::map<std::size_t, std::uint64_t> writing;
  std::map<std::size_t, std::uint64_t> reading;
  for (const std::size_t count : {std::size_t{1}, std::size_t{24}}) {
    File file = File::create(path(), world_);
    std::vector<Dataset> tables = create_tables(file, count);
    const Values values = count_up(kRows * kColumns, rank());
    std::vector<Values> found(count, Values(values.size()));
    std::vector<WriteRequest> writes;
    std::vector<ReadRequest> reads;
    for (std::size_t i = 0; i < count; ++i) {
      writes.push_back({tables[i], bytes_of(values), columns(rank())});
      reads.push_back({tables[i], room_of(found[i]), columns(rank())});
    }
    backend_of(world_).nodes();
    const IoStats before = file.io_stats();
    file.write_multi(writes);
    const IoStats written = file.io_stats();
    file.read_multi(reads);
    writing[count] = written.collectives - before.collectives;
    reading[count] = file.io_stats().collectives - written.collectives;
    for (const Values& v : found) EXPECT_EQ(v, values);
    if (size() > 1) {
      const std::uint64_t stripes = count * kRows * width() * sizeof(std::int32_t) / 256;
      EXPECT_LE(sum(written.writes - before.writes), stripes + count + 1);
      EXPECT_EQ(file.explain().rfind("read_multi: collective: ", 0), 0U) << file.explain();
    }
    file.close();
  }
  EXPECT_EQ(writing[1], writing[24]);
  EXPECT_EQ(reading[1], reading[24]);
}

TEST_F(MultiTest, NewChunksOfManyDatasetsCostAsManyCollectivesAsOfOne) {
  constexpr std::uint64_t kCount = 1000;
  const Hyperslab part = my_share(kCount);
  const Values values = count_up(part);
  for (const bool filtered : {false, true}) {
    DatasetOptions options{.chunk = {64}};
    if (filtered) options.filters = {Filter::deflate(1)};
    std::map<std::size_t, std::vector<std::uint64_t>> costs;
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{24}}) {
      File file = File::create(path(), world_);
      std::vector<Dataset> datasets;
      for (std::size_t i = 0; i < count; ++i)
        datasets.push_back(create(file.root(), std::to_string(i), {kCount}, options));
      std::vector<WriteRequest> writes;
      std::vector<ReadRequest> parts;
      std::vector<ReadRequest> wholes;
      std::vector<Values> found(count, Values(values.size()));
      std::vector<Values> all(count, Values(kCount));
      for (std::size_t i = 0; i < count; ++i) {
        writes.push_back({datasets[i], bytes_of(values), part});
        parts.push_back({datasets[i], room_of(found[i]), part});
        wholes.push_back({datasets[i], room_of(all[i])});
      }
      backend_of(world_).nodes();
      const auto expect_values = [&] {
        for (const Values& v : found) EXPECT_EQ(v, values);
        for (const Values& v : all) EXPECT_EQ(v, count_up(kCount));
      };
      const auto count_calls = [&](auto&& work) {
        costs[count].push_back(counts(file, work).collectives);
      };
      count_calls([&] { file.write_multi(writes); });  // all chunks are new
      count_calls([&] { file.write_multi(writes); });
      count_calls([&] { file.read_multi(parts); });
      count_calls([&] { file.read_multi(wholes); });
      expect_values();
      // Some writes are not settled yet.
      const auto change = [&] {
        for (Dataset& d : datasets)
          if (rank() == 0) d.write(count_up(64), Hyperslab{{0}, {64}});
      };
      change();
      count_calls([&] { file.read_multi(parts); });
      change();
      count_calls([&] { file.write_multi(writes); });
      count_calls([&] { file.read_multi(wholes); });
      expect_values();
      file.close();
    }
    // Reading a single dataset uses other calls.
    EXPECT_EQ(costs[2], costs[24]) << (filtered ? "filtered" : "plain");
    for (const std::size_t write : {0U, 1U, 5U}) EXPECT_EQ(costs[1][write], costs[24][write]);
  }
}

TEST_F(MultiTest, NewChunksAreWrittenWhereTheyWouldBeOneByOne) {
  const auto write = [](File& file, int index, int parts) {
    const Hyperslab part = share(1000, index, parts);
    const Values values = count_up(part);
    const std::vector<DatasetOptions> kinds{
        {.chunk = {64}}, {.chunk = {100}, .filters = {Filter::deflate(1)}}, {.chunk = {333}}};
    std::vector<WriteRequest> requests;
    for (std::size_t i = 0; i < 12; ++i)
      requests.push_back({create(file.root(), std::to_string(i), {1000}, kinds[i % kinds.size()]),
                          bytes_of(values), part});
    file.write_multi(requests);
    file.flush();
    for (const WriteRequest& r : requests)
      EXPECT_EQ(r.dataset.read<std::int32_t>(), count_up(1000));
  };
  for (int parts = 1; parts <= size(); ++parts) {
    const std::string name = path(std::to_string(parts) + ".h5");
    if (const auto ranks = first_ranks(parts)) {
      File file = File::create(name, *ranks, {.page_size = 4096});
      write(file, rank(), parts);
      file.close();
    }
    EXPECT_TRUE(contents(name) == contents(path("1.h5"))) << parts;
  }
}

TEST_F(MultiTest, NewChunksOfADatasetThatIsTwiceInTheList) {
  File file = File::create(path(), world_);
  const Hyperslab part = my_share(1000);
  const Values values = count_up(part);
  const std::uint64_t half = part.count[0] / 2;
  std::vector<WriteRequest> requests;
  for (const bool filtered : {false, true}) {
    DatasetOptions options{.chunk = {100}};
    if (filtered) options.filters = {Filter::deflate(1)};
    const Dataset x = create(file.root(), filtered ? "filtered" : "plain", {1000}, options);
    requests.push_back(
        {x, bytes_of(values).first(half * sizeof(std::int32_t)), Hyperslab{part.start, {half}}});
    requests.push_back({x, bytes_of(values).subspan(half * sizeof(std::int32_t)),
                        Hyperslab{{part.start[0] + half}, {part.count[0] - half}}});
  }
  file.write_multi(requests);
  file.flush();
  for (const WriteRequest& r : requests) EXPECT_EQ(r.dataset.read<std::int32_t>(), count_up(1000));
  file.close();
}

TEST_F(MultiTest, ListsMustNameTheSameDatasets) {
  if (size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  File file = File::create(path(), world_);
  std::vector<Dataset> tables = create_tables(file, 3);
  if (rank() == last()) std::swap(tables[0], tables[2]);
  Values values(kRows * kColumns);
  std::vector<WriteRequest> writes;
  std::vector<ReadRequest> reads;
  const auto expect_diverged = [&] {
    EXPECT_EQ(same_error([&] { file.write_multi(writes); }).code(), ErrorCode::diverged);
    EXPECT_EQ(same_error([&] { file.read_multi(reads); }).code(), ErrorCode::diverged);
  };
  for (const Dataset& table : tables) {
    writes.push_back({table, bytes_of(values), columns(rank())});
    reads.push_back({table, room_of(values), columns(rank())});
  }
  expect_diverged();
  if (rank() == last()) {
    std::swap(writes[0], writes[2]);
    std::swap(reads[0], reads[2]);
    writes.pop_back();
    reads.pop_back();
  }
  expect_diverged();
  if (rank() == last()) {
    writes.clear();
    reads.clear();
  }
  expect_diverged();
  writes.clear();
  reads.clear();
  file.write_multi(writes);
  file.read_multi(reads);
}

TEST_F(MultiTest, WhatOneRankGivesWronglyIsAnErrorOfAll) {
  File file = File::create(path(), world_);
  File other = File::create(path("other.h5"), world_);
  std::vector<Dataset> tables = create_tables(file, 2);
  std::vector<Dataset> others = create_tables(other, 1);
  Values values(kRows * kColumns + 1);
  const auto write = [&](const Dataset& second, std::size_t size) {
    const auto bytes = bytes_of(values);
    const WriteRequest requests[] = {{tables[0], bytes.first(bytes.size() - 4), columns(rank())},
                                     {second, bytes.first(size), columns(rank())}};
    file.write_multi(requests);
  };
  const std::size_t right = bytes_of(values).size() - 4;
  const bool wrong = rank() == last();
  const auto expect_error = [&](auto&& work, const char* text) {
    const Error error = same_error(work);
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  };
  expect_error([&] { write(tables[1], wrong ? right + 4 : right); }, "buffer");
  expect_error([&] { write(wrong ? others[0] : tables[1], right); }, "of another file");
  expect_error([&] { write(tables[0], right); }, "in one list overlap");
  expect_error(
      [&] {
        const auto failure =
            std::make_exception_ptr(Error(ErrorCode::invalid_argument, "no list here"));
        if (wrong) file.write_multi({}, failure);
        write(tables[1], right);
      },
      "no list here");
  write(tables[1], right);
}

/// Each rank has its own columns of every dataset, and writes random rows of them; some values are
/// doubles in memory.
TEST_F(MultiTest, RandomParts) {
  for (const char* stripes : {"256:3", "1000:2", ""}) {
    if (*stripes != 0)
      setenv("ONECAST_PRETEND_STRIPES", stripes, 1);
    else
      unsetenv("ONECAST_PRETEND_STRIPES");
    File file = File::create(path(), world_);
    const auto count = static_cast<std::size_t>(kRows * width());
    const Values before = count_up(count);
    std::vector<Dataset> sets;
    for (int i = 0; i < 5; ++i) {
      DatasetOptions options;
      if (i % 2 == 0) options.layout = Layout::contiguous;
      if (i % 2 == 1) options.chunk = {10, 3};
      if (i == 3) options.filters = {Filter::shuffle()};
      sets.push_back(
          file.root().create_dataset(std::to_string(i), {.type = Datatype::of<std::int32_t>(),
                                                         .space = Shape{kRows, width()},
                                                         .data = bytes_of(before),
                                                         .options = options}));
    }
    std::vector<Values> model(sets.size(), before);
    std::mt19937 random(17);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    for (std::size_t round = 0; round < 6; ++round) {
      std::vector<Values> data;
      std::vector<Hyperslab> parts;
      for (int r = 0; r < size(); ++r)
        for (std::size_t i = 0; i < sets.size(); ++i) {
          const std::uint64_t step = 1 + below(3);
          const std::uint64_t first = below(kRows);
          const std::uint64_t rows = below((kRows - first + step - 1) / step + 1);
          const Hyperslab part{
              {first, static_cast<std::uint64_t>(r) * kColumns}, {rows, kColumns}, {step, 1}, {}};
          Values values(static_cast<std::size_t>(rows * kColumns));
          for (std::size_t n = 0; n < values.size(); ++n) {
            values[n] = static_cast<std::int32_t>(below(1U << 30U));
            const std::uint64_t row = first + n / kColumns * step;
            model[i][static_cast<std::size_t>(row * width() + part.start[1] + n % kColumns)] =
                values[n];
          }
          if (r != rank()) continue;
          data.push_back(std::move(values));
          parts.push_back(part);
        }
      std::vector<WriteRequest> writes;
      std::vector<std::vector<double>> doubles(sets.size());
      const auto has_doubles = [&](std::size_t i) { return (i + round) % 3 == 0; };
      for (std::size_t i = 0; i < sets.size(); ++i) {
        writes.push_back({sets[i], bytes_of(data[i]), parts[i]});
        if (!has_doubles(i)) continue;
        doubles[i].assign(data[i].begin(), data[i].end());
        writes.back().bytes = std::as_bytes(std::span(doubles[i]));
        writes.back().how.memory_type = Datatype::of<double>();
      }
      file.write_multi(writes);

      std::vector<Values> found;
      found.reserve(sets.size());
      std::vector<ReadRequest> reads;
      std::mt19937 own(static_cast<unsigned>(round) * 100 + static_cast<unsigned>(rank()));
      for (std::size_t i = 0; i < sets.size(); ++i) {
        const std::uint64_t first = own() % width();
        const Hyperslab part{{0, first}, {kRows, 1 + own() % (width() - first)}};
        parts[i] = part;
        found.emplace_back(static_cast<std::size_t>(kRows * part.count[1]));
        reads.push_back({sets[i], room_of(found[i]), part});
        if (!has_doubles(i)) continue;
        doubles[i].resize(found[i].size());
        reads.back().out = std::as_writable_bytes(std::span(doubles[i]));
        reads.back().how.memory_type = Datatype::of<double>();
      }
      file.read_multi(reads);
      for (std::size_t i = 0; i < sets.size(); ++i)
        if (has_doubles(i))
          std::transform(doubles[i].begin(), doubles[i].end(), found[i].begin(),
                         [](double v) { return static_cast<std::int32_t>(v); });
      for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t n = 0; n < found[i].size(); ++n) {
          const std::uint64_t row = n / parts[i].count[1];
          const std::uint64_t column = parts[i].start[1] + n % parts[i].count[1];
          ASSERT_EQ(found[i][n], model[i][static_cast<std::size_t>(row * width() + column)])
              << "dataset " << i << " row " << row << " column " << column;
        }
    }
    file.close();
    barrier();
  }
}

}  // namespace
}  // namespace onecast::test
