#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace onecast::events {

/// Prints a line to standard error, behind the name of the program. Where it cannot be written, on
/// a full disk for one, it is lost: nothing else ends for that.
template <class... A>
void say(fmt::format_string<A...> format, A&&... arguments) {
  const std::string line =
      "onecast-events: " + fmt::format(format, std::forward<A>(arguments)...) + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace onecast::events
