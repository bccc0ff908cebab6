#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::filters {

/// One filter of a dataset's pipeline, as the Filter Pipeline message lists it.
struct FilterSpec {
  std::uint16_t id = 0;
  bool optional = false;
  std::string name;
  std::vector<std::uint32_t> client_data;
};

}  // namespace onecast::filters
