#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <span>

#include "objects/transfer.hpp"
#include "onecast/objects/sharing.hpp"

namespace onecast {

/// Dataset::read_all: `out` is the caller's memory, `memory` null if elements lie there as they are
/// selected. @collective
void read_together(Node& dataset, std::span<std::byte> out, const MemoryLayout* memory,
                   const Selection& part, const std::optional<Datatype>& memory_type,
                   Sharing sharing);

/// This rank takes part with nothing but a failure, which all throw; with Sharing::trust it alone.
/// @collective
[[noreturn]] void fail_read_together(const Node& dataset, const std::exception_ptr& failure,
                                     Sharing sharing);

/// Throws Error (diverged), which names the ranks, unless `work` returns the same on all; if it
/// throws on any, all throw that. `call`: what needs it. One reduction. @collective
void require_all_have(FileState& file, const char* call,
                      const std::function<std::uint64_t()>& work);

}  // namespace onecast
