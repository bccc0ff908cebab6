#include "comm/call_preparations.hpp"

#include <utility>
#include <vector>

namespace onecast {

CallPreparations& CallPreparations::of_this_process() {
  static CallPreparations all;
  return all;
}

void CallPreparations::add(const void* file, const CommunicatorBackend& ranks,
                           std::function<void()> prepare) {
  const std::scoped_lock lock(mutex_);
  of_files_.insert_or_assign(file, Preparation{&ranks, std::move(prepare)});
}

void CallPreparations::remove(const void* file) noexcept {
  const std::scoped_lock lock(mutex_);
  of_files_.erase(file);
}

void CallPreparations::make_all(const CommunicatorBackend& ranks) {
  std::vector<std::function<void()>> all;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [file, one] : of_files_)
      if (one.ranks == &ranks) all.push_back(one.prepare);
  }
  for (const auto& prepare : all) prepare();
}

}  // namespace onecast
