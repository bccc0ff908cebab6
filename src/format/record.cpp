#include "format/record.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace onecast::format {

void Describer::address(const char* field, const Address& value) {
  add(field, file_.size_of_offsets,
      value.is_defined() ? fmt::format("{:#x}", value.value) : "undefined");
}

void Describer::view(const char* field, const ByteView& value, std::uint64_t) {
  constexpr std::size_t kShown = 32;
  std::string text;
  for (const std::byte b : value.first(std::min(value.size(), kShown)))
    fmt::format_to(std::back_inserter(text), "{:02x}", std::to_integer<unsigned>(b));
  if (value.size() > kShown) text += "...";
  add(field, value.size(), std::move(text));
}

}  // namespace onecast::format
