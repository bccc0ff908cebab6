#include "transport/system_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace onecast::transport {
namespace {

std::string reason(int system_errno) { return std::generic_category().message(system_errno); }

ErrorCode open_code(int system_errno) {
  if (system_errno == ENOENT) return ErrorCode::not_found;
  if (system_errno == EEXIST) return ErrorCode::already_exists;
  return ErrorCode::io;
}

}  // namespace

void fail_open(std::string_view path, int system_errno) {
  throw Error(open_code(system_errno), fmt::format("{}: open: {}", path, reason(system_errno)),
              system_errno);
}

void fail_transfer(std::string_view path, const char* call, std::uint64_t offset,
                   std::uint64_t size, int system_errno) {
  throw Error(ErrorCode::io,
              fmt::format("{}: {} of {} bytes at offset {}: {}", path, call, size, offset,
                          reason(system_errno)),
              system_errno);
}

void fail_call(std::string_view path, const char* call, int system_errno) {
  throw Error(ErrorCode::io, fmt::format("{}: {}: {}", path, call, reason(system_errno)),
              system_errno);
}

bool is_lack_of_room(const Error& error) {
  return error.system_errno() == ENOSPC || error.system_errno() == EDQUOT;
}

}  // namespace onecast::transport
