#include "collective/choose_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace onecast {
namespace {

constexpr std::uint64_t kLarge = std::uint64_t{1} << 20U;
constexpr std::uint64_t kWorthACall = std::uint64_t{64} << 10U;
/// On an ordinary disk (2 and 4 ranks, pieces of 128 bytes), so many calls take as long as two
/// phases without a plan that is kept; with one, half as many do.
constexpr std::uint64_t kFewToWrite = 12;
constexpr std::uint64_t kFewToRead = 48;
constexpr std::uint64_t kFewOnStripes = 8;
constexpr std::uint64_t kFewTogether = 256;

std::uint64_t few(TransferDirection direction) {
  return direction == TransferDirection::reading ? kFewToRead : kFewToWrite;
}

}  // namespace

const char* name_of(Method method) {
  constexpr std::array kNames{"automatic", "plain", "independent",
                              "broadcast", "edges", "collective"};
  return kNames[static_cast<std::size_t>(method)];
}

std::string Choice::reason() const {
  return fmt::format(fmt::runtime(words), numbers[0], numbers[1], numbers[2]);
}

bool has_contention(const StripeLayout& layout) { return layout.is_known(); }

bool is_worth_its_calls(TransferDirection direction, std::uint64_t pieces, std::uint64_t bytes) {
  return pieces < few(direction) || bytes / pieces >= kWorthACall;
}

Choice choose_method(TransferDirection direction, const AccessSummary& all,
                     const StripeLayout& layout, std::size_t ranks, Method forced) {
  const bool reading = direction == TransferDirection::reading;
  if (forced != Method::automatic) {
    if (forced == Method::broadcast && !(all.same && all.ranks == ranks))
      return {Method::collective, "broadcast was asked for, but the ranks want different bytes"};
    if (forced == Method::edges && !all.ordered)
      return {Method::collective, "edges were asked for, but the ranks' bytes are interleaved"};
    return {forced, "it was asked for"};
  }
  if (all.ranks == 0) return {Method::plain, "no rank wants a byte"};
  if (all.ranks == 1)
    return {
        Method::plain,
        all.done == 0 ? "one rank of {} wants anything" : "one rank of {} has many small pieces",
        {ranks}};
  if (all.same && all.ranks == ranks)
    return {
        Method::broadcast, "all {} ranks want the same {} bytes", {ranks, all.bytes / all.ranks}};

  const std::uint64_t mean_piece = all.bytes / all.pieces;
  const bool contention = has_contention(layout);
  if (all.ordered) {
    const bool one_piece = all.most_pieces == 1;
    if (all.apart && one_piece)
      return {Method::plain,
              "{} ranks, one piece each, and no stripe of {} bytes is shared",
              {all.ranks, layout.stripe_size}};
    if (all.apart && mean_piece >= kLarge)
      return {Method::independent,
              "pieces of {} bytes on average, and no stripe of {} bytes is shared",
              {mean_piece, layout.stripe_size}};
    if (one_piece && all.least_bytes >= kLarge) {
      if (reading || !contention)
        return {Method::plain,
                "{} ranks, one piece of at least {} bytes each",
                {all.ranks, all.least_bytes}};
      // Each rank has to do with every target anyway.
      if (all.least_bytes / layout.stripe_size >= std::max(2U, layout.stripe_count))
        return {Method::edges,
                "{} ranks, one piece of at least {} bytes each; only the stripes at their ends are "
                "shared",
                {all.ranks, all.least_bytes}};
    }
  }
  // Reads of interleaved pieces do not depend on each other, as writes may.
  if (reading && mean_piece >= kLarge && all.bytes <= all.high - all.low)
    return {Method::independent, "pieces of {} bytes on average", {mean_piece}};
  if (reading && all.most_pieces < kFewOnStripes && all.pieces <= kFewTogether)
    return {Method::independent, "{} pieces on {} ranks", {all.pieces, all.ranks}};
  if ((all.ordered || reading) && !contention &&
      (mean_piece >= kWorthACall || all.most_pieces < few(direction)))
    return {Method::independent,
            "an ordinary file system, {} pieces of {} bytes on average on {} ranks",
            {all.pieces, mean_piece, all.ranks}};
  return {Method::collective,
          all.ordered ? "{} pieces of {} bytes on average on {} ranks, small, in shared stripes"
                      : "{} pieces of {} bytes on average on {} ranks, interleaved",
          {all.pieces, mean_piece, all.ranks}};
}

}  // namespace onecast
