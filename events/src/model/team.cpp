#include "onecast/events/team.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

/// A failure as numbers: none, or its code and the bytes of its text.
std::vector<std::uint64_t> as_numbers(const std::exception_ptr& failure) {
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
  std::vector<std::uint64_t> numbers{static_cast<std::uint64_t>(code), text.size()};
  numbers.resize(2 + (text.size() + 7) / 8);
  if (!text.empty()) std::memcpy(numbers.data() + 2, text.data(), text.size());
  return numbers;
}

}  // namespace

std::shared_ptr<Team> alone() { return std::make_shared<Team>(); }

void agree(Team& team, const std::exception_ptr& failure) {
  if (team.size() == 1) {
    if (failure) std::rethrow_exception(failure);
    return;
  }
  const auto all = team.gather(as_numbers(failure));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) continue;
    std::string text(static_cast<std::size_t>(all[rank][1]), ' ');
    if (!text.empty()) std::memcpy(text.data(), all[rank].data() + 2, text.size());
    throw Error(static_cast<ErrorCode>(all[rank][0]), fmt::format("rank {}: {}", rank, text));
  }
}

}  // namespace onecast::events
