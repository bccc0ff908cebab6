#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/digest.hpp"

namespace onecast::tree {

class Node;
class OpenFile;

/// What a structural call was given besides a place and a name. Of each kind of argument a digest
/// is kept, so that ranks can tell which of them differ.
struct CallArguments {
  enum Kind : std::uint8_t { kType, kShape, kStorage, kValue, kCount };

  std::array<Digest, kCount> digests{};

  CallArguments() = default;
  /// Of a call with one argument.
  CallArguments(Kind kind, const Digest& digest) { digests[kind] = digest; }
  Digest& operator[](Kind kind) { return digests[kind]; }
};

/// One entry of the log.
struct LoggedCall {
  const char* what;
  Node* where;
  std::string_view name;
  std::uint64_t digest;                                        ///< of all calls up to this one
  std::array<std::uint32_t, CallArguments::kCount> arguments;  ///< the lower half of their digests
};

/// The structural calls of this rank since the last flush, which must be those of all ranks; and
/// how much memory what they made takes, about, until and with the next flush: the same on all
/// ranks, and on any number of them.
class CallLog {
 public:
  explicit CallLog(const OpenFile& file) : file_(file) {}

  /// `what`: a phrase such as "create group". `name`: of what in `where` the call is about, kept by
  /// the file's arena; empty: about `where` itself, to which different links may have led.
  void add(const char* what, Node& where, std::string_view name,
           const CallArguments& arguments = {});
  /// Where a digest of much data takes its time: `arguments()` is called if it is needed.
  template <std::invocable Arguments>
  void add(const char* what, Node& where, std::string_view name, Arguments&& arguments) {
    if (keeps())
      add(what, where, name, arguments());
    else
      grow_by_call(where, name);
  }

  /// A call makes metadata of so many bytes. One that only this rank makes does not count.
  void grow(std::uint64_t bytes) {
    if (!paused_) growth_ += bytes;
  }
  [[nodiscard]] std::uint64_t growth() const { return growth_; }

  [[nodiscard]] std::uint64_t digest() const { return calls_.empty() ? 0 : calls_.back().digest; }
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  void clear() {
    calls_.clear();
    growth_ = 0;
    changed_.clear();
  }
  /// There is no other rank to compare with.
  void keep_nothing() { keeps_ = false; }
  /// Calls that only this rank makes are not of the log.
  void pause(bool paused) { paused_ = paused; }

  [[nodiscard]] const std::vector<LoggedCall>& calls() const { return calls_; }
  /// Of that call and all before; of no call there is none.
  [[nodiscard]] std::uint64_t digest_at(std::size_t call) const {
    return call < calls_.size() ? calls_[call].digest : 0;
  }

 private:
  [[nodiscard]] bool keeps() const { return keeps_ && !paused_; }
  void grow_by_call(const Node& where, std::string_view name);

  const OpenFile& file_;
  std::vector<LoggedCall> calls_;
  std::uint64_t growth_ = 0;
  std::unordered_set<std::uint64_t>
      changed_;  ///< objects that were there, and pages: see grow_by_call
  bool keeps_ = true;
  bool paused_ = false;
};

}  // namespace onecast::tree
