#include <fmt/format.h>

#include <algorithm>

#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "objects/codec/datatype_codec.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/storage/chunk_storage.hpp"
#include "objects/storage/external_data.hpp"
#include "objects/storage/virtual_storage.hpp"
#include "objects/tree/file_state.hpp"
#include "objects/tree/node.hpp"
#include "onecast/base/error.hpp"
#include "structures/filter_specs.hpp"

namespace onecast {
namespace {

const HeaderMessage& require_message(const Node& node, MessageType type, const char* title) {
  if (const HeaderMessage* m = node.header.find(type)) return *m;
  throw Error(ErrorCode::format, fmt::format("{}: address {:#x}: the header has no {}",
                                             node.where(), node.address.value, title));
}

void set_layout(DatasetInfo& info, const DataLayoutMessage& layout, const HeaderMessage& message,
                const FileContext& file) {
  const ByteReader at({}, message.address, file, DataLayoutMessage::kTitle);
  info.address = layout.address;
  switch (layout.layout_class) {
    case LayoutClass::compact:
      info.layout = Layout::compact;
      info.compact = layout.compact_data;
      return;
    case LayoutClass::contiguous:
      info.layout = Layout::contiguous;
      return;
    case LayoutClass::virtual_dataset:
      info.layout = Layout::virtual_dataset;
      return;
    case LayoutClass::chunked:
      break;
  }
  const std::size_t rank = layout.dimensionality - std::size_t{1};
  if (rank != info.space.rank()) at.fail("Dimensionality", "is not one more than the dataspace's");
  info.chunk.assign(layout.dimensions.begin(),
                    layout.dimensions.begin() + static_cast<std::ptrdiff_t>(rank));
  info.layout = Layout::chunked;
}

}  // namespace

ByteView Node::fill_value() const {
  const FileContext& context = file->store->file();
  if (const HeaderMessage* found = header.find(MessageType::fill_value)) {
    const HeaderMessage m = file->shared->resolve(*found);
    return decode<FillValueMessage>(m.data, m.address, context).value;
  }
  if (const HeaderMessage* found = header.find(MessageType::old_fill_value)) {
    const HeaderMessage m = file->shared->resolve(*found);
    return decode<OldFillValueMessage>(m.data, m.address, context).value;
  }
  return {};
}

std::shared_ptr<ChunkStorage> Node::chunk_storage(const DatasetInfo& info,
                                                  const DataLayoutMessage& layout) const {
  const ChunkGrid grid(layout, info.space.shape(), info.space.max_shape(), info.type.size(),
                       header.find(MessageType::data_layout)->address, file->store->file());
  return std::make_shared<ChunkStorage>(*file->store, grid, layout, !info.filters.empty());
}

void Node::set_shape(Shape shape) {
  edit();
  const FileContext& context = file->store->file();
  const Dataspace& before = dataset().space;
  const Shape most = before.max_shape().empty() ? before.shape() : before.max_shape();
  Dataspace after(std::move(shape), most);
  HeaderMessage& message =
      *std::find_if(header.messages.begin(), header.messages.end(),
                    [](const HeaderMessage& m) { return m.type == MessageType::dataspace; });
  const ByteView bytes = encode_dataspace(after, context, file->arena);
  message = {MessageType::dataspace, 0, 0, {}, bytes};
  if (!resized_) {
    resized_ = std::make_unique<Dataspace>(std::move(after));
    dataspace_ = resized_.get();
    forget_dataset();
    dataset();
    return;
  }
  *resized_ = std::move(after);
  DatasetInfo& info = *dataset_.get();
  const HeaderMessage& layout = *header.find(MessageType::data_layout);
  info.chunks =
      chunk_storage(info, decode<DataLayoutMessage>(layout.data, layout.address, context));
}

Kept<DatasetInfo> Node::read_dataset_info() {
  const FileContext& context = file->store->file();
  const Datatype& type =
      file->datatype(require_message(*this, MessageType::datatype, "Datatype message"));
  const Dataspace& space =
      resized_
          ? *resized_
          : file->dataspace(require_message(*this, MessageType::dataspace, "Dataspace message"));
  const HeaderMessage& layout_message =
      require_message(*this, MessageType::data_layout, "Data Layout message");
  const auto layout =
      decode<DataLayoutMessage>(layout_message.data, layout_message.address, context);
  std::shared_ptr<VirtualStorage> sources;
  if (layout.layout_class == LayoutClass::virtual_dataset)
    sources = std::make_shared<VirtualStorage>(*this, space, layout);

  auto kept = file->arena.make<DatasetInfo>(type, sources ? sources->space() : space);
  DatasetInfo& info = *kept;
  info.sources = std::move(sources);
  set_layout(info, layout, layout_message, context);
  const HeaderMessage* external = header.find(MessageType::external_data_files);
  if (external != nullptr && info.layout == Layout::contiguous) {
    info.layout = Layout::external;
    info.external = std::make_shared<ExternalData>(*this, *external);
  }
  if (const HeaderMessage* found = header.find(MessageType::filter_pipeline)) {
    const HeaderMessage m = file->shared->resolve(*found);
    info.filters = filter_specs(m.data, m.address, context);
  }
  if (info.layout == Layout::chunked) info.chunks = chunk_storage(info, layout);
  info.fill_value = fill_value();
  if (!info.fill_value.empty() && info.fill_value.size() != info.type.size())
    ByteReader({}, layout_message.address, context, FillValueMessage::kTitle)
        .fail("Size", fmt::format("is {}, an element has {} bytes", info.fill_value.size(),
                                  info.type.size()));
  datatype_.store(&info.type, std::memory_order_release);
  if (!info.sources) dataspace_.store(&info.space, std::memory_order_release);
  return kept;
}

}  // namespace onecast
