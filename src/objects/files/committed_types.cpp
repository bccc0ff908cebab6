#include "objects/files/committed_types.hpp"

#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/files/object_access.hpp"
#include "objects/nodes/reference_count.hpp"

namespace onecast::files {

namespace {

Node* type_at(Node& owner, ByteView message, Address where) {
  try {
    FileState& file = file_of(owner);
    const auto shared = decode<SharedMessage>(message, where, file.store().file());
    if (shared.is_in_heap()) return nullptr;
    Node& type = file.nodes().at(shared.object_header, nullptr, {});
    return type.kind == ObjectKind::datatype ? &type : nullptr;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format && error.code() != ErrorCode::unsupported) throw;
    return nullptr;
  }
}

}  // namespace

Node* committed_type_of(Node& dataset) {
  if (Node* type = dataset.committed_type()) return type;
  const HeaderMessage* m = dataset.header.find(MessageType::datatype);
  return m != nullptr && m->is_shared() ? type_at(dataset, m->data, m->address) : nullptr;
}

Node* committed_type_of(Node& owner, const AttributeEntry& attribute) {
  if (attribute.committed_type != nullptr) return attribute.committed_type;
  if (!attribute.datatype_is_shared()) return nullptr;
  return type_at(owner, attribute.StoredAttribute::datatype(), attribute.address());
}

Node& usable_type(const Object& type, FileState& file, const Where& where) {
  require_together(file, "using a committed datatype");
  Node& node = ObjectAccess::node(type);
  if (node.kind != ObjectKind::datatype || &file_of(node) != &file)
    throw argument_error("{}: {} is not a committed datatype of this file", where.text(),
                         node.where());
  if (node.removed || node.is_local())
    throw state_error("{}: {} {}", where.text(), node.where(),
                      node.removed ? "was removed" : "is not known to all ranks yet");
  return node;
}

void count_use(Node& committed_type) {
  set_reference_count(committed_type, reference_count(committed_type) + 1);
}

const Datatype& datatype_of(Node& committed_type) {
  const HeaderMessage* m = committed_type.header.find(MessageType::datatype);
  if (m == nullptr)
    throw Error(ErrorCode::format, committed_type.where() + ": the header has no Datatype message");
  return file_of(committed_type).datatype(*m);
}

void set_committed_types(Node& node) {
  for (const AttributeEntry* a : node.attribute_entries()) {
    if (a->committed_type == nullptr) continue;
    // An attribute whose committed_type is set was created by this process.
    encode_over(a->StoredAttribute::datatype(), reference_to(*a->committed_type),
                file_of(node).store().file());
  }
}

}  // namespace onecast::files
