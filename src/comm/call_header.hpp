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

/// The collective calls of an open file, and the ways in which a rank ends to take part in them.
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
  write_placed_chunks,
  make_room,  ///< a structural call that flushes first: see FileOptions::metadata_budget
  rollback,   ///< whatever was done to the file before
  leave,      ///< not a call, but the answer of a rank that has left the file
  part,       ///< the answer of a rank that makes no further call of any file on these ranks
};
/// As users know it.
const char* name_of(CallKind kind);
constexpr bool is_answer(CallKind kind) { return kind >= CallKind::leave; }

/// A collective call, as all ranks must make it.
struct CollectiveCall {
  CallKind kind;
  std::uint64_t object = 0;  ///< identity of what it is about; 0: the file, or unknown
  std::function<std::string()> name = {};  ///< of the object, for errors
  std::uint8_t how = 0;                    ///< options that decide how the call goes on

  [[nodiscard]] std::string in_words() const;
};

/// How the bodies of the headers of one call become one.
enum class BodyRule : std::uint8_t {
  none,      ///< they carry nothing
  maxima,    ///< numbers, of which the largest counts
  transfer,  ///< what collective/access_summary.hpp says
  kCount
};
inline constexpr std::size_t kHeaderBody = 256;

/// `higher` = what the bodies of lower ranks and of higher ranks make together.
using CombineBodies = void (*)(const std::byte* lower, std::byte* higher);
/// To be called before main: a rank combines headers of others, whatever it does itself.
bool set_body_rule(BodyRule rule, CombineBodies combine) noexcept;

/// The first message of every collective call of a file, whichever it is: so any two calls can
/// meet, and ranks that call different things all hear of it. One rank's, or what those of several
/// make together. All ranks run the same program: it travels as it lies in memory.
struct CallHeader {
  static constexpr std::int32_t kNobody = std::numeric_limits<std::int32_t>::max();

  /// What a rank calls. All but `rank` must be the same on all ranks.
  struct Side {
    std::uint64_t object = 0;  ///< which one it is about; 0: the file, or the rank cannot tell
    std::int32_t rank = kNobody;
    std::uint32_t file = 0;  ///< its number among those opened on these ranks
    CallKind kind = CallKind::flush;
    BodyRule rule = BodyRule::none;
    std::uint8_t how = 0;  ///< options that decide how the call goes on
    std::array<std::uint8_t, 5> unused{};
  };

  Side first;                            ///< of the lowest rank
  Side other;                            ///< of the lowest rank that calls something else
  std::int32_t failed = kNobody;         ///< the lowest rank that cannot take part
  std::uint32_t kinds = 0;               ///< a bit for each kind that any rank calls
  std::uint64_t before = 0;              ///< digest of what the lowest rank did to the file before
  std::uint64_t same_before = 1;         ///< 1: so did all
  std::array<char, kHeaderBody> body{};  ///< what the call needs; of an answer, why, as a text

  [[nodiscard]] std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(this, 1)); }
  [[nodiscard]] bool differs() const { return other.rank != kNobody; }
  [[nodiscard]] bool any(CallKind kind) const { return (kinds & bit(kind)) != 0; }
  [[nodiscard]] bool all(CallKind kind) const { return kinds == bit(kind); }
  /// Of an answer: cut if it is too long, but no character of UTF-8 in two.
  void set_reason(std::string_view text);
  [[nodiscard]] std::string reason() const { return body.data(); }

  static constexpr std::uint32_t bit(CallKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
  }
};

/// How much of `text` to keep so that no character of UTF-8 is cut.
std::size_t whole_characters(std::string_view text, std::size_t limit);

/// `higher` = what the headers of lower and of higher ranks make together: answers win over calls;
/// of equal calls the bodies are combined, of different ones the lowest rank of each side is kept.
/// Associative; may be called by MPI on any thread.
void combine_headers(const std::byte* lower, std::byte* higher);

/// What a rank waits for, should it become long.
struct AwaitedCall {
  const std::string& path;
  const CollectiveCall& call;
  std::uint64_t number;  ///< of the call among those on these ranks
};

/// A reduction of headers under way.
class HeaderReduction {
 public:
  HeaderReduction() = default;
  HeaderReduction(const HeaderReduction&) = delete;
  HeaderReduction& operator=(const HeaderReduction&) = delete;
  /// Does not wait: if it is not done, its memory stays.
  virtual ~HeaderReduction() = default;

  /// Makes progress.
  virtual bool is_done() = 0;
  /// That of all ranks, once it is done.
  [[nodiscard]] virtual const CallHeader& value() const = 0;
};

}  // namespace onecast::comm
