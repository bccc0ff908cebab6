#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::files {

/// Describes a rank's call in words, piece by piece. The error shows the first piece that differs
/// between two ranks.
using InWords = std::function<std::vector<std::string>()>;

/// Throws Error (diverged), which names the ranks and describes the calls of two of them, unless
/// `work` returns equal numbers on all ranks. If `work` throws on any rank, all ranks throw that
/// error. `kind` is the kind of the call, of which this is the first step. Uses one reduction.
/// @collective
void require_all_have(Node& dataset, CallKind kind, const std::function<std::uint64_t()>& work,
                      const InWords& in_words);

/// Throws Error (diverged), which names the ranks whose number differs from that of rank 0, and
/// describes the calls of two of them. @collective
[[noreturn]] void throw_different(FileState& file, std::uint64_t mine, const char* call,
                                  const InWords& in_words);

/// Describes the dataset and the selected elements.
std::string part_in_words(const Node& dataset, const Selection& part);
/// Appends the first of the elements that a rank writes, each as a piece of its own. The elements
/// are in stored form.
void add_elements_in_words(const Node& dataset, const Datatype& type,
                           std::span<const std::byte> elements, std::vector<std::string>& words);

}  // namespace onecast::files
