#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// The collective calls of an open file, and the ways in which a rank stops taking part in them.
enum class CallKind : std::uint8_t {
  create,
  open,
  flush,
  close,
  write_all,
  read_all,
  write_multi,
  read_multi,
  write_equal,
  prefetch_all,
  write_allocated_chunks,
  make_room,  ///< a structural call that flushes first, see FileOptions::metadata_budget
  rollback,   ///< the structural calls before it may differ
  leave,      ///< not a call, but the answer of a rank that has left the file
  part,       ///< the answer of a rank that makes no further call for any file on these ranks
};
/// The name that users know.
const char* name_of(CallKind kind);
constexpr bool is_answer(CallKind kind) { return kind >= CallKind::leave; }

/// A collective call, which all ranks must make alike.
struct CollectiveCall {
  CallKind kind;
  std::uint64_t object = 0;                ///< the identity of its object; 0: the file, or unknown
  std::function<std::string()> name = {};  ///< the name of the object, for errors
  std::uint8_t how = 0;                    ///< options that decide how the call goes on

  [[nodiscard]] std::string in_words() const;
};

/// The rules by which the bodies of the headers of one call are combined.
enum class BodyRule : std::uint8_t {
  none,      ///< they carry nothing
  maxima,    ///< each number becomes the maximum
  transfer,  ///< as in collective/access_summary.hpp
  kCount
};
inline constexpr std::size_t kHeaderBody = 256;

/// Sets `higher` to the combination of the bodies of lower ranks and of higher ranks.
using CombineBodies = void (*)(const std::byte* lower, std::byte* higher);
/// Must be called before main, since a rank combines headers of other ranks, whatever it calls
/// itself.
bool set_body_rule(BodyRule rule, CombineBodies combine) noexcept;

/// The first message of every collective call of a file, of one form for all calls. So any two
/// calls can meet, and ranks that make different calls all learn of it. It is the header of one
/// rank, or the combination of several. It is sent as it is in memory, since all ranks run the same
/// program.
struct CallHeader {
  static constexpr std::int32_t kNobody = std::numeric_limits<std::int32_t>::max();

  /// The call of a rank. Everything but `rank` must be equal on all ranks.
  struct Side {
    std::uint64_t object = 0;  ///< the object; 0: the file, or the rank does not know it
    std::int32_t rank = kNobody;
    std::uint32_t file = 0;  ///< its number among the files opened on these ranks
    CallKind kind = CallKind::flush;
    BodyRule rule = BodyRule::none;
    std::uint8_t how = 0;  ///< options that decide how the call goes on
    std::array<std::uint8_t, 5> unused{};
  };

  Side first;                            ///< of the lowest rank
  Side other;                            ///< of the lowest rank with another call
  std::int32_t failed = kNobody;         ///< the lowest rank that cannot take part
  std::uint32_t kinds = 0;               ///< a bit for each kind that any rank calls
  std::uint64_t before = 0;              ///< the digest of the structural calls of the lowest rank
  std::uint64_t same_before = 1;         ///< 1: it is equal on all ranks
  std::array<char, kHeaderBody> body{};  ///< what the call needs; for an answer, the reason as text

  [[nodiscard]] std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(this, 1)); }
  [[nodiscard]] bool differs() const { return other.rank != kNobody; }
  [[nodiscard]] bool any(CallKind kind) const { return (kinds & bit(kind)) != 0; }
  [[nodiscard]] bool all(CallKind kind) const { return kinds == bit(kind); }
  /// Sets the reason of an answer; a long text is cut between characters of UTF-8.
  void set_reason(std::string_view text);
  [[nodiscard]] std::string reason() const { return body.data(); }

  static constexpr std::uint32_t bit(CallKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
  }
};

/// The largest size, up to `limit`, that cuts no character of UTF-8.
std::size_t whole_characters(std::string_view text, std::size_t limit);

/// Sets `higher` to the combination of the headers of lower and of higher ranks: answers take
/// precedence over calls; the bodies of equal calls are combined; of different calls, the lowest
/// rank of each side is kept. Associative; MPI may call it on any thread.
void combine_headers(const std::byte* lower, std::byte* higher);

/// The call for which a rank waits; it is reported if the wait is long.
struct AwaitedCall {
  const std::string& path;
  const CollectiveCall& call;
  std::uint64_t number;  ///< the number of the call among those on these ranks
};

/// A reduction of headers that was begun.
class HeaderReduction {
 public:
  HeaderReduction() = default;
  HeaderReduction(const HeaderReduction&) = delete;
  HeaderReduction& operator=(const HeaderReduction&) = delete;
  /// Does not wait: if the reduction is not done, its memory is kept.
  virtual ~HeaderReduction() = default;

  /// Makes progress. Returns true if the reduction is done.
  virtual bool is_done() = 0;
  /// The header of all ranks; valid when the reduction is done.
  [[nodiscard]] virtual const CallHeader& value() const = 0;
};

}  // namespace onecast::comm
