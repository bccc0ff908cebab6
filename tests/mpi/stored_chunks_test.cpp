// Chunks that ranks filtered by themselves.
#include "onecast/objects/stored_chunks.hpp"

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

using StoredChunksTest = ParallelTest;

TEST_F(StoredChunksTest, EachRankWritesItsOwn) {
  const auto count = static_cast<std::uint64_t>(size());
  const std::vector<int> values(100, 5);
  for (const bool filtered : {true, false}) {
    File file = File::create(path(), world_);
    DatasetOptions options{.chunk = {100}};
    if (filtered) options.filters = {Filter::deflate(4)};
    Dataset model =
        file.root().create_dataset("model", Datatype::of<int>(), Dataspace({100}), {}, options);
    Dataset x =
        file.root().create_dataset("x", Datatype::of<int>(), Dataspace({100 * count}), {}, options);
    model.write_equal(values);
    file.flush();
    const StoredBytes stored = read_stored_chunk(model, {0});
    const Shape mine{100 * static_cast<std::uint64_t>(rank())};
    write_stored_chunk(x, mine, stored.bytes, stored.filter_mask);
    EXPECT_TRUE(find_stored_chunk(x, mine).has_value());
    EXPECT_EQ(read_stored_chunk(x, mine).bytes, stored.bytes);
    file.flush();
    EXPECT_EQ(stored_chunks(x).size(), count);
    EXPECT_EQ(x.read_all<int>(), std::vector<int>(100 * count, 5));
    // Two ranks that write one filtered chunk are told, as by write.
    if (filtered && size() > 1) {
      write_stored_chunk(x, {0}, stored.bytes, stored.filter_mask);
      EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::diverged);
    }
    file.close();
  }
}

}  // namespace
}  // namespace onecast::test
