// forecast_transfer describes a call as File::explain does after the call.
#include "onecast/objects/forecast.hpp"

#include <cstdlib>

#include "onecast/objects/details.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

using Pattern = PlannedTransfer::Pattern;

/// The shape of the parts of all ranks.
struct PartShape {
  Pattern pattern = Pattern::contiguous;
  std::uint64_t bytes = 0;
  std::uint64_t piece = 1;
};

class ForecastTest : public ParallelTest {
 protected:
  ~ForecastTest() override { unsetenv("ONECAST_PRETEND_STRIPES"); }

  /// Returns many and few pieces, small and large, equally many on each rank or not; on some ranks,
  /// or on all but one, there are none.
  [[nodiscard]] std::vector<PartShape> shapes() const {
    const auto ranks = static_cast<std::uint64_t>(size());
    std::vector<PartShape> all;
    for (const std::uint64_t bytes : {std::uint64_t{5}, 4000 * ranks + 3})
      for (const Pattern pattern : {Pattern::contiguous, Pattern::same})
        all.push_back({pattern, bytes});
    all.push_back({Pattern::contiguous, 1'100'000 * ranks});
    all.push_back({Pattern::same, 1'100'000});
    for (const std::uint64_t pieces :
         {std::uint64_t{1}, 2 * ranks - 1, 12 * ranks - 1, 60 * ranks + 1})
      all.push_back({Pattern::interleaved, pieces * 100, 100});
    all.push_back({Pattern::interleaved, (2 * ranks - 1) * 70'000, 70'000});
    return all;
  }

  [[nodiscard]] Selection part_of(const PartShape& shape) const {
    const auto ranks = static_cast<std::uint64_t>(size());
    const auto me = static_cast<std::uint64_t>(rank());
    if (shape.pattern == Pattern::same) return {};
    if (shape.pattern == Pattern::contiguous) {
      const std::uint64_t each = shape.bytes / ranks;
      const std::uint64_t more = shape.bytes % ranks;
      const std::uint64_t count = each + (me < more ? 1 : 0);
      if (count == 0) return Selection::none();
      return Hyperslab{{each * me + std::min(me, more)}, {count}};
    }
    const std::uint64_t pieces = shape.bytes / shape.piece;
    const std::uint64_t mine = pieces / ranks + (me < pieces % ranks ? 1 : 0);
    if (mine == 0) return Selection::none();
    return Hyperslab{{me * shape.piece}, {mine}, {ranks * shape.piece}, {shape.piece}};
  }

  void expect_as_forecast(const File& file, const std::string& call, PlannedTransfer planned,
                          const FileOptions& options) const {
    planned.reading = call == "read_all";
    const TransferForecast forecast = forecast_transfer(path(), planned, options);
    const std::string told = file.explain();
    // If ranks do not ask each other, each counts only its own bytes.
    const bool alone = told.find("on this rank") != std::string::npos;
    const std::string sentence =
        alone ? forecast.sentence.substr(0, forecast.sentence.find(';')) : forecast.sentence;
    EXPECT_EQ(told.rfind(call + ": " + sentence + "; ", 0), 0U)
        << told << "\nforecast: " << forecast.sentence;
    EXPECT_EQ(forecast.sentence.rfind(forecast.method + ": ", 0), 0U);
  }

  [[nodiscard]] PlannedTransfer planned_for(const Dataset& x, const PartShape& shape) const {
    PlannedTransfer planned;
    planned.pattern = shape.pattern;
    planned.first = chunk_ == 0 ? storage_of(x).address.value_or(0) : 0;
    planned.bytes = shape.bytes;
    planned.piece = shape.piece;
    planned.chunk = std::min(chunk_, shape.bytes);
    planned.ranks = static_cast<std::uint32_t>(size());
    return planned;
  }

  void read(const File& file, const Dataset& x, const PartShape& shape,
            const FileOptions& options) const {
    const bool different = size() > 1 && shape.pattern != Pattern::same;
    if (different && options.sharing == Sharing::trust) return;  // programs must not do that
    std::vector<std::byte> bytes = buffer_for(shape);
    PlannedTransfer planned = planned_for(x, shape);
    if (different && options.sharing == Sharing::verify) {
      static_cast<void>(same_error([&] { x.read_all(bytes, part_of(shape)); }));
      planned.reading = true;
      EXPECT_EQ(forecast_transfer(path(), planned, options).method, "none");
      return;
    }
    x.read_all(bytes, part_of(shape));
    expect_as_forecast(file, "read_all", planned, options);
  }

  [[nodiscard]] std::vector<std::byte> buffer_for(const PartShape& shape) const {
    const bool is_all = shape.pattern == Pattern::same;
    return std::vector<std::byte>(
        static_cast<std::size_t>(is_all ? shape.bytes : part_of(shape).element_count()));
  }

  /// `stripes` is a value of ONECAST_PRETEND_STRIPES; empty for an ordinary file system.
  void check_on(const std::string& stripes, const FileOptions& options) const {
    SCOPED_TRACE(testing::Message()
                 << "stripes " << stripes << ", method " << static_cast<int>(options.method)
                 << ", sharing " << static_cast<int>(options.sharing));
    if (stripes.empty())
      unsetenv("ONECAST_PRETEND_STRIPES");
    else
      setenv("ONECAST_PRETEND_STRIPES", stripes.c_str(), 1);
    check(options);
  }

  void check(const FileOptions& options) const {
    const auto told = [](const PartShape& shape) {
      return testing::Message() << "pattern " << static_cast<int>(shape.pattern) << ", "
                                << shape.bytes << " bytes, pieces of " << shape.piece;
    };
    File file = File::create(path(), world_, options);
    std::vector<Dataset> datasets;
    for (const PartShape& shape : shapes()) {
      SCOPED_TRACE(told(shape));
      DatasetOptions storage;
      storage.layout = chunk_ == 0 ? Layout::contiguous : Layout::chunked;
      if (chunk_ != 0) {
        storage.chunk = {std::min(chunk_, shape.bytes)};
        storage.filters = {Filter::deflate(1)};
      }
      Dataset& x = datasets.emplace_back(file.root().create_dataset(
          std::to_string(datasets.size()), {.type = Datatype::of<std::uint8_t>(),
                                            .space = Dataspace({shape.bytes}),
                                            .options = storage}));
      x.write_all(buffer_for(shape), part_of(shape));
      expect_as_forecast(file, "write_all", planned_for(x, shape), options);
      // In a file open for writing, ranks that trust each other may have different data.
      const bool may_differ = options.sharing == Sharing::trust;
      if (!may_differ || options.method != TransferMethod::plain) read(file, x, shape, options);
    }
    file.close();
    barrier();
    const File again = File::open(path(), Access::read_only, world_, options);
    for (std::size_t i = 0; i < datasets.size(); ++i) {
      const PartShape shape = shapes()[i];
      SCOPED_TRACE(told(shape));
      const Dataset x = again.root().open_dataset(std::to_string(i));
      if (shape.bytes > options.small_data_limit) read(again, x, shape, options);
    }
    barrier();
  }

  std::uint64_t chunk_ = 0;  ///< bytes of a filtered chunk; 0 if contiguous
};

TEST_F(ForecastTest, OfEachMethod) {
  for (const char* stripes : {"", "4096:3", "65536:4"})
    for (const auto method :
         {TransferMethod::automatic, TransferMethod::plain, TransferMethod::independent,
          TransferMethod::collective, TransferMethod::broadcast})
      if (method == TransferMethod::automatic || stripes != std::string("65536:4"))
        check_on(stripes, {.method = method});
}

TEST_F(ForecastTest, OfEachSharing) {
  for (const auto sharing : {Sharing::trust, Sharing::verify, Sharing::serve}) {
    check_on("", {.sharing = sharing});
    check_on("", {.sharing = sharing, .method = TransferMethod::plain});
    check_on("4096:3", {.sharing = sharing});
  }
}

TEST_F(ForecastTest, OfHints) {
  FileOptions options;
  options.hints = {{"romio_cb_write", "enable"}, {"romio_cb_read", "disable"}, {"cb_nodes", "1"}};
  check(options);
}

FileOptions with_cache(std::uint64_t bytes, FileOptions options) {
  options.chunk_cache_bytes = bytes;
  return options;
}

TEST_F(ForecastTest, OfFilteredChunks) {
  for (const std::uint64_t chunk : {70U, 1000U, 70'000U})
    for (const std::uint64_t cache : {0U, 2000U, 1U << 24U})
      for (const auto sharing :
           {Sharing::automatic, Sharing::trust, Sharing::verify, Sharing::serve}) {
        SCOPED_TRACE(testing::Message() << "chunks of " << chunk << ", cache of " << cache);
        chunk_ = chunk;
        check_on("4096:3", with_cache(cache, {.sharing = sharing}));
      }
  for (const auto method :
       {TransferMethod::plain, TransferMethod::independent, TransferMethod::collective})
    check_on("", with_cache(2000, {.method = method}));
}

}  // namespace
}  // namespace onecast::test
