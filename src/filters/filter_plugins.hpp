#pragma once

#include "base/namespaces.hpp"

namespace onecast::filters {

/// Loads the plug-ins in the directories of HDF5_PLUGIN_PATH, once in a process.
void load_plugins_of_environment();

}  // namespace onecast::filters
