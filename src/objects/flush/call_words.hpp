#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::tree {
class CallLog;
struct LoggedCall;
}  // namespace onecast::tree

namespace onecast::comm {
class CommunicatorBackend;
}  // namespace onecast::comm

namespace onecast::flush {

/// A structural call in words, for the error of ranks that made different ones.
struct CallWords {
  struct Argument {
    std::uint64_t digest = 0;
    std::vector<std::string> texts;  ///< one; of a value one for each element; none: not known
  };

  std::string call = "no call";
  std::vector<Argument> arguments;  ///< as CallArguments has them

  void pack(Packer& out) const;
  static CallWords unpacked(std::span<const std::byte> bytes);
};

/// What the call was and, as far as the file still has it, what it was given. Does not throw but
/// for want of memory.
CallWords words_of(const LoggedCall& call);

/// Finds the first call that differs and throws the same Error (diverged) on all ranks, naming that
/// call, and what of it differs, on rank 0 and on the lowest rank that made another. @collective
[[noreturn]] void throw_difference(const CallLog& log, CommunicatorBackend& comm,
                                   const std::string& file);

}  // namespace onecast::flush
