#pragma once

#include <cstddef>
#include <functional>

namespace onecast {

/// Cores that this process may use.
unsigned usable_cores();

/// Calls work(0) ... work(count - 1), each once, in no particular order, on up to `threads`
/// threads: the caller's and some that the process keeps for this. Returns when all are done. If
/// one throws, the others that did not begin yet are left out, and of all errors the one of the
/// smallest number is thrown. Any number of threads may call at the same time, but `work` may not.
///
/// The caller never waits for a thread that has not begun: where there are no others, such as in a
/// forked child, it does all by itself.
void run_parallel(unsigned threads, std::size_t count,
                  const std::function<void(std::size_t)>& work);

}  // namespace onecast
