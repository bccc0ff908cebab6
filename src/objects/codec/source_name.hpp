#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/namespaces.hpp"

namespace onecast::codec {

/// A name in a virtual mapping: %b stands for the number of the block, %% for %.
struct SourceName {
  std::string_view text;
  bool numbered = false;  ///< it has a %b

  /// Returns nothing if another letter follows a %.
  static std::optional<SourceName> parse(std::string_view text) {
    SourceName name{text};
    for (std::size_t at = text.find('%'); at < text.size(); at = text.find('%', at + 2)) {
      const char next = at + 1 < text.size() ? text[at + 1] : '\0';
      if (next != 'b' && next != '%') return std::nullopt;
      name.numbered = name.numbered || next == 'b';
    }
    return name;
  }

  [[nodiscard]] std::string of_block(std::uint64_t block) const {
    std::string name;
    std::size_t done = 0;
    for (std::size_t at = text.find('%'); at < text.size(); at = text.find('%', done)) {
      name.append(text.substr(done, at - done));
      name.append(text[at + 1] == 'b' ? std::to_string(block) : "%");
      done = at + 2;
    }
    return name.append(text.substr(done));
  }
};

}  // namespace onecast::codec
