#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "filters/filter_spec.hpp"
#include "filters/workspace.hpp"
#include "onecast/base/error.hpp"

namespace onecast::filters {

/// "Data Object Header Messages: Filter Pipeline": the filter mask has one bit for each.
constexpr std::size_t kMaxFilters = 32;

/// "32015 (zstd)"; without a name "32015".
std::string number_and_name(std::uint16_t id, std::string_view name);

/// What one filter has to know to do or to undo its work on one chunk.
struct FilterJob {
  const FilterSpec& spec;
  std::string name;      ///< of the filter, for errors; empty: nobody knows it
  std::size_t max_size;  ///< no valid result is larger
  const Where& where;
  ErrorCode code = ErrorCode::format;  ///< of what fails

  /// Throws Error: "where: filter N (name): what".
  [[noreturn]] void fail(std::string_view what) const;

  /// A size that the chunk itself claims: fails if it is more than possible.
  [[nodiscard]] std::size_t claimed_size(std::uint64_t size) const;

  /// The most that `filtered` bytes can become if each becomes `ratio` at best.
  [[nodiscard]] std::size_t limit(std::size_t filtered, std::size_t ratio) const {
    return filtered < max_size / ratio ? filtered * ratio : max_size;
  }
};

/// Takes the filtered bytes and returns what they were made of: a part of them, or of the
/// workspace. Bytes and parameters are not trusted.
using Decoder = ByteView (*)(const FilterJob& job, ByteView filtered, Workspace& workspace);

/// Takes the bytes of a chunk and returns them filtered: a part of them, or of the workspace.
/// Nothing, if the filter's convention is to leave alone what it cannot make smaller.
using Encoder = std::optional<ByteView> (*)(const FilterJob& job, ByteView plain,
                                            Workspace& workspace);

}  // namespace onecast::filters
