#include "device/cu_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

#include "base/mutex.hpp"
#include "base/of_process.hpp"

namespace onecast::device {
namespace {

constexpr const char* kLibrarySetting = "ONECAST_CUFILE";
constexpr const char* kUsualLibrary = "libcufile.so.0";
/// A file that the part of GPUDirect Storage in the kernel makes.
constexpr const char* kOfKernel = "/proc/driver/nvidia-fs/version";

/// What is known of the library.
struct Loaded {
  GlobalMutex one_at_a_time;
  CuFile functions;
  bool is_open = false;
  std::string failure;  ///< of the last try
};

std::string_view setting() {
  const char* named = std::getenv(kLibrarySetting);
  return named != nullptr ? named : "";
}

/// Returns why the library cannot be used, or nothing.
std::string load(CuFile& functions) {
  const std::string file(setting().empty() ? kUsualLibrary : setting());
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fmt::format("cuFile: {}", dlerror());
  std::string missing;
  const auto look_up = [&](auto& function, const char* name) {
    void* address = dlsym(library, name);
    if (address == nullptr && missing.empty())
      missing = fmt::format("cuFile: {} has no function {}", file, name);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
  };
  look_up(functions.driver_open, "cuFileDriverOpen");
  look_up(functions.handle_register, "cuFileHandleRegister");
  look_up(functions.handle_deregister, "cuFileHandleDeregister");
  look_up(functions.read, "cuFileRead");
  look_up(functions.write, "cuFileWrite");
  if (!missing.empty()) return missing;
  const CuFile::Result opened = functions.driver_open();
  if (opened.error == 0) return {};
  return fmt::format("cuFileDriverOpen: error {}, of the driver {}", opened.error,
                     opened.driver_error);
}

}  // namespace

std::string hindrance_of_cu_file(const Driver& driver) {
  if (driver.api != DeviceApi::cuda) return "cuFile is for devices of NVIDIA";
  if (setting() == "none") return fmt::format("{} is \"none\"", kLibrarySetting);
  if (setting().empty() && access(kOfKernel, F_OK) != 0)
    return fmt::format("the system has no {}, which belongs to GPUDirect Storage", kOfKernel);
  return {};
}

const CuFile& cu_file(const Driver& driver, bool again) {
  if (driver.api != DeviceApi::cuda || setting() == "none")
    throw DeviceError(ErrorCode::state, hindrance_of_cu_file(driver));
  auto& known = of_process<Loaded>();
  const std::scoped_lock lock(known.one_at_a_time);
  if (!known.is_open && (again || known.failure.empty())) {
    known.failure = load(known.functions);
    known.is_open = known.failure.empty();
  }
  if (!known.is_open) throw DeviceError(ErrorCode::state, known.failure);
  return known.functions;
}

}  // namespace onecast::device
