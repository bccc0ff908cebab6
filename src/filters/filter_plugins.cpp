#include "onecast/filters/filter_plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "base/make_error.hpp"
#include "base/mutex.hpp"
#include "base/of_process.hpp"
#include "filters/filter_plugins.hpp"
#include "onecast/filters/known_filters.hpp"
#include "onecast/filters/register_filter.hpp"

namespace onecast::filters {
namespace {

/// A filter with HDF5's C interface: takes and returns a buffer of malloc, and returns the number
/// of valid bytes, 0 on failure.
using PluginFunction = std::size_t (*)(unsigned flags, std::size_t client_data_count,
                                       const unsigned* client_data, std::size_t size,
                                       std::size_t* buffer_size, void** buffer);

/// The struct that H5PLget_plugin_info returns for a filter ("H5Z_class2_t" of HDF5's headers).
struct PluginFilter {
  int version;
  int id;
  unsigned has_encoder;
  unsigned has_decoder;
  const char* name;
  void (*can_apply)();
  void (*set_local)();
  PluginFunction filter;
};

constexpr int kFilterPlugin = 0;  ///< a value of H5PLget_plugin_type
constexpr int kFilterVersion = 1;
constexpr unsigned kDecode = 0x0100;

struct Plugins {
  GlobalMutex one_at_a_time;
  GlobalMutex loading;
  bool are_loaded = false;  ///< the plug-ins of the environment
};
Plugins& plugins() { return of_process<Plugins>(); }

std::vector<std::byte> run(PluginFunction filter, unsigned flags, const FilterInput& input) {
  // Many plug-ins have global variables.
  const std::scoped_lock lock(plugins().one_at_a_time);
  std::size_t room = std::max<std::size_t>(input.bytes.size(), 1);
  void* buffer = std::malloc(room);
  if (buffer == nullptr) throw std::bad_alloc();
  if (!input.bytes.empty()) std::memcpy(buffer, input.bytes.data(), input.bytes.size());
  // If this throws, the owner of the buffer is unknown, so the buffer is lost.
  const std::size_t size = filter(flags, input.client_data.size(), input.client_data.data(),
                                  input.bytes.size(), &room, &buffer);
  const std::unique_ptr<void, decltype(&std::free)> owned(buffer, &std::free);
  if (size == 0 || buffer == nullptr) {
    if ((flags & kDecode) != 0) throw std::runtime_error("the plug-in failed");
    return {};
  }
  if (size > input.max_size)
    throw std::runtime_error(fmt::format("the plug-in returned {} bytes, at most {} were expected",
                                         size, input.max_size));
  const auto* bytes = static_cast<const std::byte*>(buffer);
  return {bytes, bytes + size};
}

template <class F>
F symbol(void* library, const char* name) {
  return reinterpret_cast<F>(dlsym(library, name));
}

/// The filter of a library, which stays loaded. Throws Error if it is not a plug-in with a filter.
const PluginFilter& filter_of(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto refuse = [&](std::string_view why) { throw argument_error("{}: {}", path, why); };
  if (library == nullptr) {
    const char* why = dlerror();
    refuse(why == nullptr ? "cannot be loaded" : why);
  }
  const auto type = symbol<int (*)()>(library, "H5PLget_plugin_type");
  const auto info = symbol<const void* (*)()>(library, "H5PLget_plugin_info");
  if (type == nullptr || info == nullptr || type() != kFilterPlugin) {
    dlclose(library);
    refuse("is no plug-in of HDF5 with a filter");
  }
  const auto* filter = static_cast<const PluginFilter*>(info());
  if (filter == nullptr || filter->version != kFilterVersion || filter->filter == nullptr ||
      filter->id <= 0 || filter->id > UINT16_MAX) {
    dlclose(library);
    refuse("its filter has an interface that Onecast does not know");
  }
  return *filter;
}

/// Loads a plug-in. Returns true if its filter was not known before.
bool load(const std::string& path) {
  const PluginFilter& found = filter_of(path);
  const auto id = static_cast<std::uint16_t>(found.id);
  const std::vector<KnownFilter> known = known_filters();
  if (std::ranges::any_of(known, [&](const KnownFilter& k) { return k.id == id && k.decodes; }))
    return false;
  const PluginFunction filter = found.filter;
  FilterFunction encode;
  if (found.set_local == nullptr && found.has_encoder != 0)
    encode = [filter](const FilterInput& input) { return run(filter, 0, input); };
  register_filter(
      id, found.name == nullptr ? "" : found.name,
      [filter](const FilterInput& input) { return run(filter, kDecode, input); }, encode);
  return true;
}

bool is_library(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".so") || name.find(".so.") != std::string::npos ||
         name.ends_with(".dylib");
}

std::size_t load_folder(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> found;
  for (auto entry = std::filesystem::directory_iterator(folder, failure);
       !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure))
    if (is_library(entry->path())) found.push_back(entry->path().string());
  if (failure)
    throw Error(ErrorCode::io, fmt::format("{}: {}", folder, failure.message()), failure.value());
  std::ranges::sort(found);
  std::size_t count = 0;
  for (const std::string& path : found) {
    try {
      if (load(path)) ++count;
    } catch (const Error&) {
      continue;  // a directory may have other libraries, too
    }
  }
  return count;
}

}  // namespace

void load_plugins_of_environment() {
  const std::scoped_lock lock(plugins().loading);
  if (std::exchange(plugins().are_loaded, true)) return;
  const char* given = std::getenv("HDF5_PLUGIN_PATH");
  std::string_view rest = given == nullptr ? "" : given;
  while (!rest.empty()) {
    const std::string folder(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    try {
      if (!folder.empty()) load_folder(folder);
    } catch (const Error&) {
      continue;  // as in the HDF5 library, a missing directory has no plug-ins
    }
  }
}

}  // namespace onecast::filters

namespace onecast {

std::size_t load_filter_plugins(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status))
    throw Error(ErrorCode::io, fmt::format("{}: no such file or folder", path), ENOENT);
  return std::filesystem::is_directory(status) ? filters::load_folder(path)
                                               : (filters::load(path) ? 1U : 0U);
}

}  // namespace onecast
