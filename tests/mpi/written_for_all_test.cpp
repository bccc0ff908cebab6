// In a write_all of a complete small dataset, the highest rank writes before it communicates, as
// its bytes stay in any case.
#include <cstdlib>

#include "faults.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kFew = 10;
const Hyperslab kAll{{0}, {kFew}};
const Hyperslab kFront{{0}, {4}};

class WrittenForAllTest : public ParallelTest {
 protected:
  ~WrittenForAllTest() override { unsetenv("ONECAST_PRETEND_STRIPES"); }

  static void write(Dataset& x, const std::vector<std::int32_t>& values, const Selection& part) {
    x.write_all(std::as_bytes(std::span(values)), part);
  }
  [[nodiscard]] static std::vector<std::int32_t> read(const Dataset& x) {
    std::vector<std::int32_t> found(kFew);
    x.read_all(std::as_writable_bytes(std::span(found)), kAll);
    return found;
  }
};

TEST_F(WrittenForAllTest, OnceAndWithOneAgreement) {
  for (const char* stripes : {"", "64:4"}) {
    if (*stripes != 0) setenv("ONECAST_PRETEND_STRIPES", stripes, 1);
    File file = File::create(path(), world_, {.page_size = 4096, .compact_limit = 0});
    for (const std::uint64_t chunk : {0U, 5U}) {
      DatasetOptions options;
      if (chunk != 0) options.chunk = {chunk};
      Dataset x = file.root().create_dataset(
          "x" + std::to_string(chunk),
          {.type = Datatype::of<std::int32_t>(), .space = Dataspace({kFew}), .options = options});
      write(x, count_up(kFew), kAll);  // chunks get their places
      const auto values = count_up(kFew, 100);
      const IoStats mine = counts(file, [&] { write(x, values, kAll); });
      EXPECT_EQ(mine.writes != 0, rank() == last());
      if (size() > 1) {
        EXPECT_EQ(mine.collectives, 1U);
      }
      EXPECT_EQ(read(x), values);
    }
    file.close();
  }
}

/// This applies if ranks wait for each other. The order of ranks that do not wait is not defined.
TEST_F(WrittenForAllTest, TheHighestRankStaysWhoeverWantsWhat) {
  setenv("ONECAST_PRETEND_STRIPES", "64:4", 1);
  for (const bool last_writes_all : {true, false}) {
    File file = File::create(path(), world_, {.page_size = 4096, .compact_limit = 0});
    Dataset x = create_int32(file.root(), "x", kFew);
    const bool all = (rank() == last()) == last_writes_all;
    write(x, count_up(all ? kFew : 4, 10 * rank()), all ? kAll : kFront);
    // The expected data is that of the highest rank that writes everything, then that of the last
    // rank.
    const int lower = last_writes_all ? last() : last() - 1;
    std::vector<std::int32_t> expected =
        lower < 0 ? std::vector<std::int32_t>(kFew) : count_up(kFew, 10 * lower);
    const auto front = count_up(4, 10 * last());
    std::copy(front.begin(), front.end(), expected.begin());
    EXPECT_EQ(read(x), expected) << last_writes_all;
    file.close();
  }
}

TEST_F(WrittenForAllTest, ItsFailureIsOneOfAll) {
  const Faults faults = faults_on(last(), world_);
  File file = create(path(), {.compact_limit = 0}, faults.factory());
  Dataset x = create_int32(file.root(), "x", kFew);
  write(x, count_up(kFew), kAll);
  file.flush();
  faults.fail(Call::write);
  EXPECT_EQ(same_error([&] { write(x, count_up(kFew, 7), kAll); }).code(), ErrorCode::io);
  EXPECT_EQ(read(x), count_up(kFew));
  write(x, count_up(kFew, 8), kAll);
  EXPECT_EQ(read(x), count_up(kFew, 8));
}

TEST_F(WrittenForAllTest, WhatRankZeroCouldNotWriteIsFilled) {
  constexpr std::uint64_t kMany = 5000;
  const Faults faults = faults_on(0, world_);
  File file = create(path(), {}, faults.factory());
  create_int32(file.root(), "old", kMany).write_all(count_up(kMany, 1));
  file.flush();
  file.root().remove("old");
  file.flush();
  Dataset x = create_int32(file.root(), "new", kMany);
  const auto values = count_up(kMany, 7);
  faults.fail(Call::write);
  // One rank gets the error at once.
  EXPECT_EQ(same_error([&] {
              x.write_equal(std::as_bytes(std::span(values)));
              file.flush();
            }).code(),
            ErrorCode::io);
  file.flush();
  EXPECT_EQ(x.read<std::int32_t>(), std::vector<std::int32_t>(kMany));
}

}  // namespace
}  // namespace onecast::test
