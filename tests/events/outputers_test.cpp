// Outputers of files on several threads, for the sanitizers
#include <gtest/gtest.h>

#include "onecast/events/run.hpp"
#include "support/temporary_directory.hpp"

namespace onecast::events {
namespace {

struct Kind {
  const char* outputer;
  const char* source;
};

class OutputersTest : public testing::TestWithParam<Kind> {
 protected:
  test::TemporaryDirectory directory_;
  Registry components_ = standard_components();
};

TEST_P(OutputersTest, EventsComeBackThroughThreads) {
  const std::string path = directory_ / "events";
  const auto [outputer_text, source_text] = GetParam();
  std::string outputer_of_file = outputer_text;
  outputer_of_file.replace(outputer_of_file.find("FILE"), 4, path);
  const RunOptions options{.threads = 3, .lanes = 5};
  const auto source =
      components_.source("TestProducts:events=200:products=6:size=900:types=both:lumi=9");
  const auto outputer = components_.outputer(outputer_of_file);
  const Statistics written = run(*source, *outputer, nullptr, options);
  EXPECT_EQ(written.events, 200U);

  const auto back = components_.source(std::string(source_text) + path);
  const auto serialize = components_.outputer("Serialize");
  const Statistics read = run(*back, *serialize, nullptr, options);
  EXPECT_EQ(read.events, 200U);
  EXPECT_GE(read.product_bytes, written.product_bytes);  // PDS pads products
}

INSTANTIATE_TEST_SUITE_P(
    , OutputersTest,
    testing::Values(Kind{"PDS=FILE:compression=zstd", "PDS="},
                    Kind{"HDF5Product=FILE:batch=7", "HDF5="},
                    Kind{"HDF5Product=FILE:compression=lz4:batch=7", "HDF5="},
                    Kind{"HDF5Event=FILE:compression=zstd:batch=7", "HDF5="},
                    Kind{"HDF5Batch=FILE:compression=zstd:unit=both:batch=7", "HDF5="},
                    Kind{"HDF5Columnar=FILE:batch=7:chunk=1k", "HDF5="},
                    Kind{"HDF5Columnar=FILE:batch=7:chunk=2k:compression=zstd", "HDF5="}));

}  // namespace
}  // namespace onecast::events
