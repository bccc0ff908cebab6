#include "objects/create/new_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "filters/prepare_filter.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/filter_pipeline_message.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/contiguous/replaced_data.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/committed_types.hpp"
#include "objects/files/compact_room.hpp"
#include "objects/files/file_state.hpp"
#include "objects/lifetime/stored_elsewhere.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/compact_write.hpp"
#include "objects/nodes/dense_limits.hpp"
#include "objects/values/store_values.hpp"
#include "structures/chunks/chunk_index_form.hpp"

namespace onecast::create {

NewDataset::NewDataset(FileState& file, ErrorPrefix where, const Datatype& type,
                       const Dataspace& space, std::span<const std::byte> data,
                       const DatasetOptions& options, const Model* model)
    : file_(file),
      context_(file_.store().file()),
      where_(std::move(where)),
      space_(space),
      data_(data),
      type_(file.stored_type(type)),
      options_(options),
      model_(model),
      element_size_(type.size()) {
  check_size();
  require_sound({.dense_attributes = options.dense_attributes}, where_);
  if (options.committed_type) {
    committed_type_ = &usable_type(*options.committed_type, file, where_());
    if (file.stored_type(datatype_of(*committed_type_)) != type_)
      reject(fmt::format("committed_type: is {}, not {}", datatype_of(*committed_type_).describe(),
                         type.describe()));
  }
  layout_ = options.layout.value_or(default_layout());
  check_layout();
  type_bytes_ = file_.encoded(type_);
  if (type_bytes_.size() > kMaxMessageSize)
    reject(fmt::format("the datatype's description exceeds {} bytes", kMaxMessageSize));
  space_bytes_ = file_.encoded(space);
  encode_fill_value();
  encode_filters();
}

void NewDataset::add_messages(Node& node) const {
  auto& messages = node.header.messages;
  // The arena does not reuse outgrown memory.
  messages.reserve(messages.size() + 4U + (filter_bytes_.empty() ? 0U : 1U) +
                   (is_external() ? 1U : 0U));
  messages.push_back({MessageType::dataspace, 0, 0, {}, space_bytes_});
  messages.push_back({MessageType::datatype, message_flag::kConstant, 0, {}, type_bytes_});
  messages.push_back({MessageType::fill_value, message_flag::kConstant, 0, {}, fill_bytes_});
  if (!filter_bytes_.empty())
    messages.push_back(
        {MessageType::filter_pipeline, message_flag::kConstant, 0, {}, filter_bytes_});
  ByteView beside;
  if (is_external()) messages.push_back(external_data_files(file_, options_.external, beside));
  messages.push_back({MessageType::data_layout, 0, 0, {}, encode_layout(node, beside)});
  if (node.is_local()) {
    node.local()->beside = beside;
    node.local()->compact_by_default =
        layout_ == Layout::compact && !options_.layout && !uses_heap(type_);
  } else if (layout_ == Layout::compact) {
    file_.changes().compact_bytes += size_;
  }
  node.set_options({.attribute_order = options_.attribute_order,
                    .times = options_.times,
                    .dense_attributes = options_.dense_attributes});
  if (committed_type_ != nullptr) {
    node.set_committed_type(committed_type_);
    count_use(*committed_type_);
  }
}

void NewDataset::write_value(Node& node) const {
  if (layout_ == Layout::compact) return;
  if (!data_.empty()) return write_first(node, data_);
  // External files keep their contents.
  if (layout_ == Layout::contiguous && !is_external() && size_ != 0) fill_new(node);
}

std::uint64_t NewDataset::bytes_to_write() const {
  const bool here = (layout_ == Layout::contiguous && !is_external()) || layout_ == Layout::chunked;
  return here ? data_.size() : 0;
}

CallArguments NewDataset::arguments() const {
  CallArguments all;
  all[CallArguments::kType].add(type_bytes_);
  all[CallArguments::kShape].add(space_bytes_);
  Digest& storage = all[CallArguments::kStorage];
  storage.add(static_cast<std::uint64_t>(layout_))
      .add(std::as_bytes(std::span(options_.chunk)))
      .add(fill_bytes_)
      .add(filter_bytes_);
  if (options_.attribute_order) storage.add(std::uint64_t{1});
  if (options_.times) storage.add(std::uint64_t{2});
  if (const DenseLimits& limits = options_.dense_attributes; limits != DenseLimits())
    storage.add(std::uint64_t{limits.max_compact}).add(std::uint64_t{limits.min_dense});
  for (const ExternalSlot& slot : options_.external)
    storage.add(slot.file).add(slot.offset).add(slot.size);
  if (committed_type_ != nullptr) all[CallArguments::kType].add(committed_type_->identity());
  for (const VirtualMapping& m : options_.sources)
    storage.add(m.file).add(m.dataset).add(m.source.digest()).add(m.mapped.digest());
  all[CallArguments::kValue].add(data_);
  return all;
}

void NewDataset::reject(const std::string& what) const {
  throw Error(ErrorCode::invalid_argument, where_() + ": " + what);
}

void NewDataset::check_size() {
  if (space_.rank() > kMaxRank) reject(fmt::format("at most {} dimensions", kMaxRank));
  if (__builtin_mul_overflow(space_.element_count(), element_size_, &size_) ||
      size_ > kMaxDatasetSize)
    reject("too large");
  if (!data_.empty() && data_.size() != size_)
    reject(fmt::format("data: {} bytes expected, {} given", size_, data_.size()));
  if (options_.fill_value && options_.fill_value->size() != element_size_)
    reject(fmt::format("fill_value: {} bytes expected, {} given", element_size_,
                       options_.fill_value->size()));
}

Layout NewDataset::default_layout() const {
  if (is_external()) return Layout::contiguous;
  if (!options_.sources.empty()) return Layout::virtual_dataset;
  if (!options_.chunk.empty()) return Layout::chunked;
  const bool is_early =
      options_.allocation_time.value_or(AllocationTime::early) == AllocationTime::early;
  return is_early && is_within_compact_limit(file_, size_) && has_room() ? Layout::compact
                                                                         : Layout::contiguous;
}

bool NewDataset::has_room() const {
  return file_.local_edits().is_inside() || size_ <= room_for_compact(file_);
}

void NewDataset::check_layout() const {
  if (is_external() && layout_ != Layout::contiguous)
    reject("external: only contiguous data can be in other files");
  if (layout_ != Layout::virtual_dataset && !options_.sources.empty())
    reject("sources: only of virtual datasets");
  if (layout_ == Layout::chunked) return check_chunk();
  if (!options_.chunk.empty()) reject("chunk: only for chunked datasets");
  if (!options_.filters.empty()) reject("filters: only chunked datasets can have them");
  if (layout_ == Layout::virtual_dataset) return check_virtual();
  if (is_external()) return check_external();
  if (!space_.max_shape().empty()) reject("max_shape: only chunked datasets can grow");
  if (layout_ == Layout::compact &&
      options_.allocation_time.value_or(AllocationTime::early) != AllocationTime::early)
    reject("allocation_time: compact data is always allocated early");
  if (layout_ == Layout::compact && size_ > kMaxMessageSize)
    reject(fmt::format("layout: {} bytes are too many for compact storage", size_));
}

void NewDataset::check_external() const {
  const Shape& limits = space_.max_shape();
  if (!limits.empty() && !std::equal(limits.begin() + 1, limits.end(), space_.shape().begin() + 1))
    reject("max_shape: of external data only the first dimension can grow");
  if (uses_heap(type_)) reject("external: values of variable length lie in this file");
  check_slots(options_.external, size_, [this](const std::string& what) { reject(what); });
}

void NewDataset::check_virtual() const {
  if (!data_.empty()) reject("data: a virtual dataset has those of its sources");
  check_mappings(options_.sources, space_, [this](const std::string& what) { reject(what); });
}

void NewDataset::check_chunk() const {
  // "Size of chunk in bytes" has 32 bits.
  constexpr std::uint64_t kMostBytes = UINT32_MAX;
  const Shape& chunk = options_.chunk;
  if (space_.rank() == 0) reject("chunk: only arrays have chunks");
  if (chunk.size() != space_.rank())
    reject(fmt::format("chunk: {} dimensions expected, {} given", space_.rank(), chunk.size()));
  const Shape& most = space_.max_shape().empty() ? space_.shape() : space_.max_shape();
  std::uint64_t bytes = element_size_;
  for (std::size_t d = 0; d < chunk.size(); ++d) {
    if (chunk[d] == 0) reject("chunk: must not be 0");
    // Chunks of old files may be larger. Where the dataset is empty, HDF5 allows any size.
    const bool may_exceed = space_.shape()[d] == 0 || (model_ != nullptr && model_->has_its_chunks);
    if (!may_exceed && chunk[d] > most[d])
      reject(fmt::format("chunk: is {} in dimension {}, the dataset at most {}", chunk[d], d,
                         most[d]));
    if (__builtin_mul_overflow(bytes, chunk[d], &bytes) || bytes > kMostBytes)
      reject("chunk: has 2^32 bytes or more");
  }
}

void NewDataset::fill_new(Node& node) const {
  if (node.is_local()) {
    if (!has_fill_value()) return;
    // The place of the fill value is not known before the flush.
    if (uses_heap(type_) && !file_.comm().is_self()) return;
    std::vector<std::byte> all(static_cast<std::size_t>(size_));
    fill(all, *options_.fill_value);
    return write_first(node, all);
  }
  fill_later(node);
}

bool NewDataset::has_fill_value() const {
  return options_.fill_value &&
         std::any_of(options_.fill_value->begin(), options_.fill_value->end(),
                     [](std::byte b) { return b != std::byte{0}; });
}

void NewDataset::encode_fill_value() {
  FillValueMessage message;
  // Bytes that were never written must not be taken for the place of a value.
  if (uses_heap(type_) && options_.fill_time == FillTime::never)
    reject("fill_time: never, of values of variable length");
  message.write_time = uses_heap(type_) ? FillValueWriteTime::on_allocation
                                        : static_cast<FillValueWriteTime>(options_.fill_time);
  message.allocation_time =
      layout_ == Layout::chunked ? SpaceAllocationTime::incremental : SpaceAllocationTime::early;
  if (options_.allocation_time)
    message.allocation_time = static_cast<SpaceAllocationTime>(*options_.allocation_time);
  if (options_.fill_value) {
    message.defined = true;
    message.value = *options_.fill_value;
  }
  if (model_ != nullptr) {
    message.write_time = model_->fill->write_time;
    message.undefined = model_->fill->undefined && !message.defined;
    if (model_->unallocated) message.allocation_time = SpaceAllocationTime::late;
  }
  fill_bytes_ = encode_kept(message, context_, file_.arena());
}

void NewDataset::encode_filters() {
  if (model_ != nullptr && model_->filters != nullptr) return encode_pipeline(*model_->filters);
  if (options_.filters.size() > FilterPipelineMessage::kMaxFilters)
    reject(fmt::format("filters: at most {}", FilterPipelineMessage::kMaxFilters));
  FilteredDataset dataset{type_, options_.chunk};
  if (options_.fill_value) dataset.fill_value = *options_.fill_value;
  std::vector<FilterSpec> specs;
  specs.reserve(options_.filters.size());
  for (const Filter& f : options_.filters) specs.push_back(prepare_filter(f, dataset, where_()));
  encode_pipeline(specs);
}

void NewDataset::encode_pipeline(const std::vector<FilterSpec>& specs) {
  if (specs.empty()) return;
  FilterPipelineMessage message;
  for (const FilterSpec& spec : specs) {
    FilterDescription& f = message.filters.emplace_back();
    f.id = spec.id;
    f.flags = spec.optional ? FilterDescription::kOptional : std::uint16_t{0};
    if (f.id >= FilterDescription::kFirstNamed) f.name = spec.name;
    f.client_data = spec.client_data;
  }
  filter_bytes_ = encode_kept(message, context_, file_.arena());
}

ByteView NewDataset::fill_element() const {
  return options_.fill_value ? ByteView(*options_.fill_value) : ByteView();
}

ByteView NewDataset::encode_layout(Node& node, ByteView& beside) const {
  DataLayoutMessage message;
  std::vector<std::byte> value;
  switch (layout_) {
    case Layout::compact:
      message.layout_class = LayoutClass::compact;
      if (data_.empty()) {
        value.resize(static_cast<std::size_t>(size_));
        fill(value, fill_element());
      }
      message.compact_data = data_.empty() ? ByteView(value) : data_;
      break;
    case Layout::chunked:
      message.layout_class = LayoutClass::chunked;
      message.dimensionality = static_cast<std::uint8_t>(space_.rank() + 1);
      std::copy(options_.chunk.begin(), options_.chunk.end(), message.dimensions.begin());
      message.dimensions[space_.rank()] = element_size_;
      if (file_.options().profile == Profile::latest) choose_index(message);
      break;
    case Layout::virtual_dataset:
      message = virtual_layout(file_, options_.sources, beside);
      break;
    case Layout::contiguous:
      // A local dataset gets its place from the flush.
      if (!is_external() && (model_ == nullptr || !model_->unallocated) &&
          !file_.local_edits().is_inside())
        message.address = allocate_contiguous(node, size_, element_size_, fill_element());
      message.size = size_;
  }
  return encode_kept(message, context_, file_.arena());
}

void NewDataset::choose_index(DataLayoutMessage& layout) const {
  const ChunkGrid grid(layout, space_.shape(), space_.max_shape(), element_size_, {}, context_);
  choose_chunk_index(layout,
                     {grid, !filter_bytes_.empty(), file_.allocator().page_size(), context_});
}

}  // namespace onecast::create
