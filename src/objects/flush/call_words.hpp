#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::nodes {
class CallLog;
struct LoggedCall;
}  // namespace onecast::nodes

namespace onecast::comm {
class CommunicatorBackend;
}  // namespace onecast::comm

namespace onecast::flush {

/// A structural call in words, for the error if ranks made different ones.
struct CallWords {
  struct Argument {
    std::uint64_t digest = 0;
    std::vector<std::string> texts;  ///< one text; for a value, one per element; none: not known
  };

  std::string call = "no call";
  std::vector<Argument> arguments;  ///< in the order of CallArguments

  void pack(Packer& out) const;
  static CallWords unpacked(std::span<const std::byte> bytes);
};

/// Returns the call and, as far as the file still has them, its arguments. Throws only if memory
/// runs out.
CallWords words_of(const LoggedCall& call);

/// Finds the first call that differs and throws an equal Error (diverged) on all ranks. It names
/// that call, and what differs in it, on rank 0 and on the lowest rank with a different one.
/// @collective
[[noreturn]] void throw_difference(const CallLog& log, CommunicatorBackend& comm,
                                   const std::string& file);

}  // namespace onecast::flush
