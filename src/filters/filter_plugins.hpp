#pragma once

#include "base/namespaces.hpp"

namespace onecast::filters {

/// Once in a process: the plug-ins of the folders that HDF5_PLUGIN_PATH names.
void load_plugins_of_environment();

}  // namespace onecast::filters
