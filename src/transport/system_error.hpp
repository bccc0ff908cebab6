#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"
#include "onecast/base/error.hpp"

namespace onecast::transport {

/// Throws "path: open: reason" as Error: not_found for ENOENT, already_exists for EEXIST, else io.
[[noreturn]] void fail_open(std::string_view path, int system_errno);

/// Throws "path: call of N bytes at offset O: reason" as Error (io).
[[noreturn]] void fail_transfer(std::string_view path, const char* call, std::uint64_t offset,
                                std::uint64_t size, int system_errno);

/// Throws "path: call: reason" as Error (io).
[[noreturn]] void fail_call(std::string_view path, const char* call, int system_errno);

/// True if the disk is full, or the quota used up.
[[nodiscard]] bool is_lack_of_room(const Error& error);

}  // namespace onecast::transport
