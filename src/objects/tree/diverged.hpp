#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::tree {

/// What a rank means in a call, in words, piece by piece: of two ranks the first piece that differs
/// is told.
using InWords = std::function<std::vector<std::string>()>;

/// Throws Error (diverged), which names ranks and what two of them mean, unless `work` returns the
/// same on all; if it throws on any, all throw that. `kind`: of the call, which begins so. One
/// reduction. @collective
void require_all_have(Node& dataset, CallKind kind, const std::function<std::uint64_t()>& work,
                      const InWords& in_words);

/// Throws Error (diverged), which names the ranks whose number is not that of rank 0, and what two
/// of them mean. @collective
[[noreturn]] void throw_different(FileState& file, std::uint64_t mine, const char* call,
                                  const InWords& in_words);

/// Which elements of which dataset.
std::string part_in_words(const Node& dataset, const Selection& part);
/// The first elements that a rank writes there, each for itself, as they are stored.
void add_elements_in_words(const Node& dataset, const Datatype& type,
                           std::span<const std::byte> elements, std::vector<std::string>& words);

}  // namespace onecast::tree
