#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "objects/memory/packer.hpp"

namespace onecast {

struct LoggedCall;

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

/// The call of one rank, with those of its arguments that differ from another rank's.
std::string told_beside(const CallWords& mine, const CallWords& other);

}  // namespace onecast
