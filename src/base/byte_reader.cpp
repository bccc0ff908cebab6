#include "base/byte_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/located_error.hpp"

namespace onecast {

void ByteReader::fail(const char* field, std::string_view what) const {
  throw LocatedError(ErrorCode::format, file().name, address(), record(), field, std::string(what));
}

void ByteReader::refuse(const char* field, std::string_view feature) const {
  throw LocatedError(ErrorCode::unsupported, file().name, address(), record(), field,
                     fmt::format("not supported: {}", feature));
}

void ByteReader::fail_short(const char* field, std::uint64_t wanted) const {
  fail(field, fmt::format("needs {} bytes, {} are left", wanted, remaining()));
}

std::string_view ByteReader::c_string(const char* field) {
  const ByteView rest = window_.subspan(position_);
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) fail(field, "no terminating NUL");
  const auto length = static_cast<std::size_t>(end - rest.begin());
  position_ += length + 1;
  return {reinterpret_cast<const char*>(rest.data()), length};
}

void ByteReader::seek(std::size_t position, const char* field) {
  if (position > window_.size()) fail_short(field, position - position_);
  position_ = position;
}

void ByteReader::expect_room(std::uint64_t count, std::uint64_t min_size, const char* field) const {
  if (min_size != 0 && count > remaining() / min_size)
    fail(field, fmt::format("{} items of at least {} bytes cannot fit into {} bytes", count,
                            min_size, remaining()));
}

}  // namespace onecast
