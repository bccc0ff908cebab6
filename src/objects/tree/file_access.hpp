#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::tree {

/// Handles of files whose transport was chosen by the caller, which the public API does not offer.
struct FileAccess {
  static File file(std::shared_ptr<FileState> state);
};

}  // namespace onecast::tree
