#include "rank_names.hpp"

#include <fmt/format.h>

#include <string_view>

namespace onecast::events {
namespace {

constexpr std::string_view kRank = "{rank}";

}  // namespace

bool names_rank(const std::string& text) { return text.find(kRank) != std::string::npos; }

std::string with_rank(std::string text, int rank) {
  for (std::size_t at = 0; (at = text.find(kRank, at)) != std::string::npos;)
    text.replace(at, kRank.size(), fmt::to_string(rank));
  return text;
}

}  // namespace onecast::events
