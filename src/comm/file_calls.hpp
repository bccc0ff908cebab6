#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"

namespace onecast::comm {

class CommunicatorBackend;

/// The collective calls of one open file. The first message of each is `meet`, of which two of any
/// kinds can meet: ranks that call different things all throw one Error (diverged), which names
/// both, and nothing is done.
class FileCalls {
 public:
  /// A file that all ranks open now. @collective, does not communicate
  FileCalls(CommunicatorBackend& comm, std::string path);

  /// What ranks did to the file before a call, which must be the same. @same
  struct Before {
    std::function<std::uint64_t()> digest;
    std::function<void(CommunicatorBackend&)> throw_difference;  ///< on all ranks
  };
  void compare(Before before) { before_ = std::move(before); }
  /// Where some ranks close the file and others call something else, all of them call this, before
  /// they hear of it: what was done before is not lost. What it throws is forgotten. @collective
  void save_by(std::function<void()> save) { save_ = std::move(save); }

  /// The body of this rank becomes that of all, by `rule`. `failure`: this rank cannot take part;
  /// all ranks throw that of the lowest such. One reduction where all is well. @collective
  void meet(const CollectiveCall& call, BodyRule rule, std::span<std::byte> body,
            const std::exception_ptr& failure = {});
  /// Without a body.
  void meet(const CollectiveCall& call, const std::exception_ptr& failure = {}) {
    meet(call, BodyRule::none, {}, failure);
  }
  /// compare_digest() as the first message of a call.
  bool meet(const CollectiveCall& call, std::uint64_t digest, std::span<std::uint64_t> maxima,
            const std::exception_ptr& failure = {});

  /// This rank makes no further call, for the `reason`: the others hear it in their next one. Does
  /// not wait for them.
  void leave(std::string_view reason);
  /// A rank left, and all know, or will: calls throw.
  [[nodiscard]] bool is_left() const;

 private:
  [[noreturn]] void throw_difference(const CallHeader& all, const CollectiveCall& call);
  bool save();

  CommunicatorBackend& comm_;
  std::string path_;
  std::uint32_t file_;
  Before before_;
  std::function<void()> save_;
};

}  // namespace onecast::comm
