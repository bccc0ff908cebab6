// Finds the MPI that a program or library uses, when it runs.
#ifndef ONECAST_MPI_LINKED

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "comm/mpi_abis.hpp"
#include "comm/mpi_library.hpp"
#include "comm/mpi_of.hpp"

namespace onecast::comm {

namespace {

/// No tool wraps this function, so its address tells one MPI library from another.
constexpr const char* kMark = "PMPI_Get_library_version";

std::string file_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname
                                                                  : "an unknown file";
}

/// Returns the scope of the library with this address, which stays loaded.
void* scope_of(const void* address) {
  // The program itself, which dlopen does not find by its name, sees what is loaded globally.
  void* library = dlopen(file_of(address).c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return library != nullptr ? library : RTLD_DEFAULT;
}

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

std::string version_of(const Found& found) {
  std::array<char, 16384> text{};
  int length = 0;
  reinterpret_cast<int (*)(char*, int*)>(found.mark)(text.data(), &length);
  return text.data();
}

/// Returns the first words of the version: "Open MPI v5.0.11".
std::string short_version(std::string_view version) {
  version = version.substr(0, version.find('\n'));
  if (const auto comma = version.find(','); comma != std::string_view::npos)
    version = version.substr(0, comma);
  std::string words;
  for (const char c : version)
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words.empty() ? "an MPI without a version" : words;
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
  const std::string version = version_of(found);
  const std::string name = fmt::format("{} ({})", short_version(version), file_of(found.mark));
  const MpiSymbols symbols(dlsym, found.scope, name);
  const int standard = standard_version(found.scope);
  if (standard == 1) return std::make_unique<MpiOf<StandardAbi>>(symbols);
  if (standard == 0 && is_of_mpichs_family(version))
    return std::make_unique<MpiOf<MpichAbi>>(symbols);
  if (standard == 0 && symbols.find("ompi_mpi_comm_world") != nullptr)
    return std::make_unique<MpiOf<OpenMpiAbi>>(symbols);
  throw Error(ErrorCode::unsupported,
              fmt::format("MPI: {} is not known; known are Open MPI, MPICH and what has its binary "
                          "interface (Intel MPI, MVAPICH, Cray MPICH), and version 1 of MPI's "
                          "standard binary interface. For another MPI build Onecast with "
                          "ONECAST_MPI_LINKED=ON",
                          name));
}

/// The MPI libraries that were asked for, by their marks. They stay as long as the process.
class Libraries {
 public:
  static Libraries& get() {
    static auto* const kTheOnes = new Libraries;
    return *kTheOnes;
  }

  const Mpi& at(const Found& found) {
    const std::scoped_lock lock(mutex_);
    auto& library = by_mark_[found.mark];
    if (!library) library = make(found).release();
    return *library;
  }

 private:
  std::mutex mutex_;
  std::map<void*, const Mpi*> by_mark_;
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
  for (const std::string& name : names) {
    void* library = name.empty() ? nullptr : dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    if (const Found found = find_in(library); found.mark != nullptr)
      all.emplace(found.mark, found);
    else
      dlclose(library);
  }
  return all;
}

/// Returns the only MPI that is loaded. Throws Error (unsupported).
Found only_loaded(const std::string& asked_by) {
  const auto all = all_loaded();
  if (all.size() == 1) return all.begin()->second;
  if (all.empty())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("MPI: no library of MPI is found: {} has no function {}. A program that "
                    "contains MPI has to be linked with -rdynamic, or Onecast built with "
                    "ONECAST_MPI_LINKED=ON",
                    asked_by, kMark));
  std::string files;
  for (const auto& [mark, found] : all) files += (files.empty() ? "" : " and ") + file_of(mark);
  throw Error(ErrorCode::unsupported,
              fmt::format("MPI: {} uses no MPI, and several are loaded: {}", asked_by, files));
}

}  // namespace

const Mpi& mpi_of(const void* address) {
  Found found{};
  if (address != nullptr) found = find_in(scope_of(address));
  // A library that is linked to no MPI leaves that to the program.
  if (found.mark == nullptr) found = find_in(RTLD_DEFAULT);
  if (found.mark == nullptr)
    found = only_loaded(address != nullptr ? file_of(address) : "the program");
  return Libraries::get().at(found);
}

}  // namespace onecast::comm

#endif
