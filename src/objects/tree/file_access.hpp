#pragma once

#include <memory>

#include "onecast/objects/file.hpp"

namespace onecast {

/// Handles of files whose transport was chosen by the caller, which the public API does not offer.
struct FileAccess {
  static File file(std::shared_ptr<FileState> state);
};

}  // namespace onecast
