#include "handles/written_files.hpp"

#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "handles/file_key.hpp"
#include "library/library.hpp"

namespace onecast_hdf5 {
namespace {

constexpr std::size_t kNative = Library::kMost;
/// How many files each library has open for writing by Onecast, and then all of them natively.
using Counts = std::array<std::atomic<int>, kNative + 1>;

bool any_other(const Counts& counts, std::size_t than) {
  for (std::size_t i = 0; i < kNative; ++i)
    if (i != than && counts[i] > 0) return true;
  return false;
}

std::mutex mutex;
Counts all{};
std::map<FileKey, Counts>& by_file() {
  static auto* const kAll = new std::map<FileKey, Counts>();
  return *kAll;
}

/// Calls `says` with the counts of a file, if it is written.
template <class Says>
bool of_file(const char* name, const Says& says) {
  const auto key = FileKey::of(name);
  const std::scoped_lock lock(mutex);
  if (!key) return false;
  const auto found = by_file().find(*key);
  return found != by_file().end() && says(found->second);
}

}  // namespace

std::shared_ptr<const void> WrittenFiles::add(const char* name, const Library* by) {
  const auto key = FileKey::of(name);
  if (!key) return nullptr;
  const std::size_t place = by == nullptr ? kNative : by->slot();
  const std::scoped_lock lock(mutex);
  ++by_file()[*key][place];
  ++all[place];
  return {static_cast<const void*>(&all), [key = *key, place](const void*) {
            const std::scoped_lock inner(mutex);
            const auto found = by_file().find(key);
            --found->second[place];
            --all[place];
            if (found->second[kNative] == 0 && !any_other(found->second, kNative))
              by_file().erase(found);
          }};
}

bool WrittenFiles::any_native() { return all[kNative] > 0; }

bool WrittenFiles::any_of_other_library(const Library& than) { return any_other(all, than.slot()); }

bool WrittenFiles::is_native(const char* name) {
  return any_native() && of_file(name, [](const Counts& counts) { return counts[kNative] > 0; });
}

bool WrittenFiles::is_of_other_library(const char* name, const Library& than) {
  return any_of_other_library(than) &&
         of_file(name, [&](const Counts& counts) { return any_other(counts, than.slot()); });
}

}  // namespace onecast_hdf5
