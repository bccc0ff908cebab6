#include "structures/shared_messages.hpp"

#include "format/infra/shared_message_table.hpp"
#include "format/objects/shared_message.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
namespace {

/// "Message Type Flags": the library numbers the bits like the types.
unsigned type_flag(MessageType type) {
  // The flag of new fill values also covers old ones.
  if (type == MessageType::old_fill_value) type = MessageType::fill_value;
  return 1U << static_cast<unsigned>(type);
}

}  // namespace

HeaderMessage SharedMessages::resolve(const HeaderMessage& message) {
  if (!message.is_shared()) return message;
  const auto shared = decode<SharedMessage>(message.data, message.address, source_.file());
  HeaderMessage found = message;
  if (shared.is_in_heap()) {
    found.address = heap_of(message.type);
    found.data = in_heap(message.type, shared.heap_id);
  } else {
    const Committed& there = committed(message, shared.object_header);
    found.address = there.address;
    found.data = there.bytes;
  }
  found.flags &= static_cast<std::uint8_t>(~message_flag::kShared);
  return found;
}

const SharedMessages::Committed& SharedMessages::committed(const HeaderMessage& message,
                                                           Address object) {
  const std::pair key(object, message.type);
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = committed_.find(key); known != committed_.end()) return known->second;
  }
  const ObjectHeader header = read_object_header(source_, object);
  const HeaderMessage* there = header.find(message.type);
  if (there == nullptr || there->is_shared())
    reader_at(source_, message.address, SharedMessage::kTitle)
        .fail("Address", "leads to an object without such a message");
  const std::scoped_lock lock(mutex_);
  const Committed copy{there->address, {there->data.begin(), there->data.end()}};
  return committed_.emplace(key, copy).first->second;
}

Address SharedMessages::heap_of(MessageType type) {
  if (!table_)
    reader_at(source_, {}, SharedMessage::kTitle)
        .fail("Type", "the file has no table of shared messages");
  const auto table = read_record<SharedMessageTable>(
      source_, table_->table, SharedMessageTable::size(source_.file(), table_->index_count),
      {table_->index_count, {}});
  for (const SharedMessageIndex& index : table.indexes)
    if ((index.message_types & type_flag(type)) != 0 && index.heap.is_defined()) return index.heap;
  reader_at(source_, table_->table, SharedMessageTable::kTitle)
      .fail("Message Type Flags", "no index holds messages of the type asked for");
}

ByteView SharedMessages::in_heap(MessageType type, ByteView heap_id) {
  const Address heap = heap_of(type);
  const std::scoped_lock lock(mutex_);
  return heaps_.try_emplace(heap, source_, heap).first->second.object(heap_id);
}

}  // namespace onecast::structures
