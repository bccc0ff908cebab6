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

/// The collective calls of one open file. Each begins with `meet`, and calls of any two kinds can
/// meet: ranks that make different calls all throw one Error (diverged) that names both, and
/// nothing is done.
class FileCalls {
 public:
  /// The file is one that all ranks open now. @collective, does not communicate
  FileCalls(CommunicatorBackend& comm, std::string path);

  /// The structural calls of a rank before a call, which must be equal. @same
  struct Before {
    std::function<std::uint64_t()> digest;
    std::function<void(CommunicatorBackend&)> throw_difference;  ///< called on all ranks
  };
  void compare(Before before) { before_ = std::move(before); }
  /// If some ranks close the file and others make another call, all ranks call `save` before they
  /// throw, so that earlier changes are not lost. Its errors are ignored. @collective
  void save_by(std::function<void()> save) { save_ = std::move(save); }

  /// Replaces the body of this rank by that of all ranks, combined by `rule`. `failure`: this rank
  /// cannot take part; all ranks throw the error of the lowest such rank. One reduction if no rank
  /// failed. @collective
  void meet(const CollectiveCall& call, BodyRule rule, std::span<std::byte> body,
            const std::exception_ptr& failure = {});
  /// Meets without a body.
  void meet(const CollectiveCall& call, const std::exception_ptr& failure = {}) {
    meet(call, BodyRule::none, {}, failure);
  }
  /// Does compare_digest() in the first message of a call.
  bool meet(const CollectiveCall& call, std::uint64_t digest, std::span<std::uint64_t> maxima,
            const std::exception_ptr& failure = {});

  /// Notes that this rank makes no further call, for this `reason`, which the other ranks learn in
  /// their next call. Does not wait for them.
  void leave(std::string_view reason);
  /// True if a rank left, so that calls throw; all ranks know it, or will.
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
