#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/digest.hpp"

namespace onecast::nodes {

class Node;
class OpenFile;

/// The arguments of a structural call other than the place and the name. Each kind of argument has
/// a digest of its own, so that ranks can tell which kind differs.
struct CallArguments {
  enum Kind : std::uint8_t { kType, kShape, kStorage, kValue, kCount };

  std::array<Digest, kCount> digests{};

  CallArguments() = default;
  /// Constructs the arguments of a call with one argument.
  CallArguments(Kind kind, const Digest& digest) { digests[kind] = digest; }
  Digest& operator[](Kind kind) { return digests[kind]; }
};

/// One entry of the log.
struct LoggedCall {
  const char* what;
  Node* where;
  std::string_view name;
  std::array<std::uint16_t, CallArguments::kCount> arguments;  ///< the end of their digests
};

/// The structural calls of this rank since the last flush, which must equal those of all ranks. The
/// log also estimates how much memory their results take until the next flush has ended. The
/// estimate is equal on all ranks, and on any number of ranks.
class CallLog {
 public:
  explicit CallLog(const OpenFile& file) : file_(file) {}

  /// `what` is a phrase such as "create group". `name` names the member of `where` that the call is
  /// about; the file's arena keeps it. If `name` is empty, the call is about `where` itself, to
  /// which different links may have led.
  void add(const char* what, Node& where, std::string_view name,
           const CallArguments& arguments = {});
  /// Calls `arguments()` only if the log keeps calls, for arguments whose digest takes long to
  /// compute.
  template <std::invocable Arguments>
  void add(const char* what, Node& where, std::string_view name, Arguments&& arguments) {
    if (keeps())
      add(what, where, name, arguments());
    else
      grow_by_call(where, name);
  }

  /// Notes that a call makes metadata of `memory` bytes in memory, with a node and the like, and
  /// `encoded` bytes that the flush writes as they are. A call that only this rank makes does not
  /// count.
  void grow(std::uint64_t memory, std::uint64_t encoded) {
    if (paused_) return;
    growth_ += memory + encoded;
    encoded_ += encoded;
  }
  /// The approximate memory of the changes, before and during a flush.
  [[nodiscard]] std::uint64_t growth() const { return growth_; }
  /// The approximate bytes of pages that a flush writes. A small object takes more than eight times
  /// as much in memory.
  [[nodiscard]] std::uint64_t expected_pages() const {
    constexpr std::uint64_t kInMemory = 8;
    return (growth_ - encoded_) / kInMemory + encoded_;
  }

  /// Returns the digest of all calls.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  /// The number of calls in the log.
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  void clear() {
    calls_.clear();
    bases_.clear();
    digest_ = 0;
    growth_ = encoded_ = 0;
    changed_.clear();
  }
  /// Makes the log keep no calls, as there is no other rank to compare with.
  void keep_nothing() { keeps_ = false; }
  /// Pauses the log during calls that only this rank makes.
  void pause(bool paused) { paused_ = paused; }

  [[nodiscard]] LoggedCall operator[](std::size_t call) const;
  /// Returns the end of the digest of all calls up to and including `call`, or 0 if there is no
  /// such call.
  [[nodiscard]] std::uint64_t digest_at(std::size_t call) const {
    return call < calls_.size() ? calls_[call].digest : 0;
  }

 private:
  /// An entry; a program may make very many calls between two flushes, and every rank keeps them.
  struct Entry {
    std::uint32_t digest;  ///< the end of the digest of all calls up to and including this one
    std::int32_t where;    ///< behind the place of the base, in bytes
    std::int32_t name;
    std::uint32_t name_size : 24;  ///< at most kMostOfName
    std::uint32_t what : 8;        ///< the place of the phrase in phrases_
    std::array<std::uint16_t, CallArguments::kCount> arguments;
  };
  static constexpr std::size_t kMostOfName = (std::size_t{1} << 24U) - 1;
  /// The places from which the entries from `first` on count.
  struct Base {
    std::size_t first;
    std::uintptr_t where;
    std::uintptr_t name;
  };

  [[nodiscard]] std::uint8_t number_of(const char* phrase);
  [[nodiscard]] const Base& base_near(std::uintptr_t where, std::uintptr_t name);
  [[nodiscard]] bool keeps() const { return keeps_ && !paused_; }
  void grow_by_call(const Node& where, std::string_view name);

  const OpenFile& file_;
  std::deque<Entry> calls_;  ///< its growth copies nothing
  std::vector<Base> bases_;
  std::uint64_t digest_ = 0;
  std::vector<const char*> phrases_;
  std::uint64_t growth_ = 0;
  std::uint64_t encoded_ = 0;  ///< those of growth_ that are written as they are
  std::unordered_set<std::uint64_t>
      changed_;  ///< existing objects and pages that calls changed: see grow_by_call
  bool keeps_ = true;
  bool paused_ = false;
};

}  // namespace onecast::nodes
