#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "filters/filters.hpp"

namespace onecast {

/// What one filter has to know to undo its work on one chunk.
struct FilterJob {
  const FilterSpec& spec;
  std::size_t max_size;  ///< no valid result is larger
  const std::string& where;

  /// Throws Error (format): "where: filter N (name): what".
  [[noreturn]] void fail(std::string_view what) const;
};

using Bytes = std::vector<std::byte>;

/// A filter that Onecast can undo.
struct Filter {
  std::uint16_t id;
  /// Takes the filtered bytes and returns what they were made of.
  Bytes (*decode)(const FilterJob& job, Bytes&& filtered);
  /// How large `size` bytes may become when filtered: nothing larger is looked at or allocated for
  /// the filters after this one.
  std::size_t (*max_filtered_size)(std::size_t size);
};

Bytes decode_deflate(const FilterJob& job, Bytes&& filtered);
Bytes decode_shuffle(const FilterJob& job, Bytes&& filtered);
Bytes decode_fletcher32(const FilterJob& job, Bytes&& filtered);

}  // namespace onecast
