// Contiguous data with the fill time `never`, in space that held other data before
#include <span>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kEach = 50;

class NeverFilledTest : public ParallelTest {
 protected:
  [[nodiscard]] std::uint64_t elements() const {
    return kEach * static_cast<std::uint64_t>(size());
  }

  /// Creates a dataset in the place of a removed one.
  Dataset create_again(File& file, FillTime fill_time) {
    const DatasetOptions contiguous{.layout = Layout::contiguous, .fill_time = fill_time};
    const auto create = [&](const char* name, std::span<const std::byte> data) {
      return file.root().create_dataset(name, {.type = Datatype::of<std::int32_t>(),
                                               .space = Dataspace({elements()}),
                                               .data = data,
                                               .options = contiguous});
    };
    const auto old = count_up(elements(), 1000);
    create("old", std::as_bytes(std::span(old)));
    file.flush();
    file.root().remove("old");
    file.flush();
    return create("new", {});
  }
};

/// A barrier is enough, as with HDF5.
TEST_F(NeverFilledTest, RanksReadWhatOthersHaveWritten) {
  File file = File::create(path(), world_);
  Dataset data = create_again(file, FillTime::never);
  data.write(count_up(kEach, static_cast<std::int32_t>(kEach) * rank()), my_share(elements()));
  barrier();
  EXPECT_EQ(data.read<std::int32_t>(), count_up(elements()));
  barrier();
  file.flush();
  EXPECT_EQ(data.read<std::int32_t>(), count_up(elements()));
  file.close();
}

TEST_F(NeverFilledTest, NothingOldIsStored) {
  for (const FillTime fill_time : {FillTime::never, FillTime::if_set}) {
    File file = File::create(path(), world_);
    Dataset data = create_again(file, fill_time);
    if (rank() == 0) data.write(count_up(kEach), share(elements(), 0, size()));
    file.close();
    auto expected = count_up(kEach);
    expected.resize(elements());
    EXPECT_EQ(File::open(path()).root().open_dataset("new").read<std::int32_t>(), expected);
    barrier();
  }
}

}  // namespace
}  // namespace onecast::test
