#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "components/spec.hpp"
#include "components/staging.hpp"
#include "model/make_error.hpp"
#include "model/unique_names.hpp"
#include "onecast/base/error.hpp"
#include "onecast/events/component.hpp"

namespace onecast::events {
namespace {

template <class Info>
void add_to(std::map<std::string, Info>& all, Info info) {
  const std::string name = info.name;
  if (!all.emplace(name, std::move(info)).second)
    throw Error(ErrorCode::already_exists, fmt::format("{}: there is such a component", name));
}

template <class Info>
auto make(const Registry& registry, const std::map<std::string, Info>& all, const char* kind,
          const Spec& spec, std::shared_ptr<Team> team) {
  const auto found = all.find(spec.name);
  if (found == all.end()) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const auto& [name, info] : all) names.push_back(name);
    throw argument_error("{}: no such {}; there are {}", spec.name, kind, fmt::join(names, ", "));
  }
  const Info& info = found->second;
  if (info.file == FileUse::none && spec.has_file)
    throw argument_error("{}: takes no file", spec.name);
  if (info.file == FileUse::required && spec.file.empty())
    throw argument_error("{}: needs a file: {}=file", spec.name, spec.name);
  return info.make(Request{spec.file, Options(spec.name, info.options, spec.options),
                           std::move(team), registry});
}

}  // namespace

void Registry::add(SourceInfo info) { add_to(sources_, std::move(info)); }
void Registry::add(OutputerInfo info) {
  add_staging(info);
  add_to(outputers_, std::move(info));
}
void Registry::add(WaiterInfo info) { add_to(waiters_, std::move(info)); }

void Registry::load(const std::string& library) {
  if (library.empty())  // dlopen would take the program itself
    throw Error(ErrorCode::invalid_argument, "load: the name of a library was expected");
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw io_error("{}: a shared library was expected{}: {}", library,
                   library.find('/') == std::string::npos
                       ? " in the system's folders, since the name has no /"
                       : "",
                   dlerror());
  using Register = void (*)(Registry&);
  const auto add_all = reinterpret_cast<Register>(dlsym(handle, "onecast_events_register"));
  if (add_all == nullptr)
    throw argument_error("{}: has no function onecast_events_register", library);
  const auto fail = [&](ErrorCode code, std::string_view what) {
    throw Error(code, fmt::format("{}: {}", library, what));
  };
  try {
    add_all(*this);  // the library stays loaded: its components may be used until the process ends
  } catch (const Error& error) {
    fail(error.code(), error.what());
  } catch (const std::exception& error) {
    fail(ErrorCode::io, error.what());
  } catch (...) {
    fail(ErrorCode::io, "failed with no std::exception");
  }
}

std::unique_ptr<Source> Registry::source(const std::string& text,
                                         std::shared_ptr<Team> team) const {
  const Spec spec = parse_spec(text);
  auto source = make(*this, sources_, "source", spec, std::move(team));
  // Two products with one name cannot be told apart, whatever source they come from.
  require_unique(source->products(), spec.has_file ? spec.file : spec.name);
  return source;
}

std::unique_ptr<Outputer> Registry::outputer(const std::string& text,
                                             std::shared_ptr<Team> team) const {
  return make(*this, outputers_, "outputer", parse_spec(text), std::move(team));
}

std::unique_ptr<Waiter> Registry::waiter(const std::string& text) const {
  return make(*this, waiters_, "waiter", parse_spec(text), alone());
}

}  // namespace onecast::events
