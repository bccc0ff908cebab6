#pragma once

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "format/objects/shared_message.hpp"
#include "objects/tree/node.hpp"

/// Committed datatypes that objects refer to. As hard links do, each use counts.
namespace onecast::tree {

/// What stands in place of a Datatype message. The address is that of the last flush plan.
inline SharedMessage reference_to(const Node& committed_type) {
  SharedMessage shared;
  shared.object_header = committed_type.address;
  return shared;
}

/// Calls each(node) for those whose address is not in the object's messages yet.
template <class F>
void for_each_committed_type(Node& node, F&& each) {
  if (node.committed_type != nullptr) each(node.committed_type);
  for (const AttributeEntry* a : node.attribute_entries())
    if (a->committed_type != nullptr) each(a->committed_type);
}

/// The committed type of a dataset, or of an attribute, whatever says so; null if there is none, or
/// what stands there leads to none.
Node* committed_type_of(Node& dataset);
Node* committed_type_of(Node& owner, const AttributeEntry& attribute);

/// What a new dataset or attribute of the file may refer to. Throws Error: invalid_argument, after
/// `where`, if it is no committed datatype of the file; state if it was removed, and inside
/// independent().
Node& usable_type(const Object& type, FileState& file, const Where& where);
/// One more use, by an object that says so from now on.
void count_use(Node& committed_type);
const Datatype& datatype_of(Node& committed_type);

/// Writes their addresses, which they have now, into the attributes' messages.
void set_committed_types(Node& node);

}  // namespace onecast::tree
