#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <span>

#include "comm/call_header.hpp"
#include "objects/node.hpp"
#include "onecast/objects/sharing.hpp"
#include "onecast/space/selection.hpp"

namespace onecast {

/// What one rank reads of one dataset. All that is referred to is kept by the caller.
struct Read {
  Node* dataset;
  std::span<std::byte> out;
  const MemoryLayout* memory;  ///< null: one element after the other
  const Selection* part;
  std::optional<Datatype> memory_type;
};

/// All ranks read, each its parts of the same datasets in the same order: one agreement, and one
/// transfer of all that lies in the file as it is in memory. `failure`: this rank has no room, and
/// all shall hear why (with Sharing::trust it alone throws). `kind`: of the call. @collective
void read_together(FileState& file, CallKind kind, std::span<const Read> reads, Sharing sharing,
                   const std::exception_ptr& failure = {});

/// Throws Error (diverged), which names the ranks, unless `work` returns the same on all; if it
/// throws on any, all throw that. `kind`: of the call, which begins so. One reduction. @collective
void require_all_have(Node& dataset, CallKind kind, const std::function<std::uint64_t()>& work);

/// Throws Error (diverged), which names the ranks whose number is not that of rank 0. @collective
[[noreturn]] void throw_different(FileState& file, std::uint64_t mine, const char* call);

}  // namespace onecast
