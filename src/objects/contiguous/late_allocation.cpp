#include "objects/contiguous/late_allocation.hpp"

#include <algorithm>

#include "format/objects/data_layout_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::contiguous {

void set_place(Node& dataset, Address address, std::uint64_t size) {
  FileState& file = file_of(dataset);
  dataset.edit();
  const auto message =
      std::find_if(dataset.header.messages.begin(), dataset.header.messages.end(),
                   [](const HeaderMessage& m) { return m.type == MessageType::data_layout; });
  auto layout = decode<DataLayoutMessage>(message->data, message->address, file.store().file());
  layout.version = std::max<std::uint8_t>(layout.version, 3);
  layout.address = address;
  layout.size = size;
  message->data = encode_kept(layout, file.store().file(), file.arena());
  file.changes().renewed.insert(&dataset);
  dataset.forget_dataset();
}

bool has_no_place(const Node& dataset, const DatasetInfo& info) {
  // The data of a local dataset is in memory.
  return info.layout == Layout::contiguous && !info.is_external() && !info.address.is_defined() &&
         !dataset.is_local() && info.space.element_count() != 0;
}

void allocate_late(Node& dataset) {
  if (!has_no_place(dataset)) return;
  dataset.edit();
  FileState& file = file_of(dataset);
  const DatasetInfo& info = dataset.dataset();
  const std::uint64_t size = info.space.element_count() * info.type.size();
  const Address address = file.allocator().contiguous_data(size);
  set_place(dataset, address, size);
  fill_later(dataset);
}

}  // namespace onecast::contiguous
