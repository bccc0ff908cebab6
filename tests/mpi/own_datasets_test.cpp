// Calls in which each rank names its own datasets
#include <algorithm>
#include <deque>

#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class OwnDatasetsTest : public ParallelTest {
 protected:
  using Values = std::vector<std::int32_t>;
  static constexpr std::uint64_t kCount = 300;

  static std::span<const std::byte> bytes_of(const Values& values) {
    return std::as_bytes(std::span(values));
  }
  static std::span<std::byte> room_of(Values& values) {
    return std::as_writable_bytes(std::span(values));
  }

  /// Returns options for each kind of storage.
  static std::vector<DatasetOptions> kinds() {
    return {{.layout = Layout::contiguous},
            {.layout = Layout::compact},
            {.chunk = {64}},
            {.chunk = {64}, .filters = {Filter::deflate(1)}}};
  }

  /// Creates `count` datasets of each kind.
  static std::vector<Dataset> create(Group root, int count) {
    std::vector<Dataset> all;
    for (const DatasetOptions& options : kinds())
      for (int i = 0; i < count; ++i)
        all.push_back(root.create_dataset("x" + std::to_string(all.size()),
                                          {.type = Datatype::of<std::int32_t>(),
                                           .space = Dataspace({kCount}),
                                           .options = options}));
    return all;
  }
  static std::vector<Dataset> create_texts(Group root, int count) {
    std::vector<Dataset> all;
    for (int i = 0; i < count; ++i)
      all.push_back(root.create_dataset("t" + std::to_string(i), {kText, Dataspace({2})}));
    return all;
  }

  /// Writes everything as rank `index` of `parts`, which has every parts-th dataset.
  static void write_dealt(File& file, int index, int parts) {
    const std::vector<Dataset> numbers = create(file.root(), 5);
    const std::vector<Dataset> texts = create_texts(file.root(), 5);
    std::vector<WriteRequest> requests;
    std::deque<Values> values;
    std::deque<NewValues> made;
    std::deque<std::vector<std::byte>> elements;
    const auto is_mine = [&](std::size_t i) { return static_cast<int>(i) % parts == index; };
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!is_mine(i)) continue;
      const std::vector<std::string> strings{"text " + std::to_string(i), "another"};
      elements.push_back(made.emplace_back().strings(kText, strings));
      requests.push_back({texts[i], elements.back(), {.values = &made.back()}});
    }
    for (std::size_t i = numbers.size(); i-- > 0;) {
      if (!is_mine(i)) continue;
      values.push_back(count_up(kCount, static_cast<std::int32_t>(1000 * i)));
      requests.push_back({numbers[i], bytes_of(values.back())});
    }
    file.write_multi(requests, {}, Datasets::own);
  }

  static void expect_dealt(const File& file) {
    for (std::size_t i = 0; i < 5 * kinds().size(); ++i)
      EXPECT_EQ(file.root().open_dataset("x" + std::to_string(i)).read<std::int32_t>(),
                count_up(kCount, static_cast<std::int32_t>(1000 * i)))
          << i;
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(file.root().open_dataset("t" + std::to_string(i)).read<std::string>(),
                (std::vector<std::string>{"text " + std::to_string(i), "another"}));
  }
};

TEST_F(OwnDatasetsTest, OneCallWhereDataHasItsPlace) {
  File file = File::create(path(), world_);
  std::vector<Dataset> zones;
  for (int i = 0; i < size(); ++i)
    zones.push_back(file.root().create_dataset(
        "zone " + std::to_string(i), {.type = Datatype::of<std::int32_t>(),
                                      .space = Dataspace({kCount + static_cast<std::uint64_t>(i)}),
                                      .options = {.layout = Layout::contiguous}}));
  const auto mine = static_cast<std::size_t>(rank());
  const Values values = count_up(kCount + mine, rank());
  const std::vector<WriteRequest> writes{{zones[mine], bytes_of(values)}};
  const IoStats written = counts(file, [&] { file.write_multi(writes, {}, Datasets::own); });
  EXPECT_LE(written.collectives, 2U);
  Values read(values.size());
  const std::vector<ReadRequest> reads{{zones[mine], room_of(read)}};
  file.read_multi(reads, {}, Datasets::own);
  EXPECT_EQ(read, values);
  file.close();
  const File again = File::open(path(), Access::read_only, world_);
  for (int i = 0; i < size(); ++i)
    EXPECT_EQ(again.root().open_dataset("zone " + std::to_string(i)).read<std::int32_t>(),
              count_up(kCount + static_cast<std::uint64_t>(i), i));
}

TEST_F(OwnDatasetsTest, EveryKindOfStorageAndTheBytesOfOneProcess) {
  File file = File::create(path(), world_);
  write_dealt(file, rank(), size());
  expect_dealt(file);
  file.close();
  if (const auto alone = first_ranks(1)) {
    File one = File::create(path("one.h5"), *alone);
    write_dealt(one, 0, 1);
    one.close();
  }
  EXPECT_TRUE(contents(path()) == contents(path("one.h5")));
  expect_dealt(File::open(path(), Access::read_only, world_));
}

TEST_F(OwnDatasetsTest, RanksMayHaveNothingOrPartsOfOneDataset) {
  File file = File::create(path(), world_);
  const std::vector<Dataset> all = create(file.root(), 1);
  const Hyperslab part = my_share(kCount);
  const Values values = count_up(part, 5);
  std::vector<WriteRequest> writes;
  // The last rank has no part of the first datasets, and writes to the others in another order.
  for (std::size_t i = 0; i < all.size(); ++i)
    if (rank() != last() || i >= 2) writes.push_back({all[i], bytes_of(values), part});
  if (rank() == last()) std::reverse(writes.begin(), writes.end());
  file.write_multi(writes, {}, Datasets::own);
  file.write_multi(rank() == 0 ? writes : std::vector<WriteRequest>(), {}, Datasets::own);
  file.flush();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Values expected = count_up(kCount, 5);
    const auto missing = static_cast<std::ptrdiff_t>(share(kCount, last(), size()).start[0]);
    if (i < 2) std::fill(expected.begin() + missing, expected.end(), 0);
    EXPECT_EQ(all[i].read<std::int32_t>(), expected) << i;
  }
  file.close();
}

TEST_F(OwnDatasetsTest, ReadsOfEveryKindSeeWhatOthersWrote) {
  File file = File::create(path(), world_);
  write_dealt(file, rank(), size());
  file.close();
  const auto check = [&](File& from, int of, std::optional<Sharing> sharing) {
    // The lists differ in length, and overlap partly.
    std::deque<Values> rooms;
    std::vector<ReadRequest> reads;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < 20; ++i)
      if (static_cast<int>(i) % size() == of || i % 5 == 1 || (of == 0 && i % 2 == 0)) {
        reads.push_back({from.root().open_dataset("x" + std::to_string(i)),
                         room_of(rooms.emplace_back(kCount)),
                         {.sharing = sharing}});
        which.push_back(i);
      }
    if (of == last() && size() > 2) reads.resize(1, reads.front());
    from.read_multi(reads, {}, Datasets::own);
    for (std::size_t i = 0; i < reads.size(); ++i)
      EXPECT_EQ(rooms[i], count_up(kCount, static_cast<std::int32_t>(1000 * which[i]))) << i;
  };
  for (const Sharing sharing : {Sharing::automatic, Sharing::trust, Sharing::serve}) {
    File again = File::open(path(), Access::read_only, world_);
    check(again, rank(), sharing);
    again.close();
  }
  File writing = File::open(path(), Access::read_write, world_);
  for (std::size_t i = 0; i < 20; ++i)
    if (static_cast<int>(i) % size() == rank())
      writing.root()
          .open_dataset("x" + std::to_string(i))
          .write(count_up(kCount, static_cast<std::int32_t>(1000 * i)));
  check(writing, (rank() + 1) % size(), std::nullopt);
  writing.close();
}

TEST_F(OwnDatasetsTest, OneRanksErrorIsThatOfAll) {
  if (size() == 1) GTEST_SKIP();
  File file = File::create(path(), world_);
  const std::vector<Dataset> all = create(file.root(), size());
  file.flush();
  const Values values = count_up(kCount);
  const Error error = same_error([&] {
    const Values short_of_one(kCount - (rank() == 1 ? 1 : 0));
    file.write_multi(
        std::vector<WriteRequest>{{all[static_cast<std::size_t>(rank())], bytes_of(short_of_one)}},
        {}, Datasets::own);
  });
  EXPECT_NE(std::string_view(error.what()).find("rank 1: "), std::string_view::npos);
  // The ranks must also agree on this argument.
  const Error different = same_error([&] {
    file.write_multi(std::vector<WriteRequest>{{all[0], bytes_of(values)}}, {},
                     rank() == 0 ? Datasets::own : Datasets::same);
  });
  EXPECT_EQ(different.code(), ErrorCode::diverged);
  file.write_multi_async(
          std::vector<WriteRequest>{{all[static_cast<std::size_t>(rank())], bytes_of(values)}}, {},
          Datasets::own)
      .wait();
  Values read(kCount);
  file.read_multi_async(
          std::vector<ReadRequest>{{all[static_cast<std::size_t>(rank())], room_of(read)}}, {},
          Datasets::own)
      .wait();
  EXPECT_EQ(read, values);
  file.close();
}

}  // namespace
}  // namespace onecast::test
