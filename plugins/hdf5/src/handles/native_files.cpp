#include "handles/native_files.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "handles/file_key.hpp"

namespace onecast_hdf5 {
namespace {

std::mutex mutex;
std::atomic<std::size_t> open{0};
std::map<FileKey, int>& counts() {
  static auto* const kAll = new std::map<FileKey, int>();
  return *kAll;
}

}  // namespace

std::shared_ptr<const void> NativeFiles::add(const char* name) {
  const auto key = FileKey::of(name);
  if (!key) return nullptr;
  const std::scoped_lock lock(mutex);
  ++counts()[*key];
  ++open;
  return {static_cast<const void*>(&counts()), [key](const void*) {
            const std::scoped_lock inner(mutex);
            if (--counts()[*key] == 0) counts().erase(*key);
            --open;
          }};
}

bool NativeFiles::any() { return open > 0; }

bool NativeFiles::is_written(const char* name) {
  if (!any()) return false;
  const auto key = FileKey::of(name);
  const std::scoped_lock lock(mutex);
  return key && counts().contains(*key);
}

}  // namespace onecast_hdf5
