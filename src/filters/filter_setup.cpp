#include "filters/filter_setup.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/make_error.hpp"

namespace onecast::filters {

void FilterSetup::fail(std::string_view what) const {
  throw argument_error("{}: filter {}: {}", where_, name_, what);
}

void FilterSetup::expect_at_most(std::size_t count) const {
  if (given().size() > count)
    fail(fmt::format("{} values of client data, at most {} are expected", given().size(), count));
}

std::uint32_t FilterSetup::value(const FilterParameter& parameter) const {
  const auto& [name, position, otherwise, least, most] = parameter;
  if (position >= given().size()) return static_cast<std::uint32_t>(otherwise);
  const std::uint32_t bits = given()[position];
  const std::int64_t found = least < 0 ? std::int64_t{static_cast<std::int32_t>(bits)} : bits;
  if (found < least || found > most)
    fail(fmt::format("{} {}: expected {} to {}", name, found, least, most));
  return bits;
}

std::uint32_t FilterSetup::narrow(std::uint64_t count, std::string_view what) const {
  if (count > std::numeric_limits<std::uint32_t>::max())
    fail(fmt::format("{} {}: its client data take 32 bits", count, what));
  return static_cast<std::uint32_t>(count);
}

std::uint32_t FilterSetup::element_bytes() const {
  return narrow(type().size(), "bytes of an element");
}

std::uint64_t FilterSetup::chunk_elements() const {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : dataset_.chunk)
    if (__builtin_mul_overflow(count, extent, &count)) fail("a chunk of too many elements");
  return count;
}

std::uint32_t FilterSetup::chunk_bytes() const {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(chunk_elements(), type().size(), &bytes))
    fail("a chunk of too many bytes");
  return narrow(bytes, "bytes in a chunk");
}

std::uint32_t FilterSetup::byte_order(const Datatype& number) const {
  if (number.byte_order() == ByteOrder::vax) fail("the byte order of VAX");
  return number.byte_order() == ByteOrder::big ? 1 : 0;
}

}  // namespace onecast::filters
