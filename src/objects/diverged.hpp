#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "objects/file_state.hpp"

namespace onecast {

/// What a rank means in a call, in words, piece by piece: of two ranks the first piece that differs
/// is told.
using InWords = std::function<std::vector<std::string>()>;

/// Throws Error (diverged), which names ranks and what two of them mean, unless `work` returns the
/// same on all; if it throws on any, all throw that. `call`: what needs it. One reduction.
/// @collective
void require_all_have(FileState& file, const char* call, const std::function<std::uint64_t()>& work,
                      const InWords& in_words);

/// Throws Error (diverged), which names the ranks whose number is not that of rank 0, and what two
/// of them mean. @collective
[[noreturn]] void throw_different(FileState& file, std::uint64_t mine, const char* call,
                                  const InWords& in_words);

/// The same where ranks do not name the same datasets in the same order.
[[noreturn]] void throw_other_datasets(FileState& file, std::uint64_t mine, const char* call,
                                       const InWords& in_words);

/// The datasets of a list of requests.
template <class Requests>
std::vector<std::string> paths_of(const Requests& requests) {
  std::vector<std::string> paths;
  for (const auto& request : requests) paths.push_back(request.dataset->path());
  return paths;
}
/// Which elements of which dataset.
std::string part_in_words(const Node& dataset, const Selection& part);
/// The first elements that a rank writes there, each for itself, as they are stored.
void add_elements_in_words(const Node& dataset, const Datatype& type,
                           std::span<const std::byte> elements, std::vector<std::string>& words);

}  // namespace onecast
