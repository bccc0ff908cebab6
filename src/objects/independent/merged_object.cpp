#include "objects/independent/merged_object.hpp"

#include <algorithm>

#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "objects/lifetime/stored_elsewhere.hpp"
#include "objects/memory/packer.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/store_values.hpp"

namespace onecast::independent {

void set_messages(Node& node, std::span<const LocalPart::Message> given) {
  Arena& arena = file_of(node).arena();
  auto& messages = node.header.messages;
  messages.clear();
  messages.reserve(given.size());
  for (const LocalPart::Message& m : given)
    messages.push_back({m.type, m.flags, 0, {}, arena.keep(m.data)});
}

std::optional<SentFillValue> sent_fill_value(const LocalPart::Object& object,
                                             const LocalPart& part) {
  if (!object.fill_value) return std::nullopt;
  const auto stored = object.messages.of(part.messages);
  const auto given = std::ranges::find(stored, MessageType::fill_value, &LocalPart::Message::type);
  return SentFillValue{given->data, *object.fill_value};
}

void store_fill_value(Node& node, const SentFillValue& sent) {
  FileState& file = file_of(node);
  const FileContext& context = file.store().file();
  auto message = decode<FillValueMessage>(sent.message, {}, context);
  std::vector<std::byte> element(message.value.begin(), message.value.end());
  Unpacker values(sent.values);
  store_packed_values(node.dataset().type, element, values, context,
                      [&](ByteView value) { return heap_of(file).put(value, true); });
  message.value = element;
  for (HeaderMessage& m : node.header.messages) {
    if (m.type == MessageType::fill_value) m.data = encode_kept(message, context, file.arena());
    if (m.type != MessageType::data_layout) continue;
    auto layout = decode<DataLayoutMessage>(m.data, m.address, context);
    if (layout.layout_class != LayoutClass::compact) continue;
    // There are no other elements yet: the written ones wait.
    std::vector<std::byte> all(layout.compact_data.size());
    fill(all, element);
    layout.compact_data = all;
    m.data = encode_kept(layout, context, file.arena());
  }
  node.forget_dataset();
}

void give_place_beside(Node& node, ByteView bytes) {
  FileState& file = file_of(node);
  const ByteView kept = file.arena().keep(bytes);
  for (HeaderMessage& m : node.header.messages) store_beside(file, m, kept);
  node.forget_dataset();
}

void move_apart(Node& node) {
  FileState& file = file_of(node);
  for (HeaderMessage& m : node.header.messages) {
    if (m.type != MessageType::data_layout) continue;
    auto layout = decode<DataLayoutMessage>(m.data, m.address, file.store().file());
    if (layout.layout_class != LayoutClass::compact || layout.compact_data.empty()) return;
    auto data = std::make_unique<WaitingBytes>(file.changes().waiting, layout.compact_data);
    layout.layout_class = LayoutClass::contiguous;
    layout.size = data->size();
    layout.compact_data = {};
    m.data = encode_kept(layout, file.store().file(), file.arena());
    node.set_waiting(std::move(data));
    node.forget_dataset();
  }
}

void give_place(Node& node, bool has_data, bool has_gaps, WaitingBytes mine) {
  FileState& file = file_of(node);
  for (HeaderMessage& m : node.header.messages) {
    if (m.type != MessageType::data_layout) continue;
    auto layout = decode<DataLayoutMessage>(m.data, m.address, file.store().file());
    if (layout.layout_class == LayoutClass::compact)
      file.changes().compact_bytes += layout.compact_data.size();
    const bool external = node.header.find(MessageType::external_data_files) != nullptr;
    if (layout.layout_class != LayoutClass::contiguous || layout.size == 0 || external) continue;
    layout.address = file.allocator().contiguous_data(layout.size);
    m.data = encode_kept(layout, file.store().file(), file.arena());
    node.forget_dataset();
    if (!has_data) return fill_later(node);
    file.changes().file_end = std::max(file.changes().file_end, layout.address.value + layout.size);
    if (has_gaps) fill_later(node);
    if (Unfilled* const notes = unfilled_of(node))
      for (const auto& [start, end] : mine.written())
        notes->add_written(layout.address.value + start, layout.address.value + end);
    if (!mine.empty()) file.local_edits().unwritten.push_back({layout.address, std::move(mine)});
    return;
  }
}

}  // namespace onecast::independent
