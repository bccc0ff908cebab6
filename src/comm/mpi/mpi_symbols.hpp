#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// The functions and objects of one MPI library, by name.
class MpiSymbols {
 public:
  /// @param look_up returns the address of a name in `scope`, or null
  MpiSymbols(void* (*look_up)(void* scope, const char* name), void* scope, std::string library)
      : find_(look_up), scope_(scope), library_(std::move(library)) {}

  [[nodiscard]] void* find(const char* name) const { return find_(scope_, name); }
  /// Throws Error (unsupported) if the library lacks it.
  [[nodiscard]] void* required(const char* name) const;
  /// The version of the library and its file, for errors.
  [[nodiscard]] const std::string& library() const { return library_; }

 private:
  void* (*find_)(void*, const char*);
  void* scope_;
  std::string library_;
};

/// Returns the version that MPI_Get_library_version, `ask`, tells, up to the end of its first line:
/// a library that stands before another MPI names this one in further lines.
std::string asked_version(int (*ask)(char*, int*));

/// Returns the first words of a library's version, for errors: "Open MPI v5.0.11".
std::string short_version(std::string_view version);

}  // namespace onecast::comm
