#pragma once

#include <cstddef>
#include <cstdint>
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

/// "Data Object Header Messages: Filter Pipeline": the filter mask has one bit for each filter.
constexpr std::size_t kMaxFilters = 32;

/// Returns "32015 (zstd)"; without a name "32015".
std::string number_and_name(std::uint16_t id, std::string_view name);

/// The data that one filter needs for its work on one chunk.
struct FilterJob {
  const FilterSpec& spec;
  std::string name;      ///< the name of the filter, for errors; empty if not known
  std::size_t max_size;  ///< no valid result is larger
  const Where& where;
  ErrorCode code = ErrorCode::format;  ///< the code of errors

  /// Throws Error: "where: filter N (name): what".
  [[noreturn]] void fail(std::string_view what) const;

  /// Returns a size that the chunk itself claims. Fails if it is impossible.
  [[nodiscard]] std::size_t claimed_size(std::uint64_t size) const;

  /// The most bytes that `filtered` bytes can become, if each becomes at most `ratio`.
  [[nodiscard]] std::size_t limit(std::size_t filtered, std::size_t ratio) const {
    return filtered < max_size / ratio ? filtered * ratio : max_size;
  }
};

/// Undoes a filter. Returns a part of the filtered bytes or of the workspace. Bytes and parameters
/// are not trusted.
using Decoder = ByteView (*)(const FilterJob& job, ByteView filtered, Workspace& workspace);

/// Applies a filter. Returns a part of the chunk or of the workspace; nothing if, by the filter's
/// convention, chunks that do not become smaller stay as they are.
using Encoder = std::optional<ByteView> (*)(const FilterJob& job, ByteView plain,
                                            Workspace& workspace);

}  // namespace onecast::filters
