#include "handles/native_files.hpp"

#include <sys/stat.h>

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

namespace onecast_hdf5 {
namespace {

using Key = std::pair<dev_t, ino_t>;

std::mutex mutex;
std::atomic<std::size_t> open{0};
std::map<Key, int>& counts() {
  static auto* const kAll = new std::map<Key, int>();
  return *kAll;
}

bool key_of(const char* name, Key& key) {
  struct stat found{};
  if (stat(name, &found) != 0) return false;
  key = {found.st_dev, found.st_ino};
  return true;
}

}  // namespace

std::shared_ptr<const void> NativeFiles::add(const char* name) {
  Key key;
  if (!key_of(name, key)) return nullptr;
  const std::scoped_lock lock(mutex);
  ++counts()[key];
  ++open;
  return {static_cast<const void*>(&counts()), [key](const void*) {
            const std::scoped_lock inner(mutex);
            if (--counts()[key] == 0) counts().erase(key);
            --open;
          }};
}

bool NativeFiles::any() { return open > 0; }

bool NativeFiles::is_written(const char* name) {
  if (!any()) return false;
  const std::scoped_lock lock(mutex);
  Key key;
  return key_of(name, key) && counts().contains(key);
}

}  // namespace onecast_hdf5
