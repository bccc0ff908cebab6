#pragma once

#include <system_error>

namespace onecast::lab {

// Makes a system call fail with `code`, a value of errno.
[[noreturn]] inline void fail(int code) { throw std::system_error(code, std::generic_category()); }

}  // namespace onecast::lab
