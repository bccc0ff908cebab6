// A collective read into another type, or into a part of an array, takes a small buffer. h5py wrote
// the files.
#include "faults.hpp"
#include "parallel_test.hpp"
#include "space/bound_selection.hpp"
#include "support/environment.hpp"
#include "support/most_memory.hpp"
#include "support/python.hpp"

namespace onecast::test {

using namespace space;
namespace {

class ConvertedMemoryTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kRows = 1800;
  static constexpr std::uint64_t kColumns = 1000;  // 7 MB of floats
  static constexpr std::uint64_t kCount = kRows * kColumns;
  static constexpr std::uint64_t kBuffer = std::uint64_t{1} << 20U;
  /// The limit is less than a copy of the floats. MPI keeps messages that come before a rank asks
  /// for them.
  static constexpr std::uint64_t kMost = std::uint64_t{13} << 19U;
  static inline const std::vector<std::string> kDatasets{"contiguous", "plain chunks",
                                                         "filtered chunks", "columns"};

  void SetUp() override {
    ONECAST_NEEDS_H5PY();
    leaves_damage_ = true;
    if (rank() == 0) {
      const auto made = run_script(__FILE__, "make_converted.py", "'" + path() + "'");
      EXPECT_EQ(made.status, 0) << made.text;
    }
    barrier();
  }

  static std::int32_t value(std::uint64_t element) {
    return static_cast<std::int32_t>((element / kColumns * 7 + element % kColumns) % 30000);
  }
  /// Returns the values of a part, in its order.
  template <class T>
  static std::vector<T> values_of(const Selection& part) {
    std::vector<T> all;
    BoundSelection(Dataspace({kRows, kColumns}), part, "test")
        .for_each_run([&](std::uint64_t first, std::uint64_t count) {
          for (std::uint64_t i = first; i < first + count; ++i)
            all.push_back(static_cast<T>(value(i)));
        });
    return all;
  }

  /// All ranks read that part into elements of type T. Returns the memory that this took.
  template <class T>
  static std::uint64_t read(const Dataset& d, const Selection& part) {
    const std::vector<T> expected = values_of<T>(part);
    std::vector<T> found(expected.size(), T{77});
    const std::uint64_t most = most_memory([&] { d.read_all(found, part); });
    EXPECT_TRUE(found == expected) << d.path();
    return most;
  }
  /// Reads into elements that are smaller than, as large as, or larger than the stored ones,
  /// depending on the rank.
  std::uint64_t read_differently(const Dataset& d, const Selection& part) const {
    switch (rank() % 3) {
      case 0:
        return read<std::int16_t>(d, part);
      case 1:
        return read<float>(d, part);
      default:
        return read<double>(d, part);
    }
  }
  static std::vector<Selection> parts() {
    return {Hyperslab{{0, 0}, {kRows, kColumns}, {}, {}},
            Hyperslab{{3, 5}, {kRows / 2 - 3, kColumns - 8}, {2, 1}, {}},
            Hyperslab{{1, 2}, {kRows / 5, kColumns / 4 - 1}, {5, 4}, {3, 3}},
            Selection(Hyperslab{{0, 0}, {1500, 900}, {}, {}}) |
                Hyperslab{{500, 500}, {1300, 500}, {}, {}}};
  }
  /// Makes MPI and the file allocate what they need once.
  static void warm_up(const Dataset& d) {
    read<float>(d, Hyperslab{{0, 0}, {150, kColumns}, {}, {}});
  }
  static Selection nothing_of_all() { return Hyperslab{{0, 0}, {0, 0}, {}, {}}; }
  [[nodiscard]] File open(FileOptions options = {}) const {
    options.collective_buffer = kBuffer;
    options.small_data_limit = 0;
    options.chunk_cache_bytes = 0;
    options.decode_threads = 1;
    return File::open(path(), Access::read_only, world_, options);
  }
};

TEST_F(ConvertedMemoryTest, TheSameOnAllRanks) {
  for (const Sharing sharing : {Sharing::automatic, Sharing::trust, Sharing::serve}) {
    const File file = open({.sharing = sharing});
    for (const std::string& name : kDatasets) {
      const Dataset d = file.root().open_dataset(name);
      warm_up(d);
      for (const Selection& part : parts()) EXPECT_LE(read<std::int16_t>(d, part), kMost) << name;
    }
  }
}

TEST_F(ConvertedMemoryTest, IntoOtherTypesOnOtherRanks) {
  for (const Sharing sharing : {Sharing::automatic, Sharing::trust, Sharing::serve}) {
    const File file = open({.sharing = sharing});
    for (const std::string& name : kDatasets) {
      const Dataset d = file.root().open_dataset(name);
      warm_up(d);
      EXPECT_LE(read_differently(d, parts().front()), kMost) << name;
      EXPECT_LE(read_differently(d, parts().back()), kMost) << name;
    }
  }
}

/// All ranks read in equally many parts, each once; in one part if no rank converts.
TEST_F(ConvertedMemoryTest, HowManyMessages) {
  if (size() == 1) GTEST_SKIP() << "one process sends none";
  const SharesNoMemory broadcasts;
  const File file = open();
  const Dataset d = file.root().open_dataset("contiguous");
  const IoStats one = counts(file, [&] { read<float>(d, parts().front()); });
  EXPECT_EQ(one.collectives, 2U);
  const IoStats some = counts(file, [&] { read_differently(d, parts().front()); });
  EXPECT_EQ(some.collectives, 9U);
  EXPECT_EQ(some.bytes_read, rank() == 0 ? kCount * sizeof(float) : 0);
  const IoStats columns =
      counts(file, [&] { read_differently(file.root().open_dataset("columns"), parts().front()); });
  EXPECT_EQ(columns.collectives, 9U);
  EXPECT_LE(columns.reads, kColumns / 10) << "no chunk is read twice";
}

TEST_F(ConvertedMemoryTest, TheFirstRankFailsHalfWay) {
  const Faults faults = faults_on(0, world_);
  FileOptions options;
  options.collective_buffer = kBuffer;
  options.small_data_limit = 0;
  const File file = ParallelTest::open(path(), Access::read_only, options, faults.factory());
  const Dataset d = file.root().open_dataset("contiguous");
  for (const std::uint64_t number : {1U, 3U, 6U}) {
    faults.fail(Call::read, number);
    EXPECT_EQ(same_error([&] { read<std::int16_t>(d, parts().front()); }).code(), ErrorCode::io);
    faults.stop();
    read_differently(d, parts().front());
  }
}

/// The parts differ between ranks, and overlap largely.
TEST_F(ConvertedMemoryTest, EachItsPart) {
  const auto r = static_cast<std::uint64_t>(rank());
  const std::vector<Selection> mine{Hyperslab{{r, r}, {kRows - 8, kColumns - 8}, {}, {}},
                                    Hyperslab{{r, r}, {kRows / 2 - 8, kColumns - 10}, {2, 1}, {}},
                                    Hyperslab{{r, r % 2}, {kRows - 8, kColumns / 2}, {1, 2}, {}}};
  for (const TransferMethod method :
       {TransferMethod::automatic, TransferMethod::independent, TransferMethod::collective}) {
    const File file = open({.method = method});
    for (const std::string& name : kDatasets) {
      const Dataset d = file.root().open_dataset(name);
      for (const Selection& part : mine) {
        warm_up(d);
        EXPECT_LE(read<std::int16_t>(d, part), kMost + kBuffer) << name;
        // A rank that wants nothing takes part.
        if (rank() == last())
          read<std::int16_t>(d, nothing_of_all());
        else
          read_differently(d, part);
      }
    }
  }
}

TEST_F(ConvertedMemoryTest, Lists) {
  const auto r = static_cast<std::uint64_t>(rank());
  const Hyperslab all{{0, 0}, {kRows, kColumns}, {}, {}};
  for (const Sharing sharing : {Sharing::automatic, Sharing::trust, Sharing::serve})
    for (const Hyperslab& mine : {all, Hyperslab{{r, r}, {kRows - 8, kColumns - 8}, {}, {}},
                                  Hyperslab{{r, r % 2}, {kRows - 8, kColumns / 2}, {1, 2}, {}}}) {
      const Hyperslab& part = sharing == Sharing::trust ? all : mine;
      const File file = open({.sharing = sharing});
      const std::vector<std::int16_t> expected = values_of<std::int16_t>(part);
      const std::vector<float> stored = values_of<float>(part);
      std::vector<std::vector<std::int16_t>> found(kDatasets.size());
      std::vector<float> others(expected.size());
      std::vector<ReadRequest> list;
      for (std::size_t i = 0; i < kDatasets.size(); ++i) {
        found[i].assign(expected.size(), 77);
        list.emplace_back(file.root().open_dataset(kDatasets[i]), found[i], part);
      }
      if (rank() == 1) {  // this rank has nothing to convert
        list[0] = {list[0].dataset, others, part};
        found[0] = expected;
      }
      warm_up(list.front().dataset);
      const std::uint64_t most = most_memory([&] { file.read_multi(list); });
      EXPECT_LE(most, 2 * kMost + kBuffer);
      for (const auto& values : found) EXPECT_TRUE(values == expected);
      if (rank() == 1) {
        EXPECT_TRUE(others == stored);
      }
    }
}

/// The first rank reads the parts that all ranks want, in stored form.
TEST_F(ConvertedMemoryTest, Virtual) {
  const auto r = static_cast<std::uint64_t>(rank());
  const File file = open();
  const Dataset d = file.root().open_dataset("virtual");
  for (const Selection& part : parts()) {
    warm_up(d);
    const std::uint64_t most = read<std::int16_t>(d, part);
    if (rank() != 0) {
      EXPECT_LE(most, kMost);
    }
    read_differently(d, part);
  }
  for (const Selection& mine :
       {Selection(Hyperslab{{r, r}, {kRows - 8, kColumns - 8}, {}, {}}),
        Selection(Hyperslab{{r, r % 2}, {kRows / 2 - 8, kColumns / 3}, {2, 3}, {1, 2}}),
        Selection(Hyperslab{{0, r}, {700, 900}, {}, {}}) |
            Hyperslab{{400, 0}, {1000, 500}, {}, {}}}) {
    read<std::int16_t>(d, mine);
    read_differently(d, mine);
  }
}

/// Reads into two columns of blocks, which alternate.
TEST_F(ConvertedMemoryTest, MemoryThatIsAUnion) {
  const Shape shape{kRows, 3, kColumns};
  const MemoryLayout inside(
      shape, Selection(Hyperslab{{0, 0, 0}, {kRows / 2, 1, kColumns}, {2, 1, 1}, {}}) |
                 Hyperslab{{1, 2, 0}, {kRows / 2, 1, kColumns}, {2, 1, 1}, {}});
  std::vector<std::int16_t> found(shape[0] * shape[1] * shape[2]);
  const File file = open();
  for (const std::string& name : kDatasets) {
    const Dataset d = file.root().open_dataset(name);
    std::fill(found.begin(), found.end(), std::int16_t{-1});
    warm_up(d);
    const std::uint64_t most = most_memory([&] { d.read_all(found, {.memory = inside}); });
    EXPECT_LE(most, kMost) << name;
    for (std::uint64_t i = 0; i < found.size(); ++i) {
      const std::uint64_t row = i / kColumns / 3;
      const bool is_inside = i / kColumns % 3 == row % 2 * 2;
      ASSERT_EQ(found[i], is_inside ? value(row * kColumns + i % kColumns) : -1);
    }
  }
}

/// Reads into the middle of a larger array.
TEST_F(ConvertedMemoryTest, MemoryWithABorder) {
  constexpr std::uint64_t kBorder = 2;
  const Shape shape{kRows + 2 * kBorder, kColumns + 2 * kBorder};
  const MemoryLayout inside(shape, Hyperslab{{kBorder, kBorder}, {kRows, kColumns}, {}, {}});
  std::vector<float> found(shape[0] * shape[1]);
  const File file = open();
  for (const std::string& name : kDatasets) {
    const Dataset d = file.root().open_dataset(name);
    std::fill(found.begin(), found.end(), -1.0F);
    warm_up(d);
    const std::uint64_t most = most_memory([&] { d.read_all(found, {.memory = inside}); });
    EXPECT_LE(most, kMost) << name;
    for (std::uint64_t i = 0; i < found.size(); ++i) {
      const std::uint64_t row = i / shape[1] - kBorder;
      const std::uint64_t column = i % shape[1] - kBorder;
      const bool is_inside = row < kRows && column < kColumns;
      ASSERT_EQ(found[i], is_inside ? static_cast<float>(value(row * kColumns + column)) : -1.0F);
    }
  }
}

}  // namespace
}  // namespace onecast::test
