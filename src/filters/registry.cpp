#include "filters/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

#include "base/make_error.hpp"
#include "base/mutex.hpp"
#include "filters/filter_name.hpp"
#include "filters/filter_plugins.hpp"

namespace onecast::filters {
namespace {

/// The library's own numbers are below.
constexpr std::uint16_t kFirstForOthers = 256;

struct Registered {
  GlobalMutex mutex;
  std::map<std::uint16_t, std::shared_ptr<const RegisteredFilter>> filters;
};

/// Never destroyed: registered functions may belong to an interpreter that has already ended.
Registered& registered() {
  static auto* all = new Registered;
  return *all;
}
/// Created before there are threads. Otherwise a process that is forked while a thread creates it
/// would wait for ever.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): nothing works without memory.
[[maybe_unused]] const Registered& registry_ready = registered();

std::shared_ptr<const RegisteredFilter> find_registered(std::uint16_t id) {
  Registered& all = registered();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.filters.find(id);
  return found == all.filters.end() ? nullptr : found->second;
}

/// Makes a name from the file or from a user printable.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, 64));
  std::replace_if(out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

ByteView call(const FilterFunction& function, const FilterJob& job, ByteView bytes,
              Workspace& workspace) {
  std::vector<std::byte> result;
  try {
    result = function({bytes, job.spec.client_data, job.max_size});
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    job.fail(error.what());
  } catch (...) {
    job.fail("it threw an object that is not a std::exception");
  }
  const std::span<std::byte> out = workspace.result(job.claimed_size(result.size()));
  std::copy(result.begin(), result.end(), out.begin());
  return out;
}

}  // namespace

std::string FoundFilter::name(const FilterSpec& spec) const {
  std::string name(own != nullptr ? own->name : filter_name(spec.id));
  if (name.empty()) name = printable(spec.name);
  if (name.empty() && registered != nullptr) name = printable(registered->name);
  return name;
}

std::size_t FoundFilter::max_filtered_size(std::size_t size) const {
  const std::size_t result = own != nullptr ? own->max_filtered_size(size) : much_more(size);
  return result < size ? std::numeric_limits<std::size_t>::max() : result;
}

ByteView FoundFilter::decode(const FilterJob& job, ByteView filtered, Workspace& workspace) const {
  return own != nullptr ? own->decode(job, filtered, workspace)
                        : call(registered->decode, job, filtered, workspace);
}

std::optional<ByteView> FoundFilter::encode(const FilterJob& job, ByteView plain,
                                            Workspace& workspace) const {
  if (own != nullptr) return own->encode(job, plain, workspace);
  const ByteView filtered = call(registered->encode, job, plain, workspace);
  if (filtered.empty()) return std::nullopt;
  return filtered;
}

FoundFilter find_filter(std::uint16_t id) {
  const OwnFilter* own = find_own_filter(id);
  if (own != nullptr && own->is_there()) return {own, nullptr};
  if (auto found = find_registered(id)) return {nullptr, std::move(found)};
  load_plugins_of_environment();
  return {nullptr, find_registered(id)};
}

std::map<std::uint16_t, std::shared_ptr<const RegisteredFilter>> registered_filters() {
  Registered& all = registered();
  const std::scoped_lock lock(all.mutex);
  return all.filters;
}

std::string number_and_name(const FilterSpec& spec) {
  return number_and_name(spec.id, find_filter(spec.id).name(spec)) + missing_library(spec.id);
}

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

void register_filter(std::uint16_t id, std::string name, FilterFunction decode,
                     FilterFunction encode) {
  const auto refuse = [&](std::string_view why) {
    throw argument_error("register_filter: id {}: {}", id, why);
  };
  if (const OwnFilter* own = find_own_filter(id); own != nullptr && own->is_there())
    refuse(fmt::format("{} is Onecast's own and cannot be replaced", filter_name(id)));
  if (id < kFirstForOthers) refuse("numbers below 256 belong to the HDF5 library");
  if (!decode) refuse("the function is empty");
  auto added = std::make_shared<const RegisteredFilter>(
      RegisteredFilter{std::move(name), std::move(decode), std::move(encode)});
  Registered& all = registered();
  {
    const std::scoped_lock lock(all.mutex);
    all.filters[id].swap(added);
  }
  // A previous filter is destroyed here, without the lock, since that may run code of the user.
}

bool unregister_filter(std::uint16_t id) {
  Registered& all = registered();
  std::shared_ptr<const RegisteredFilter> removed;
  const std::scoped_lock lock(all.mutex);
  const auto found = all.filters.find(id);
  if (found == all.filters.end()) return false;
  removed = std::move(found->second);
  all.filters.erase(found);
  return true;
}

}  // namespace onecast
