#include "device/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "base/mutex.hpp"
#include "base/of_process.hpp"

namespace onecast::device {

constinit const Driver DriverOfProcess::kNotKnown;
constinit std::atomic<const Driver*> DriverOfProcess::known = &DriverOfProcess::kNotKnown;

namespace {

constexpr const char* kSetting = "ONECAST_DEVICE_DRIVER";

/// What the search for a driver has found.
struct Search {
  GlobalMutex one_at_a_time;
  Driver driver;
};
Search& search() { return of_process<Search>(); }

/// The number of libraries that the process had ever loaded when it was last searched.
std::atomic<unsigned long long> libraries_seen = 0;

const Driver* settle(const Driver* found) {
  DriverOfProcess::known.store(found, std::memory_order_release);
  return found;
}

/// Returns true if the machine can have a device: files that its driver makes are there.
bool machine_may_have_device() {
  constexpr std::array kFiles{"/dev/nvidiactl", "/dev/nvhost-ctrl", "/dev/nvmap", "/dev/dxg",
                              "/dev/kfd"};
  for (const char* file : kFiles)
    if (access(file, F_OK) == 0) return true;
  return false;
}

unsigned long long libraries_ever_loaded() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

/// Returns the file of the driver that the process has loaded, or nothing.
std::string loaded_driver() {
  std::string found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        std::string_view name = info->dlpi_name != nullptr ? info->dlpi_name : "";
        name.remove_prefix(std::min(name.size(), name.rfind('/') + 1));
        if (!name.starts_with("libcuda.so") && !name.starts_with("libamdhip64.so")) return 0;
        *static_cast<std::string*>(out) = info->dlpi_name;
        return 1;
      },
      &found);
  return found;
}

/// Looks up all functions. Returns the name of one that is missing, or null.
const char* look_up(Driver& driver, void* library) {
  const bool is_hip = dlsym(library, "hipPointerGetAttribute") != nullptr;
  driver.api = is_hip ? DeviceApi::hip : DeviceApi::cuda;
  const char* missing = nullptr;
  driver.for_each_function([&](auto& function, const char* cuda, const char* hip) {
    function.name = is_hip ? hip : cuda;
    void* address = dlsym(library, function.name);
    if (address == nullptr && missing == nullptr) missing = function.name;
    function.function = reinterpret_cast<decltype(function.function)>(address);
  });
  return missing;
}

/// Loads the driver that the environment names.
const Driver* load_named(Driver& driver, const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw DeviceError(ErrorCode::state, fmt::format("{}: {}", kSetting, dlerror()));
  if (const char* missing = look_up(driver, library); missing != nullptr)
    throw DeviceError(ErrorCode::state,
                      fmt::format("{}: {} has no function {}", kSetting, file, missing));
  return settle(&driver);
}

}  // namespace

const Driver* DriverOfProcess::look_for() {
  const unsigned long long loaded = libraries_ever_loaded();
  if (libraries_seen.load(std::memory_order_relaxed) == loaded) return nullptr;
  const std::scoped_lock lock(search().one_at_a_time);
  if (const Driver* found = known.load(std::memory_order_acquire); found != &kNotKnown)
    return found;
  if (const char* named = std::getenv(kSetting); named != nullptr && *named != '\0')
    return std::string_view(named) == "none" ? settle(nullptr) : load_named(search().driver, named);
  if (!machine_may_have_device()) return settle(nullptr);
  if (const std::string file = loaded_driver(); !file.empty())
    if (void* library = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD); library != nullptr)
      if (look_up(search().driver, library) == nullptr) return settle(&search().driver);
  libraries_seen.store(loaded, std::memory_order_relaxed);
  return nullptr;
}

std::string Driver::words(int result) const {
  const char* text = nullptr;
  if (error_text(result, &text) != 0 || text == nullptr) return fmt::format("error {}", result);
  return text;
}

void Driver::fail(const char* function, int result) const {
  throw DeviceError(ErrorCode::io,
                    fmt::format("memory of a device: {}: {}", function, words(result)));
}

}  // namespace onecast::device
