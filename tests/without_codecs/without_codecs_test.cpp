// Filters without the libraries of codecs. The program has the sources of src/filters compiled
// without them, in place of those of the library.
#include <gtest/gtest.h>

#include <algorithm>

#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

const std::vector<std::string> kNeedLibraries = {"deflate", "szip", "bzip2", "lzf",
                                                 "blosc",   "lz4",  "zstd"};

class WithoutCodecsTest : public testing::Test {
 protected:
  static DatasetOptions chunked(Filter filter) {
    DatasetOptions options;
    options.chunk = {16};
    options.filters = {std::move(filter)};
    return options;
  }
  Dataset create(const Filter& filter) {
    return file_.root().create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                             .space = Dataspace({64}),
                                             .options = chunked(filter)});
  }

  TemporaryDirectory directory_;
  File file_ = File::create(directory_ / "a.h5");
};

TEST_F(WithoutCodecsTest, KnownFiltersSayWhatIsMissing) {
  for (const KnownFilter& filter : known_filters()) {
    const bool needs_library = std::ranges::count(kNeedLibraries, filter.name) != 0;
    EXPECT_EQ(filter.decodes, !needs_library) << filter.name;
    EXPECT_EQ(filter.encodes, !needs_library) << filter.name;
  }
}

TEST_F(WithoutCodecsTest, ADatasetIsRefusedByTheNameOfItsFilter) {
  for (const std::string& name : kNeedLibraries) {
    const Error error = thrown_by([&] { create(filter_named(name)); });
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(error.what()).find("(" + name + "): Onecast was built without lib"),
              std::string::npos)
        << error.what();
    EXPECT_FALSE(file_.root().contains("x"));
  }
  EXPECT_NO_THROW(create(Filter::shuffle()));
}

TEST_F(WithoutCodecsTest, BitshuffleWorksWithoutACompressor) {
  using Codec = Filter::BitshuffleCodec;
  for (const Codec codec : {Codec::lz4, Codec::zstd}) {
    const Error error = thrown_by([&] { create(Filter::bitshuffle(codec)); });
    EXPECT_NE(std::string(error.what()).find("Onecast was built without lib"), std::string::npos)
        << error.what();
  }
  Dataset dataset = create(Filter::bitshuffle(Codec::none));
  std::vector<std::int32_t> values(64);
  std::generate(values.begin(), values.end(), [n = 0]() mutable { return n += 3; });
  dataset.write(values);
  file_.close();
  file_ = File::open(directory_ / "a.h5");
  EXPECT_EQ(file_.root().open_dataset("x").read<std::int32_t>(), values);
}

TEST_F(WithoutCodecsTest, ARegisteredFilterTakesThePlace) {
  const FilterFunction copy = [](const FilterInput& input) {
    return std::vector<std::byte>(input.bytes.begin(), input.bytes.end());
  };
  register_filter(32015, "zstd of the program", copy, copy);
  const std::vector<KnownFilter> known = known_filters();
  EXPECT_EQ(std::ranges::count(known, 32015, &KnownFilter::id), 1);
  Dataset dataset = create(Filter{32015, true, {}});
  dataset.write(std::vector<std::int32_t>(64, 7));
  EXPECT_EQ(dataset.read<std::int32_t>(), std::vector<std::int32_t>(64, 7));
  EXPECT_TRUE(unregister_filter(32015));
}

}  // namespace
}  // namespace onecast::test
