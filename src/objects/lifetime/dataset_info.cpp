#include "objects/lifetime/dataset_info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/contiguous/external_data.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/file_state.hpp"
#include "objects/virtual_datasets/virtual_storage.hpp"
#include "structures/filter_specs.hpp"

namespace onecast::lifetime {
namespace {

const HeaderMessage& require_message(const Node& node, MessageType type, const char* title) {
  if (const HeaderMessage* m = node.header.find(type)) return *m;
  throw format_error("{}: address {:#x}: the header has no {}", node.where(), node.address.value,
                     title);
}

void set_layout(DatasetInfo& info, const DataLayoutMessage& layout, const HeaderMessage& message,
                const FileContext& file) {
  const ByteReader at({}, message.address, file, DataLayoutMessage::kTitle);
  info.address = layout.address;
  info.layout = nodes::layout_of(layout);
  if (info.layout == Layout::compact) info.compact = layout.compact_data;
  if (info.layout != Layout::chunked) return;
  const std::size_t rank = layout.dimensionality - std::size_t{1};
  if (rank != info.space.rank()) at.fail("Dimensionality", "is not one more than the dataspace's");
  info.chunk.assign(layout.dimensions.begin(),
                    layout.dimensions.begin() + static_cast<std::ptrdiff_t>(rank));
}

ByteView fill_value(const Node& dataset) {
  FileState& file = file_of(dataset);
  const FileContext& context = file.store().file();
  if (const HeaderMessage* found = dataset.header.find(MessageType::fill_value)) {
    const HeaderMessage m = file.shared().resolve(*found);
    return decode<FillValueMessage>(m.data, m.address, context).value;
  }
  if (const HeaderMessage* found = dataset.header.find(MessageType::old_fill_value)) {
    const HeaderMessage m = file.shared().resolve(*found);
    return decode<OldFillValueMessage>(m.data, m.address, context).value;
  }
  return {};
}

/// Returns the dataspace at a place where it stays as long as the file, as handles refer to it.
const Dataspace& lasting(FileState& file, const Dataspace& space) {
  const ByteView bytes = encode_dataspace(space, file.store().file(), file.arena());
  return file.dataspace({MessageType::dataspace, 0, 0, {}, bytes});
}

std::shared_ptr<ChunkStorage> chunk_storage(const Node& dataset, const DatasetInfo& info,
                                            const DataLayoutMessage& layout) {
  MetadataStore& store = file_of(dataset).store();
  const ChunkGrid grid(layout, info.space.shape(), info.space.max_shape(), info.type.size(),
                       dataset.header.find(MessageType::data_layout)->address, store.file());
  return std::make_shared<ChunkStorage>(store, grid, layout, !info.filters.empty());
}

}  // namespace

void set_shape(Node& dataset, Shape shape) {
  dataset.edit();
  FileState& file = file_of(dataset);
  const FileContext& context = file.store().file();
  const Dataspace& before = dataset.dataset().space;
  const Shape most = before.max_shape().empty() ? before.shape() : before.max_shape();
  Dataspace after(std::move(shape), most);
  HeaderMessage& message =
      *std::find_if(dataset.header.messages.begin(), dataset.header.messages.end(),
                    [](const HeaderMessage& m) { return m.type == MessageType::dataspace; });
  const ByteView bytes = file.encoded(after);
  message = {MessageType::dataspace, 0, 0, {}, bytes};
  DatasetInfo* info = dataset.change_space(std::move(after));
  if (info == nullptr) {
    dataset.dataset();
    return;
  }
  const HeaderMessage& layout = *dataset.header.find(MessageType::data_layout);
  info->storage = chunk_storage(dataset, *info,
                                decode<DataLayoutMessage>(layout.data, layout.address, context));
}

Kept<DatasetInfo> read_dataset_info(Node& dataset) {
  FileState& file = file_of(dataset);
  const FileContext& context = file.store().file();
  const Datatype& type =
      file.datatype(require_message(dataset, MessageType::datatype, "Datatype message"));
  const Dataspace& space =
      dataset.changed_space() != nullptr
          ? *dataset.changed_space()
          : file.dataspace(require_message(dataset, MessageType::dataspace, "Dataspace message"));
  const HeaderMessage& layout_message =
      require_message(dataset, MessageType::data_layout, "Data Layout message");
  const auto layout =
      decode<DataLayoutMessage>(layout_message.data, layout_message.address, context);
  std::shared_ptr<VirtualStorage> sources;
  if (layout.layout_class == LayoutClass::virtual_dataset)
    sources = std::make_shared<VirtualStorage>(dataset, space, layout);
  if (sources && sources->grows() && file.forgets())
    file.own_files().note_growing(sources, dataset);

  auto kept =
      dataset.arena().make<DatasetInfo>(type, sources ? lasting(file, sources->space()) : space);
  DatasetInfo& info = *kept;
  info.storage = std::move(sources);
  set_layout(info, layout, layout_message, context);
  const HeaderMessage* external = dataset.header.find(MessageType::external_data_files);
  if (external != nullptr && info.layout == Layout::contiguous) {
    info.address = {};
    info.storage = std::make_shared<ExternalData>(dataset, *external);
  }
  if (const HeaderMessage* found = dataset.header.find(MessageType::filter_pipeline)) {
    const HeaderMessage m = file.shared().resolve(*found);
    info.filters = filter_specs(m.data, m.address, context);
  }
  if (info.layout == Layout::chunked) info.storage = chunk_storage(dataset, info, layout);
  info.fill_value = fill_value(dataset);
  if (!info.fill_value.empty() && info.fill_value.size() != info.type.size())
    ByteReader({}, layout_message.address, context, FillValueMessage::kTitle)
        .fail("Size", fmt::format("is {}, an element has {} bytes", info.fill_value.size(),
                                  info.type.size()));
  return kept;
}

}  // namespace onecast::lifetime
