// CGNS files with changed bytes, and other files, either end in an error or are read.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "support/corpus.hpp"
#include "support/memory_path.hpp"
#include "support/walk_cgns.hpp"

namespace onecast::test {
namespace {

/// The files are copied into memory, so that no file of the corpus is changed.
class HostileCgnsTest : public testing::Test {
 protected:
  HostileCgnsTest() {
    cg_configure(CG_CONFIG_HDF5_DISKLESS, reinterpret_cast<void*>(1));
    // Without this the library would print warnings.
    cg_error_handler([](int, char*) {});
  }
  ~HostileCgnsTest() override {
    cg_configure(CG_CONFIG_RESET, reinterpret_cast<void*>(CG_CONFIG_RESET_HDF5));
    cg_error_handler(nullptr);
  }

  static std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }
  static bool walk(const std::string& path) {
    const bool is_read = WalkCgns().run(path, CG_MODE_READ);
    WalkCgns().run(path, CG_MODE_MODIFY);
    return is_read;
  }
};

TEST_F(HostileCgnsTest, ChangedBytes) {
  MemoryPath file;
  std::mt19937 random(7);
  bool any = false;
  for (const auto& path : corpus_files("cgns")) {
    const auto sound = bytes_of(path);
    if (sound.size() > (1U << 20U)) continue;
    any = true;
    EXPECT_TRUE(walk(file.write(sound))) << path << ": " << cg_get_error();
    for (int i = 0; i < 30; ++i) {
      auto changed = sound;
      for (int flip = 0; flip < 20; ++flip)
        changed[random() % changed.size()] = static_cast<std::byte>(random());
      walk(file.write(changed));
    }
    walk(file.write(std::span(sound).first(sound.size() / 2)));
  }
  if (!any) GTEST_SKIP() << "no corpus";
}

TEST_F(HostileCgnsTest, FilesThatAreNoCgns) {
  const auto files = corpus_files("hostile");
  if (files.empty()) GTEST_SKIP() << "no corpus";
  for (const auto& path : files) EXPECT_FALSE(walk(path)) << path;
}

}  // namespace
}  // namespace onecast::test
