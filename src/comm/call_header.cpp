#include "comm/call_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace onecast::comm {
namespace {

static_assert(std::is_trivially_copyable_v<CallHeader>);
static_assert(sizeof(CallHeader) <= 336, "it is sent in every collective call");

constexpr auto kRules = static_cast<std::size_t>(BodyRule::kCount);

void combine_maxima(const std::byte* lower, std::byte* higher) {
  std::array<std::uint64_t, kHeaderBody / sizeof(std::uint64_t)> a{};
  decltype(a) b{};
  std::memcpy(a.data(), lower, kHeaderBody);
  std::memcpy(b.data(), higher, kHeaderBody);
  for (std::size_t i = 0; i < a.size(); ++i) b[i] = std::max(a[i], b[i]);
  std::memcpy(higher, b.data(), kHeaderBody);
}

/// Set before main, and then read by any thread.
constinit std::array<CombineBodies, kRules> rules{nullptr, combine_maxima, nullptr};

bool differ(const CallHeader::Side& a, const CallHeader::Side& b) {
  const bool same_object = a.object == b.object || a.object == 0 || b.object == 0;
  return a.kind != b.kind || a.file != b.file || a.rule != b.rule || a.how != b.how || !same_object;
}

/// Ranks headers by precedence: the answer for a file, the answer for all files, a call.
int weight(const CallHeader& header) {
  if (header.first.kind == CallKind::leave) return 2;
  return header.first.kind == CallKind::part ? 1 : 0;
}

CallHeader combined(const CallHeader& lower, const CallHeader& higher) {
  const bool takes_lower = weight(lower) >= weight(higher);
  CallHeader both = takes_lower ? lower : higher;
  both.kinds = lower.kinds | higher.kinds;
  both.failed = std::min(lower.failed, higher.failed);
  if (weight(both) != 0) return both;
  both.same_before &= higher.same_before & (lower.before == higher.before ? 1U : 0U);
  if (!lower.differs()) {
    both.other = differ(lower.first, higher.first) ? higher.first : higher.other;
    // A rank that failed may not know the object of the call.
    if (both.first.object == 0) both.first.object = higher.first.object;
  }
  const CombineBodies rule = rules[static_cast<std::size_t>(both.first.rule) % kRules];
  if (both.differs() || both.failed != CallHeader::kNobody || rule == nullptr) return both;
  both.body = higher.body;
  rule(std::as_bytes(std::span(lower.body)).data(),
       std::as_writable_bytes(std::span(both.body)).data());
  return both;
}

}  // namespace

const char* name_of(CallKind kind) {
  constexpr std::array kNames{"create",
                              "open",
                              "flush",
                              "close",
                              "write_all",
                              "read_all",
                              "write_multi",
                              "read_multi",
                              "write_equal",
                              "prefetch_all",
                              "write_allocated_chunks",
                              "a structural call that flushes (metadata_budget)",
                              "rollback",
                              "leave",
                              "part"};
  static_assert(kNames.size() == static_cast<std::size_t>(CallKind::part) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

std::string CollectiveCall::in_words() const {
  return name ? fmt::format("{} of {}", name_of(kind), name()) : name_of(kind);
}

bool set_body_rule(BodyRule rule, CombineBodies combine) noexcept {
  rules[static_cast<std::size_t>(rule)] = combine;
  return true;
}

std::size_t whole_characters(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text.size();
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U) --limit;
  return limit;
}

void CallHeader::set_reason(std::string_view text) {
  body = {};
  text.copy(body.data(), whole_characters(text, body.size() - 1));
}

void combine_headers(const std::byte* lower, std::byte* higher) {
  CallHeader a;
  CallHeader b;
  std::memcpy(&a, lower, sizeof a);
  std::memcpy(&b, higher, sizeof b);
  b = combined(a, b);
  std::memcpy(higher, &b, sizeof b);
}

}  // namespace onecast::comm
