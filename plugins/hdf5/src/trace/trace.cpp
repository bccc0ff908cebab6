#include "trace/trace.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "trace/watch.hpp"

namespace onecast_hdf5 {

const bool kIsTraced = []() noexcept {
  const char* const value = std::getenv("ONECAST_TRACE");
  return value != nullptr && std::strcmp(value, "0") != 0 && *value != '\0';
}();

void FileTrace::count_served(const char* call) {
  const std::scoped_lock lock(mutex_);
  ++calls_[call].served;
}

void FileTrace::shadow(const char* call, const char* reason) {
  if (!kIsTraced) return;
  const std::scoped_lock lock(mutex_);
  ++calls_[call].shadow[reason];
}

void FileTrace::print(const std::string& name, const onecast::IoStats& stats) const {
  if (!kIsTraced) return;
  unsigned long long served = 0;
  unsigned long long shadow = 0;
  for (const auto& [call, counts] : calls_) {
    served += counts.served;
    for (const auto& [reason, count] : counts.shadow) shadow += count;
  }
  std::fprintf(
      stderr, "onecast: %s: %llu calls served with %llu opens and %llu reads, %llu by the shadow\n",
      name.c_str(), served, static_cast<unsigned long long>(stats.opens),
      static_cast<unsigned long long>(stats.reads), shadow);
  std::fprintf(stderr, "onecast:   %.6f s in Onecast since the program began\n", Watch::seconds());
  for (const auto& [call, counts] : calls_) {
    if (counts.served > 0)
      std::fprintf(stderr, "onecast:   %s: %llu\n", call.c_str(), counts.served);
    for (const auto& [reason, count] : counts.shadow)
      std::fprintf(stderr, "onecast:   %s: %llu by the shadow: %s\n", call.c_str(), count,
                   reason.c_str());
  }
}

void trace_native_file(const char* name, const char* reason) {
  if (kIsTraced) std::fprintf(stderr, "onecast: %s: by the native library: %s\n", name, reason);
}

}  // namespace onecast_hdf5
