#include "objects/nodes/reference_count.hpp"

#include "format/objects/object_messages.hpp"
#include "objects/nodes/open_file.hpp"
#include "objects/nodes/writable_header.hpp"

namespace onecast::nodes {

std::uint32_t reference_count(const Node& node) {
  const HeaderMessage* m = node.header.find(MessageType::reference_count);
  if (m == nullptr) return node.header.version == 1 ? node.header.reference_count : 1;
  return decode<ReferenceCountMessage>(m->data, m->address, node.home().store().file())
      .reference_count;
}

void set_reference_count(Node& node, std::uint32_t count) {
  node.edit();
  keep_reference_count(node, count);
}

void keep_reference_count(Node& node, std::uint32_t count) {
  keep_reference_count(node.header, count, node.home().store().file(), node.home().arena());
}

}  // namespace onecast::nodes
