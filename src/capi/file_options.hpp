#pragma once

#include <utility>

#include "onecast/base/error.hpp"
#include "onecast/capi/file.h"
#include "onecast/objects/file.hpp"

namespace onecast::capi {

/// An option as a member of FileOptions and of onecast_file_options; kOptionMembers
/// (file_option_members.hpp) lists all of them.
template <class Ours, class Theirs>
struct OptionMember {
  const char* name;
  Ours FileOptions::* ours;
  Theirs onecast_file_options::* theirs;
};

/// Converts options; NULL means the defaults.
FileOptions file_options_of(const onecast_file_options* options);
Access access_of(onecast_access access);

/// Calls `read`, which reads the arguments of a call that opens a file. An error is kept in the
/// options, so that the call throws it on all ranks.
template <class F>
void note_problem(FileOptions& options, F&& read) {
  try {
    std::forward<F>(read)();
  } catch (const Error& error) {
    options.problem = error.what();
  }
}

}  // namespace onecast::capi
