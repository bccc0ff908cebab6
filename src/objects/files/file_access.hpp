#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::files {

/// Converts between a handle and an open file, also one whose transport the caller chose, which the
/// public API does not offer.
struct FileAccess {
  static File file(std::shared_ptr<FileState> state);
  static FileState& state(File& file);
};

}  // namespace onecast::files
