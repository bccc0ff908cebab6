#include "support/corpus.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace onecast::test {

std::filesystem::path corpus_folder() {
  if (const char* set = std::getenv("ONECAST_CORPUS")) return set;
  return std::filesystem::path(ONECAST_SOURCE_DIR) / ".." / "shared" / "corpus";
}

std::vector<std::filesystem::path> corpus_files(const char* folder) {
  std::vector<std::filesystem::path> files;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(corpus_folder() / folder, absent))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace onecast::test
