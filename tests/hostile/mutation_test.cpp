#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "support/corpus.hpp"
#include "support/read_everything.hpp"
#include "support/temporary_directory.hpp"

/// Good files with some changed bytes give an Error or other contents, and never anything else.
/// ONECAST_MUTATIONS=NUMBER makes more of them.
namespace onecast::test {
namespace {

using Bytes = std::vector<char>;
using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) {
  return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

void flip_bits(Bytes& bytes, Random& random) {
  for (std::size_t i = 0; i <= below(random, 4); ++i)
    bytes[below(random, bytes.size())] ^= static_cast<char>(1U << below(random, 8));
}

void cut(Bytes& bytes, Random& random) { bytes.resize(below(random, bytes.size())); }

/// Swaps words, mostly at multiples of 4 or 8, where addresses usually lie.
void swap_words(Bytes& bytes, Random& random) {
  char* a = bytes.data() + below(random, bytes.size() / 4 - 2) * 4;
  char* b = bytes.data() + below(random, bytes.size() / 4 - 2) * 4;
  std::uint64_t word = 0;
  std::memcpy(&word, a, sizeof word);
  std::memmove(a, b, sizeof word);
  std::memcpy(b, &word, sizeof word);
}

/// Sets numbers that often break readers.
void set_extreme(Bytes& bytes, Random& random) {
  constexpr std::uint64_t kExtremes[] = {0,          1,          ~0ULL,       ~0ULL - 1,
                                         1ULL << 63, 1ULL << 31, 0xffff,      0x7fffffffffffffffULL,
                                         1ULL << 32, 1ULL << 40, 0xfffffff8U, 512};
  const std::size_t width = std::size_t{1} << below(random, 4);
  if (bytes.size() < width) return;
  const std::uint64_t value = kExtremes[below(random, std::size(kExtremes))];
  std::memcpy(bytes.data() + below(random, bytes.size() - width + 1), &value, width);
}

/// Copies a piece of the file over another, so that structures may refer to each other in circles.
void copy_piece(Bytes& bytes, Random& random) {
  const std::size_t size = std::min<std::size_t>(bytes.size() / 2, 8 + below(random, 256));
  const std::size_t from = below(random, bytes.size() - size + 1);
  const std::size_t to = below(random, bytes.size() - size + 1);
  std::memmove(bytes.data() + to, bytes.data() + from, size);
}

constexpr void (*kMutations[])(Bytes&, Random&) = {flip_bits, cut, swap_words, set_extreme,
                                                   copy_piece};

/// Returns small files, enough of all corners of the corpus.
std::vector<std::filesystem::path> good_files() {
  constexpr std::size_t kSmallest = 64;
  constexpr std::size_t kLargest = 16 << 10U;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"jhdf", "h5dump"})
    for (const auto& path : corpus_files(folder))
      if (const auto size = std::filesystem::file_size(path); size >= kSmallest && size <= kLargest)
        files.push_back(path);
  return files;
}

class Mutation : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Mutation, EndsInAnErrorOrIsRead) {
  std::ifstream in(GetParam(), std::ios::binary);
  const Bytes good{std::istreambuf_iterator<char>(in), {}};
  const TemporaryDirectory folder;
  const std::string path = folder / "changed.h5";
  Random random(20'261'121);
  const char* wanted = std::getenv("ONECAST_MUTATIONS");
  const int times = wanted != nullptr ? std::atoi(wanted) : 200;
  for (int i = 0; i < times; ++i) {
    Bytes bytes = good;
    kMutations[static_cast<std::size_t>(i) % std::size(kMutations)](bytes, random);
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    FileOptions options;
    options.load_policy = i % 2 == 0 ? LoadPolicy::lazy : LoadPolicy::eager;
    try {
      ReadEverything({1000, 10'000, 8U << 20U}).run(path, options);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): as it should be
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Corpus, Mutation, testing::ValuesIn(good_files()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Mutation);

}  // namespace
}  // namespace onecast::test
