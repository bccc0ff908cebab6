#include "components/root_library.hpp"

#include <array>
#include <filesystem>

#include "model/make_error.hpp"

namespace onecast::events {
namespace {

constexpr std::array kNames{"ROOT", "ROOTEvent", "RNTuple"};

/// True also if ROOT reads the file of another source: Replay=ROOT=a.root.
bool names_one(std::string_view component) {
  while (true) {
    const std::size_t end = component.find_first_of("=:");
    const std::string_view name = component.substr(0, end);
    if (end == std::string_view::npos || component[end] == ':') return false;
    for (const char* known : kNames)
      if (name == known) return true;
    component.remove_prefix(end + 1);
  }
}

}  // namespace

void load_root_if_named(Registry& registry, const std::string& component) {
  if (!names_one(component) || registry.sources().contains(kNames[0])) return;
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  const auto library = program.parent_path() / "libonecast_events_root.so";
  if (!std::filesystem::exists(library, problem))
    throw unsupported_error(
        "{}: needs the components for ROOT, which are no part of the program: `make events-root` "
        "builds them; --load LIBRARY if they lie elsewhere",
        component);
  registry.load(library);
}

}  // namespace onecast::events
