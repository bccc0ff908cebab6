// Finds the MPI that a program or library uses, when it runs.
#ifndef ONECAST_MPI_LINKED

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/make_error.hpp"
#include "comm/mpi/mpi_abis.hpp"
#include "comm/mpi/mpi_library.hpp"
#include "comm/mpi/mpi_of.hpp"

namespace onecast::comm {

namespace {

/// No tool wraps this function, so its address tells one MPI library from another.
constexpr const char* kMark = "PMPI_Get_library_version";

std::string file_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname
                                                                  : "an unknown file";
}

/// Returns a loaded library, which stays loaded until dlclose; null for the program itself.
void* loaded(const std::string& file) { return dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD); }

/// Where one MPI is found.
struct Found {
  void* scope;
  void* mark;
};

/// What the global scope finds comes first if it is the same MPI: there are the tools that wrap
/// functions, and the copies of its objects to which a program may have moved them.
Found find_in(void* scope) {
  void* mark = dlsym(scope, kMark);
  if (mark != nullptr && dlsym(RTLD_DEFAULT, kMark) == mark) scope = RTLD_DEFAULT;
  return {scope, mark};
}

/// Returns what the library or program `file` finds. If it finds an MPI, it stays loaded.
Found find_from(const std::string& file) {
  void* library = loaded(file);
  // The program sees what is loaded globally.
  const Found found = find_in(library != nullptr ? library : RTLD_DEFAULT);
  if (library != nullptr && found.mark == nullptr) dlclose(library);
  return found;
}

bool is_of_mpichs_family(std::string_view version) {
  constexpr std::array<std::string_view, 4> kNames{"MPICH", "Intel(R) MPI", "MVAPICH",
                                                   "ParaStation MPI"};
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return version.find(name) != std::string_view::npos; });
}

/// Returns the version of the standard interface that the library has; 0: none.
int standard_version(void* scope) {
  void* get = dlsym(scope, "MPI_Abi_get_version");
  int major = 0;
  int minor = 0;
  if (get == nullptr || reinterpret_cast<int (*)(int*, int*)>(get)(&major, &minor) != 0) return 0;
  return std::max(major, 0);
}

std::unique_ptr<Mpi> make(const Found& found) {
  const std::string version = asked_version(reinterpret_cast<int (*)(char*, int*)>(found.mark));
  const std::string name = fmt::format("{} ({})", short_version(version), file_of(found.mark));
  const MpiSymbols symbols(dlsym, found.scope, name);
  const int standard = standard_version(found.scope);
  if (standard == 1) return std::make_unique<MpiOf<StandardAbi>>(symbols);
  if (standard == 0 && is_of_mpichs_family(version))
    return std::make_unique<MpiOf<MpichAbi>>(symbols);
  if (standard == 0 && symbols.find("ompi_mpi_comm_world") != nullptr)
    return std::make_unique<MpiOf<OpenMpiAbi>>(symbols);
  throw unsupported_error(
      "MPI: {} is not known; known are Open MPI, MPICH and what has its binary "
      "interface (Intel MPI, MVAPICH, Cray MPICH), and version 1 of MPI's "
      "standard binary interface. For another MPI build Onecast with "
      "ONECAST_MPI_LINKED=ON",
      name);
}

/// The MPI libraries that were asked for, by their marks. They stay loaded as long as the process.
/// So does a library that uses one of them (find_from): its addresses tell which one it uses, and
/// no other library can come to lie there.
class Libraries {
 public:
  static Libraries& get() {
    static auto* const kTheOnes = new Libraries;
    return *kTheOnes;
  }

  const Mpi& at(const Found& found) {
    const std::scoped_lock lock(mutex_);
    auto& library = by_mark_[found.mark];
    if (library == nullptr) {
      library = make(found).release();
      loaded(file_of(found.mark));
    }
    return *library;
  }
  /// Returns null for an address that nobody asked with before.
  const Mpi* used_at(const void* address) {
    const std::scoped_lock lock(mutex_);
    const auto known = by_address_.find(address);
    return known != by_address_.end() ? known->second : nullptr;
  }
  void note_use(const void* address, const Mpi& library) {
    const std::scoped_lock lock(mutex_);
    by_address_.emplace(address, &library);
  }

 private:
  std::mutex mutex_;
  std::map<void*, const Mpi*> by_mark_;
  std::map<const void*, const Mpi*> by_address_;
};

/// Returns the MPIs of all libraries that are loaded, also for one module alone.
std::map<void*, Found> all_loaded() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t /*size*/, void* into) {
        static_cast<std::vector<std::string>*>(into)->emplace_back(library->dlpi_name);
        return 0;
      },
      &names);
  std::map<void*, Found> all;
  for (const std::string& name : names)
    if (const Found found = find_from(name); found.mark != nullptr) all.emplace(found.mark, found);
  return all;
}

/// Returns the only MPI that is loaded. Throws Error (unsupported).
Found only_loaded(const std::string& asked_by) {
  const auto all = all_loaded();
  if (all.size() == 1) return all.begin()->second;
  if (all.empty())
    throw unsupported_error(
        "MPI: no library of MPI is found: {} has no function {}. A program that "
        "is linked to MPI statically has to contain all of MPI (--whole-archive) and "
        "to export it (-rdynamic)",
        asked_by, kMark);
  std::string files;
  for (const auto& [mark, found] : all) files += (files.empty() ? "" : " and ") + file_of(mark);
  throw unsupported_error("MPI: {} uses no MPI, and several are loaded: {}", asked_by, files);
}

}  // namespace

const Mpi& mpi_of(const void* address) {
  Libraries& libraries = Libraries::get();
  if (address != nullptr) {
    if (const Mpi* known = libraries.used_at(address)) return *known;
    if (const Found found = find_from(file_of(address)); found.mark != nullptr) {
      const Mpi& library = libraries.at(found);
      libraries.note_use(address, library);
      return library;
    }
  }
  // A library that is linked to no MPI leaves that to the program.
  Found found = find_in(RTLD_DEFAULT);
  if (found.mark == nullptr)
    found = only_loaded(address != nullptr ? file_of(address) : "the program");
  return libraries.at(found);
}

}  // namespace onecast::comm

#endif
