#include "objects/tree/reference_count.hpp"

#include "format/objects/object_messages.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast {

std::uint32_t reference_count(const Node& node) {
  const HeaderMessage* m = node.header.find(MessageType::reference_count);
  if (m == nullptr) return node.header.version == 1 ? node.header.reference_count : 1;
  return decode<ReferenceCountMessage>(m->data, m->address, node.file->store().file())
      .reference_count;
}

void set_reference_count(Node& node, std::uint32_t count) {
  node.edit();
  keep_reference_count(node, count);
}

void keep_reference_count(Node& node, std::uint32_t count) {
  std::erase_if(node.header.messages,
                [](const HeaderMessage& m) { return m.type == MessageType::reference_count; });
  if (count == 1) return;
  const ReferenceCountMessage message{count};
  node.header.messages.push_back(
      {MessageType::reference_count,
       0,
       0,
       {},
       encode_kept(message, node.file->store().file(), node.file->arena())});
}

}  // namespace onecast
