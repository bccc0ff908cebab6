#include <fmt/format.h>

#include <algorithm>

#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/filter_pipeline_message.hpp"
#include "objects/datatype_codec.hpp"
#include "objects/file_state.hpp"
#include "objects/message_codec.hpp"
#include "objects/node.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

const HeaderMessage& require_message(const Node& node, MessageType type, const char* title) {
  if (const HeaderMessage* m = node.header.find(type)) return *m;
  throw Error(ErrorCode::format, fmt::format("{}: address {:#x}: the header has no {}",
                                             node.where(), node.address.value, title));
}

constexpr const char* kIndexNames[] = {"version 1 B-tree", "single chunk",     "implicit",
                                       "fixed array",      "extensible array", "version 2 B-tree"};

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
      info.refusal = "virtual storage";
      return;
    case LayoutClass::chunked:
      break;
  }
  const std::size_t rank = layout.dimensionality - std::size_t{1};
  if (rank != info.space.rank()) at.fail("Dimensionality", "is not one more than the dataspace's");
  info.chunk.assign(layout.dimensions.begin(),
                    layout.dimensions.begin() + static_cast<std::ptrdiff_t>(rank));
  info.layout = Layout::chunked;
  if (layout.index_type != ChunkIndexType::btree_v1) {
    info.layout = Layout::other;
    info.refusal =
        fmt::format("chunks indexed by: {}", kIndexNames[static_cast<int>(layout.index_type)]);
  }
}

std::vector<FilterSpec> filters_of(const HeaderMessage& message, const FileContext& file) {
  std::vector<FilterSpec> specs;
  const auto pipeline = decode<FilterPipelineMessage>(message.data, message.address, file);
  specs.reserve(pipeline.filters.size());
  for (const FilterDescription& f : pipeline.filters)
    specs.push_back({f.id, f.is_optional(), std::string(f.name), f.client_data});
  return specs;
}

}  // namespace

DatasetInfo Node::read_dataset_info() {
  MetadataStore& store = *file->store;
  const FileContext& context = store.file();
  DatasetInfo info{.type = read_datatype(
                       store, require_message(*this, MessageType::datatype, "Datatype message")),
                   .space = read_dataspace(
                       store, require_message(*this, MessageType::dataspace, "Dataspace message"))};
  const HeaderMessage& layout_message =
      require_message(*this, MessageType::data_layout, "Data Layout message");
  const auto layout =
      decode<DataLayoutMessage>(layout_message.data, layout_message.address, context);
  set_layout(info, layout, layout_message, context);

  if (header.find(MessageType::external_data_files) != nullptr) {
    info.layout = Layout::other;
    info.refusal = "raw data in external files";
  }
  if (const HeaderMessage* m = header.find(MessageType::filter_pipeline))
    info.filters = filters_of(*m, context);
  if (const HeaderMessage* m = header.find(MessageType::fill_value);
      m != nullptr && !m->is_shared()) {
    info.fill_value = decode<FillValueMessage>(m->data, m->address, context).value;
  } else if (const HeaderMessage* old = header.find(MessageType::old_fill_value)) {
    if (!old->is_shared())
      info.fill_value = decode<OldFillValueMessage>(old->data, old->address, context).value;
  }
  if (!info.fill_value.empty() && info.fill_value.size() != info.type.size())
    ByteReader({}, layout_message.address, context, FillValueMessage::kTitle)
        .fail("Size", fmt::format("is {}, an element has {} bytes", info.fill_value.size(),
                                  info.type.size()));
  return info;
}

}  // namespace onecast
