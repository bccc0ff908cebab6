#pragma once

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "format/objects/shared_message.hpp"
#include "objects/nodes/node.hpp"

/// Committed datatypes to which objects refer. Each use counts as a hard link.
namespace onecast::files {

/// Returns the message that takes the place of a Datatype message. Its address is the one that the
/// last flush plan gave.
inline SharedMessage reference_to(const Node& committed_type) {
  SharedMessage shared;
  shared.object_header = committed_type.address;
  return shared;
}

/// Calls each(node) for each committed type whose address is not in the object's messages yet.
template <class F>
void for_each_committed_type(Node& node, F&& each) {
  if (Node* type = node.committed_type()) each(type);
  for (const AttributeEntry* a : node.attribute_entries())
    if (a->committed_type != nullptr) each(a->committed_type);
}

/// Returns the committed type of a dataset or of an attribute, whether the node or its message
/// names it. Null if there is none, or if the message leads to none.
Node* committed_type_of(Node& dataset);
Node* committed_type_of(Node& owner, const AttributeEntry& attribute);

/// Returns the committed datatype that a new dataset or attribute of the file may refer to. Throws
/// Error: invalid_argument, after `where`, if `type` is no committed datatype of the file; state if
/// it was removed, and inside independent().
Node& usable_type(const Object& type, FileState& file, const Where& where);
/// Counts one more use, by an object that refers to the type from now on.
void count_use(Node& committed_type);
const Datatype& datatype_of(Node& committed_type);

/// Writes the present addresses of committed types into the messages of the node's attributes.
void set_committed_types(Node& node);

}  // namespace onecast::files
