#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "support/corpus.hpp"
#include "support/read_everything.hpp"

/// Files made to break readers end in an Error, or are read: no crash, no hang, no huge allocation.
namespace onecast::test {
namespace {

constexpr unsigned kSeconds = 10;
constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20U;

/// Returns the peak memory of this process.
std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Runs `action` in a process of its own with a time limit. Returns "" if it finished.
std::string in_child(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSeconds);
    try {
      action();
    } catch (const Error&) {
      _exit(0);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "failed with " + std::to_string(WEXITSTATUS(status));
}

void read_as(const std::filesystem::path& path, LoadPolicy policy, std::uint64_t budget) {
  const std::uint64_t before = peak_memory();
  FileOptions options;
  options.load_policy = policy;
  options.metadata_budget = budget;
  ReadEverything().run(path, options);
  const std::uint64_t taken = peak_memory() - before;
  if (taken > kMostMemory + std::filesystem::file_size(path))
    throw std::logic_error(std::to_string(taken) + " bytes of memory");
}

class Hostile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Hostile, EndsInAnErrorOrIsRead) {
  const auto& path = GetParam();
  EXPECT_EQ(in_child([&] { read_as(path, LoadPolicy::lazy, 0); }), "");
  EXPECT_EQ(in_child([&] { read_as(path, LoadPolicy::eager, std::uint64_t{256} << 20U); }), "");
  EXPECT_EQ(in_child([&] { read_as(path, LoadPolicy::eager, 4096); }), "");
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Corpus, Hostile, testing::ValuesIn(corpus_files("hostile")), name_of);
// Good files of other programs are read by the same rules.
INSTANTIATE_TEST_SUITE_P(Jhdf, Hostile, testing::ValuesIn(corpus_files("jhdf")), name_of);
INSTANTIATE_TEST_SUITE_P(H5dump, Hostile, testing::ValuesIn(corpus_files("h5dump")), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Hostile);

TEST(Corpus, IsThere) {
  if (corpus_files("hostile").empty())
    GTEST_SKIP() << "no corpus at " << corpus_folder() << " (set ONECAST_CORPUS)";
}

}  // namespace
}  // namespace onecast::test
