#include "onecast/events/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

/// Encodes a failure as text: empty, or the number of its code, a blank and its text.
std::string as_text(const std::exception_ptr& failure) {
  if (!failure) return {};
  ErrorCode code = ErrorCode::io;
  std::string text;
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    code = error.code();
    text = error.what();
  } catch (const std::exception& error) {
    text = error.what();
  } catch (...) {
    text = "unknown failure";
  }
  return fmt::format("{} {}", static_cast<int>(code), text);
}

}  // namespace

std::shared_ptr<Team> alone() { return std::make_shared<Team>(); }

std::vector<std::string> gather_texts(Team& team, std::string_view mine) {
  std::vector<std::uint64_t> numbers{mine.size()};
  numbers.resize(1 + (mine.size() + 7) / 8);
  if (!mine.empty()) std::memcpy(numbers.data() + 1, mine.data(), mine.size());
  std::vector<std::string> texts;
  for (const std::vector<std::uint64_t>& of_rank : team.gather(numbers)) {
    std::string& text = texts.emplace_back(static_cast<std::size_t>(of_rank[0]), ' ');
    if (!text.empty()) std::memcpy(text.data(), of_rank.data() + 1, text.size());
  }
  return texts;
}

void agree(Team& team, const std::exception_ptr& failure) {
  if (team.size() == 1) {
    if (failure) std::rethrow_exception(failure);
    return;
  }
  const auto all = gather_texts(team, as_text(failure));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) continue;
    const std::string text = all[rank].substr(all[rank].find(' ') + 1);
    // All ranks already have the failures that they agreed on before.
    const bool is_agreed =
        text.starts_with("rank ") &&
        std::ranges::all_of(all, [&](const auto& of) { return of == all[rank]; });
    throw Error(static_cast<ErrorCode>(std::stoi(all[rank])),
                is_agreed ? text : fmt::format("rank {}: {}", rank, text));
  }
}

}  // namespace onecast::events
