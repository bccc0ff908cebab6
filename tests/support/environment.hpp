#pragma once

#include <cstdlib>

namespace onecast::test {

/// Sets a variable of the environment for a while.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

/// While it lives, large data of rank 0 is broadcast to all ranks, and the ranks of a node share no
/// memory for it.
struct SharesNoMemory {
  Variable least{"ONECAST_SHARE_FROM", "18446744073709551615"};
};

}  // namespace onecast::test
