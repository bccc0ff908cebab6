#include "outcome.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

Outcome failed(int code, const char* what) {
  return {code, fmt::format("onecast-events: {}\n", what)};
}

}  // namespace

Outcome outcome_of(const CLI::App& app, const std::function<int()>& work) {
  try {
    return {work()};
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    const int code = app.exit(error, text, text);
    return {code == 0 ? 0 : 2, text.str()};
  } catch (const Error& error) {
    return failed(error.code() == ErrorCode::invalid_argument ? 2 : 1, error.what());
  } catch (const std::exception& error) {
    return failed(1, error.what());
  } catch (...) {
    return failed(1, "a component failed with what is no std::exception");
  }
}

int tell(const Outcome& outcome) {
  std::FILE* const out = outcome.code == 0 ? stdout : stderr;
  std::fwrite(outcome.text.data(), 1, outcome.text.size(), out);  // lost if it cannot be written
  return outcome.code;
}

int tell(const Outcome& outcome, Team& team) {
  const auto texts = gather_texts(team, outcome.text);
  const auto lowest = std::ranges::find(texts, outcome.text) - texts.begin();
  if (lowest == team.rank()) tell(outcome);
  const auto code = static_cast<std::uint64_t>(outcome.code);
  return static_cast<int>(std::ranges::max(team.gather(std::span(&code, 1))).front());
}

}  // namespace onecast::events
