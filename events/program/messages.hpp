#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace onecast::events {

/// Prints a line to standard error, after the name of the program. A line that cannot be written,
/// for example on a full disk, is lost: that alone ends nothing.
template <class... A>
void say(fmt::format_string<A...> format, A&&... arguments) {
  const std::string line =
      "onecast-events: " + fmt::format(format, std::forward<A>(arguments)...) + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace onecast::events
