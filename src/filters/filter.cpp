#include "filters/filter.hpp"

#include <fmt/format.h>

namespace onecast::filters {

std::string number_and_name(std::uint16_t id, std::string_view name) {
  return name.empty() ? fmt::format("{}", id) : fmt::format("{} ({})", id, name);
}

void FilterJob::fail(std::string_view what) const {
  throw Error(code,
              fmt::format("{}: filter {}: {}", where.text(), number_and_name(spec.id, name), what));
}

std::size_t FilterJob::claimed_size(std::uint64_t size) const {
  if (size > max_size)
    fail(fmt::format("{} bytes of data, at most {} are possible", size, max_size));
  return static_cast<std::size_t>(size);
}

}  // namespace onecast::filters
