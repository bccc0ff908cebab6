#pragma once

#include <utility>

#include "onecast/base/error.hpp"
#include "onecast/capi/file.h"
#include "onecast/objects/file.hpp"

namespace onecast::capi {

/// A member of both structs of options; kOptionMembers (file_option_members.hpp) has them all.
template <class Ours, class Theirs>
struct OptionMember {
  const char* name;
  Ours FileOptions::* ours;
  Theirs onecast_file_options::* theirs;
};

/// NULL: the defaults.
FileOptions file_options_of(const onecast_file_options* options);
Access access_of(onecast_access access);

/// Reads the arguments of a call that opens a file. If one is wrong the options say so: then all
/// ranks hear it.
template <class F>
void note_problem(FileOptions& options, F&& read) {
  try {
    std::forward<F>(read)();
  } catch (const Error& error) {
    options.problem = error.what();
  }
}

}  // namespace onecast::capi
