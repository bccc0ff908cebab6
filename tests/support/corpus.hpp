#pragma once

#include <filesystem>
#include <vector>

namespace onecast::test {

/// Returns the folder of files of other programs, which is not part of the project: ONECAST_CORPUS,
/// or `shared/corpus` beside the project.
std::filesystem::path corpus_folder();

/// Returns the files of one of its folders, sorted by name; none if the corpus is absent.
std::vector<std::filesystem::path> corpus_files(const char* folder);

}  // namespace onecast::test
