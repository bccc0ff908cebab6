#pragma once

#include <string_view>

#include "base/make_error.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::handles {

/// Throws Error (invalid_argument) unless a new attribute of the object can have this name.
inline void require_attribute_name(const Node& node, std::string_view name) {
  if (name.empty() || name.size() > kMaxNameLength || name.find('\0') != std::string_view::npos)
    throw argument_error("{}: attribute name: 1 to {} bytes without NUL expected", node.where(),
                         kMaxNameLength);
}

}  // namespace onecast::handles
