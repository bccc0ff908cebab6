// The text of File::explain for each way in which a collective transfer can go
#include <fmt/format.h>

#include "onecast/objects/details.hpp"
#include "onecast/objects/forecast.hpp"
#include "striped_table_test.hpp"

namespace onecast::test {
namespace {

class ExplainTest : public StripedTableTest {
 protected:
  [[nodiscard]] Dataset create_table(Group group, const Shape& chunk = {}) const {
    DatasetOptions options;
    options.chunk = chunk;
    if (chunk.empty()) options.layout = Layout::contiguous;
    return group.create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                      .space = Dataspace({kRows, width()}),
                                      .options = options});
  }
  static void write(Dataset& x, const Hyperslab& part) {
    x.write_all(count_up(part.count[0] * part.count[1]), part);
  }
  static void read(const Dataset& x, const Hyperslab& part, Sharing sharing = Sharing::automatic) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(part.count[0] * part.count[1]));
    x.read_all(std::as_writable_bytes(std::span(values)), {.part = part, .sharing = sharing});
  }
  static void expect_start(const File& file, const std::string& start) {
    EXPECT_EQ(file.explain().rfind(start, 0), 0U) << file.explain();
  }
};

TEST_F(ExplainTest, TransfersOfContiguousData) {
  File file = File::create(path(), world_);
  EXPECT_EQ(file.explain(), "no read_all or write_all yet");
  Dataset x = create_table(file.root());
  const std::uint64_t bytes = kRows * width() * sizeof(std::int32_t);
  write(x, columns(rank()));
  if (size() == 1) {
    expect_start(file,
                 "write_all: plain: there is one process; 1024 bytes on this rank; this rank "
                 "made 1 write call and 0 collective calls, in ");
    return;
  }
  expect_start(file, fmt::format("write_all: collective: {} pieces of 16 bytes on average on {} "
                                 "ranks, interleaved; {} bytes in {} pieces of {} ranks, within ",
                                 64 * size(), size(), bytes, 64 * size(), size()));
  EXPECT_NE(file.explain().find(" of 256 bytes, by "), std::string::npos) << file.explain();
  read(x, columns(rank()));
  expect_start(file, "read_all: collective: ");
  static_cast<void>(x.read_all<std::int32_t>());
  expect_start(
      file,
      fmt::format("read_all: broadcast: all ranks want one part: rank 0 reads and broadcasts; {} "
                  "bytes on this rank; this rank made {} and 2 collective calls, in ",
                  bytes, rank() == 0 ? "1 read call" : "0 read calls"));
  read(x, {{0, 0}, {1, 1}, {}, {}}, Sharing::trust);
  expect_start(file, "read_all: broadcast: sharing is trust: rank 0 reads and broadcasts; 4 bytes");
  const auto group = static_cast<std::uint64_t>(rank()) / 2;
  read(x, {{group, 0}, {1, width()}, {}, {}}, Sharing::serve);
  expect_start(file, size() == 2 ? "read_all: broadcast: all" : "read_all: serve: ranks that want");
  read(x, {{static_cast<std::uint64_t>(rank()), 0}, {1, width()}, {}, {}});
  expect_start(file, fmt::format("read_all: independent: {} pieces on {} ranks; ", size(), size()));
  write(x, {{static_cast<std::uint64_t>(rank()), 0}, {1, width()}, {}, {}});
  expect_start(file, fmt::format("write_all: collective: {} pieces of {} bytes on average on {} "
                                 "ranks, small, in shared stripes; ",
                                 size(), width() * 4, size()));
  const auto wrong = count_up(3);
  static_cast<void>(same_error([&] { x.write_all(wrong, columns(rank())); }));
  EXPECT_EQ(file.explain(), "write_all: failed");
  write(x, columns(rank()));
  file.close();
  expect_start(file, "write_all: collective: ");
}

/// Without contended stripes, few ranks wait for others.
TEST_F(ExplainTest, AnOrdinaryFileSystem) {
  if (size() == 1) GTEST_SKIP() << "one process";
  unsetenv("ONECAST_PRETEND_STRIPES");
  File file = File::create(path(), world_);
  Dataset x = create_table(file.root());
  const Hyperslab row{{static_cast<std::uint64_t>(rank()), 0}, {1, width()}};
  write(x, row);
  expect_start(
      file,
      fmt::format("write_all: plain: no rank writes many small pieces; {} bytes on this rank; "
                  "this rank made 1 write call and 1 collective call, in ",
                  width() * 4));
  read(x, row);
  expect_start(file, fmt::format("read_all: independent: {} pieces on {} ranks; ", size(), size()));
  write(x, {{0, 0}, {kRows, width()}, {}, {}});
  expect_start(file, fmt::format("write_all: broadcast: all {} ranks want the same {} bytes; ",
                                 size(), kRows * width() * 4));
  EXPECT_NE(file.explain().find(rank() == last() ? "made 1 write call " : "made 0 write calls "),
            std::string::npos)
      << file.explain();
  // One rank has many pieces, and the others do not wait for it.
  if (rank() == 0)
    write(x, columns(0));
  else
    write(x, row);
  expect_start(file,
               fmt::format("write_all: plain: one rank of {} has many small pieces; ", size()));
  EXPECT_NE(file.explain().find(fmt::format("; {} rank", size() - 1)), std::string::npos)
      << file.explain();
}

TEST_F(ExplainTest, LargePiecesInStripes) {
  if (size() == 1) GTEST_SKIP() << "one process";
  constexpr std::uint64_t kLarge = (1 << 20U) + 12;
  setenv("ONECAST_PRETEND_STRIPES", "65536:4", 1);
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", kLarge / 4 * static_cast<std::uint64_t>(size()));
  x.write_all(count_up(my_share(x.element_count())), my_share(x.element_count()));
  expect_start(file, fmt::format("write_all: edges: {} ranks, one piece of at least {} bytes each;",
                                 size(), kLarge));
  std::vector<std::int32_t> found(kLarge / 4);
  x.read_all(std::as_writable_bytes(std::span(found)), my_share(x.element_count()));
  expect_start(file, "read_all: plain: ");
  EXPECT_EQ(found, count_up(my_share(x.element_count())));
}

TEST_F(ExplainTest, MethodsThatWereAskedFor) {
  if (size() == 1) GTEST_SKIP() << "one process";
  for (const auto& [method, name] : {std::pair(TransferMethod::plain, "plain"),
                                     {TransferMethod::independent, "independent"},
                                     {TransferMethod::collective, "collective"}}) {
    FileOptions options;
    options.method = method;
    File file = File::create(path(), world_, options);
    Dataset x = create_table(file.root());
    write(x, columns(rank()));
    expect_start(file, fmt::format("write_all: {}: it was requested; ", name));
    read(x, columns(rank()));
    expect_start(file, fmt::format("read_all: {}: it was requested; ", name));
    file.close();
  }
}

/// The forecast of a call equals what the call then does.
TEST_F(ExplainTest, AsForecast) {
  using Pattern = PlannedTransfer::Pattern;
  const auto ranks = static_cast<std::uint64_t>(size());
  const auto me = static_cast<std::uint64_t>(rank());
  constexpr std::uint64_t kPieces = 10;  // the pieces of each rank
  for (const auto method : {TransferMethod::automatic, TransferMethod::plain,
                            TransferMethod::independent, TransferMethod::collective})
    // 7 ranks want less than 64 KiB of the second size. More would go through the memory that ranks
    // share after a larger transfer, which a forecast does not know.
    for (const std::uint64_t piece : {16U, 900U, 70'000U})
      for (const Pattern pattern : {Pattern::contiguous, Pattern::interleaved, Pattern::same}) {
        FileOptions options;
        options.method = method;
        File file = File::create(path(), world_, options);
        DatasetOptions storage;
        storage.layout = Layout::contiguous;
        Dataset x = file.root().create_dataset("x", {.type = Datatype::of<std::uint8_t>(),
                                                     .space = Dataspace({kPieces * ranks, piece}),
                                                     .options = storage});
        Hyperslab part{{me * kPieces, 0}, {kPieces, piece}};
        if (pattern == Pattern::interleaved) part = {{me, 0}, {kPieces, piece}, {ranks, 1}, {}};
        if (pattern == Pattern::same) part = {{0, 0}, {kPieces * ranks, piece}, {}, {}};
        std::vector<std::byte> bytes(static_cast<std::size_t>(part.count[0] * piece));
        PlannedTransfer planned;
        planned.pattern = pattern;
        planned.first = *storage_of(x).address;
        planned.bytes = kPieces * ranks * piece;
        planned.piece = piece;
        planned.ranks = static_cast<std::uint32_t>(ranks);
        const auto forecast = [&] { return forecast_transfer(path(), planned, options); };
        const auto expect_as_forecast = [&](const std::string& call) {
          const std::string sentence = forecast().sentence;
          // A rank that does not ask the others counts only its own bytes.
          const bool alone = file.explain().find("on this rank") != std::string::npos;
          expect_start(file, call + (alone ? sentence.substr(0, sentence.find(';')) : sentence));
        };
        x.write_all(bytes, part);
        expect_as_forecast("write_all: ");
        planned.reading = true;
        x.read_all(bytes, part);
        expect_as_forecast("read_all: ");
        file.close();
      }
}

TEST_F(ExplainTest, ChunksAndCompactData) {
  File file = File::create(path(), world_);
  Dataset x = create_table(file.root(), {16, 3});
  write(x, columns(rank()));
  expect_start(file, "write_all: chunked: ");
  Dataset y = file.root().create_dataset("y", {5}, count_up(5));
  y.write_all(count_up(5));
  expect_start(file, "write_all: none: compact data");
  static_cast<void>(y.read_all<std::int32_t>());
  expect_start(
      file, size() == 1 ? "read_all: plain: " : "read_all: none: the requested data is in memory");
}

}  // namespace
}  // namespace onecast::test
