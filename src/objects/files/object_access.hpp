#pragma once

#include "base/namespaces.hpp"
#include "onecast/objects/object.hpp"

namespace onecast::files {

/// Converts between a handle and its node.
struct ObjectAccess {
  static Node& node(const Object& object) { return *object.node_; }
  static Object object(detail::WaitingPointer<Node> node) { return Object(std::move(node)); }
  static const detail::WaitingPointer<Node>& handle(const Object& object) { return object.node_; }
  static const AttributeEntry& entry(const Attribute& attribute) { return *attribute.entry_; }
};

}  // namespace onecast::files
