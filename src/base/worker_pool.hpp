#pragma once

#include <cstddef>
#include <functional>

namespace onecast {

/// The number of cores that this process may use.
unsigned usable_cores();

/// Calls work(0) ... work(count - 1), each once, in no particular order, on up to `threads`
/// threads: the caller's and some that the process keeps for this. Returns when all are done. If a
/// call throws, calls that have not begun are skipped, and the error with the lowest number is
/// thrown. Any number of threads may call this at the same time, but `work` may not.
///
/// The caller never waits for a thread that has not begun: without other threads, as in a forked
/// child, it does all the work itself.
void run_parallel(unsigned threads, std::size_t count,
                  const std::function<void(std::size_t)>& work);

}  // namespace onecast
