#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "filters/prepare_filter.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/filter_pipeline_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/create/new_object.hpp"
#include "objects/create/prepared_dataset.hpp"
#include "objects/memory/limits.hpp"
#include "objects/memory/packer.hpp"
#include "objects/storage/chunk_write.hpp"
#include "objects/storage/raw_data.hpp"
#include "objects/storage/stored_elsewhere.hpp"
#include "objects/storage/unfilled.hpp"
#include "objects/storage/write_stored.hpp"
#include "objects/tree/committed_types.hpp"
#include "objects/tree/compact_write.hpp"
#include "objects/tree/file_opening.hpp"
#include "objects/tree/file_state.hpp"
#include "objects/tree/place.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/settle_values.hpp"
#include "onecast/objects/group.hpp"
#include "structures/chunks/chunk_index_form.hpp"
#include "types/gaps.hpp"

namespace onecast {
namespace {

/// How errors begin; made when there is one.
using ErrorPrefix = std::function<std::string()>;

/// A dataset to be created. The constructor checks all that can be wrong, and changes nothing.
class NewDataset {
 public:
  /// @param model of a copy, whose value somebody else writes
  NewDataset(FileState& file, ErrorPrefix where, const Datatype& type, const Dataspace& space,
             std::span<const std::byte> data, const DatasetOptions& options,
             const Model* model = nullptr)
      : file_(file),
        context_(file_.store().file()),
        where_(std::move(where)),
        space_(space),
        data_(data),
        type_(type),
        options_(options),
        model_(model),
        element_size_(type.size()) {
    check_size();
    if (options.committed_type) {
      committed_type_ = &usable_type(*options.committed_type, file, where_());
      if (datatype_of(*committed_type_) != type)
        reject(fmt::format("committed_type: is {}, not {}",
                           datatype_of(*committed_type_).describe(), type.describe()));
    }
    layout_ = options.layout.value_or(default_layout());
    check_layout();
    type_bytes_ = file_.encoded(type);
    if (type_bytes_.size() > kMaxMessageSize)
      reject(fmt::format("the datatype's description exceeds {} bytes", kMaxMessageSize));
    space_bytes_ = encode_dataspace(space, context_, file_.arena());
    encode_fill_value(type);
    encode_filters(type);
  }

  void add_messages(Node& node) const {
    auto& messages = node.header.messages;
    // The arena does not take back what is outgrown.
    messages.reserve(4U + (filter_bytes_.empty() ? 0U : 1U) +
                     (layout_ == Layout::external ? 1U : 0U));
    messages = {{MessageType::dataspace, 0, 0, {}, space_bytes_},
                {MessageType::datatype, message_flag::kConstant, 0, {}, type_bytes_},
                {MessageType::fill_value, message_flag::kConstant, 0, {}, fill_bytes_}};
    if (!filter_bytes_.empty())
      messages.push_back(
          {MessageType::filter_pipeline, message_flag::kConstant, 0, {}, filter_bytes_});
    ByteView beside;
    if (layout_ == Layout::external)
      messages.push_back(external_data_files(file_, options_.external, beside));
    messages.push_back({MessageType::data_layout, 0, 0, {}, encode_layout(beside)});
    if (node.is_local()) {
      node.local->beside = beside;
      node.local->compact_by_default =
          layout_ == Layout::compact && !options_.layout && !uses_heap(type_);
    } else if (layout_ == Layout::compact) {
      file_.changes().compact_bytes += size_;
    }
    if (committed_type_ != nullptr) {
      node.committed_type = committed_type_;
      count_use(*committed_type_);
    }
  }

  void write_value(Node& node) const {
    if (layout_ == Layout::compact) return;
    if (!data_.empty()) return write_first(node, data_);
    // External files keep what is in them.
    if (layout_ == Layout::contiguous && size_ != 0) fill_new(node);
  }

  /// That go to places of this file, and nothing else does.
  [[nodiscard]] std::uint64_t bytes_to_write() const {
    const bool here = layout_ == Layout::contiguous || layout_ == Layout::chunked;
    return here ? data_.size() : 0;
  }

  [[nodiscard]] bool is_chunked() const { return layout_ == Layout::chunked; }
  [[nodiscard]] CallArguments arguments() const {
    CallArguments all;
    all[CallArguments::kType].add(type_bytes_);
    all[CallArguments::kShape].add(space_bytes_);
    Digest& storage = all[CallArguments::kStorage];
    storage.add(static_cast<std::uint64_t>(layout_))
        .add(std::as_bytes(std::span(options_.chunk)))
        .add(fill_bytes_)
        .add(filter_bytes_);
    for (const ExternalSlot& slot : options_.external)
      storage.add(slot.file).add(slot.offset).add(slot.size);
    if (committed_type_ != nullptr) all[CallArguments::kType].add(committed_type_->identity());
    for (const VirtualMapping& m : options_.sources)
      storage.add(m.file).add(m.dataset).add(m.source.digest()).add(m.mapped.digest());
    all[CallArguments::kValue].add(data_);
    return all;
  }

 private:
  [[noreturn]] void reject(const std::string& what) const {
    throw Error(ErrorCode::invalid_argument, where_() + ": " + what);
  }

  void check_size() {
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

  [[nodiscard]] Layout default_layout() const {
    if (!options_.external.empty()) return Layout::external;
    if (!options_.sources.empty()) return Layout::virtual_dataset;
    if (!options_.chunk.empty()) return Layout::chunked;
    return size_ <= file_.options().compact_limit && has_room() ? Layout::compact
                                                                : Layout::contiguous;
  }

  /// For one more compact dataset. Of local ones the flush decides that.
  [[nodiscard]] bool has_room() const {
    return file_.local_edits().is_inside() || size_ <= room_for_compact(file_);
  }

  void check_layout() const {
    if (layout_ != Layout::external && !options_.external.empty())
      reject("external: not for this layout");
    if (layout_ != Layout::virtual_dataset && !options_.sources.empty())
      reject("sources: only of virtual datasets");
    if (layout_ == Layout::chunked) return check_chunk();
    if (!options_.chunk.empty()) reject("chunk: only for chunked datasets");
    if (!options_.filters.empty()) reject("filters: only chunked datasets can have them");
    if (layout_ == Layout::virtual_dataset) return check_virtual();
    if (!space_.max_shape().empty()) reject("max_shape: only chunked datasets can grow");
    if (layout_ == Layout::external) return check_external();
    if (layout_ == Layout::compact && size_ > kMaxMessageSize)
      reject(fmt::format("layout: {} bytes are too many for compact storage", size_));
  }

  void check_external() const {
    if (uses_heap(type_)) reject("external: values of variable length lie in this file");
    check_slots(options_.external, size_, [this](const std::string& what) { reject(what); });
  }

  void check_virtual() const {
    if (!data_.empty()) reject("data: a virtual dataset has those of its sources");
    check_mappings(options_.sources, space_, [this](const std::string& what) { reject(what); });
  }

  void check_chunk() const {
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
      // Old files have chunks that are larger.
      if (model_ == nullptr && chunk[d] > std::max<std::uint64_t>(most[d], 1))
        reject(fmt::format("chunk: is {} in dimension {}, the dataset at most {}", chunk[d], d,
                           most[d]));
      if (__builtin_mul_overflow(bytes, chunk[d], &bytes) || bytes > kMostBytes)
        reject("chunk: has 2^32 bytes or more");
    }
  }

  void fill_new(Node& node) const {
    if (node.is_local()) {
      if (!has_fill_value()) return;
      // Where the fill value lies is known at flush.
      if (uses_heap(type_) && !file_.comm().is_self()) return;
      std::vector<std::byte> all(static_cast<std::size_t>(size_));
      fill(all, *options_.fill_value);
      return write_first(node, all);
    }
    fill_later(node);
  }

  [[nodiscard]] bool has_fill_value() const {
    return options_.fill_value &&
           std::any_of(options_.fill_value->begin(), options_.fill_value->end(),
                       [](std::byte b) { return b != std::byte{0}; });
  }

  void encode_fill_value(const Datatype& type) {
    FillValueMessage message;
    // What was never written must not be taken for the place of a value.
    if (uses_heap(type) && options_.fill_time == FillTime::never)
      reject("fill_time: never, of values of variable length");
    message.write_time = uses_heap(type) ? FillValueWriteTime::on_allocation
                                         : static_cast<FillValueWriteTime>(options_.fill_time);
    message.allocation_time =
        layout_ == Layout::chunked ? SpaceAllocationTime::incremental : SpaceAllocationTime::early;
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

  void encode_filters(const Datatype& type) {
    if (model_ != nullptr && model_->filters != nullptr) return encode_pipeline(*model_->filters);
    if (options_.filters.size() > FilterPipelineMessage::kMaxFilters)
      reject(fmt::format("filters: at most {}", FilterPipelineMessage::kMaxFilters));
    FilteredDataset dataset{type, options_.chunk};
    if (options_.fill_value) dataset.fill_value = *options_.fill_value;
    std::vector<FilterSpec> specs;
    specs.reserve(options_.filters.size());
    for (const Filter& f : options_.filters) specs.push_back(prepare_filter(f, dataset, where_()));
    encode_pipeline(specs);
  }

  void encode_pipeline(const std::vector<FilterSpec>& specs) {
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

  /// @param beside set for a virtual dataset: its mappings
  [[nodiscard]] ByteView encode_layout(ByteView& beside) const {
    DataLayoutMessage message;
    std::vector<std::byte> value;
    switch (layout_) {
      case Layout::compact:
        message.layout_class = LayoutClass::compact;
        if (data_.empty()) {
          value.resize(static_cast<std::size_t>(size_));
          fill(value, options_.fill_value ? ByteView(*options_.fill_value) : ByteView());
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
      case Layout::external:
        message.size = size_;
        break;
      case Layout::contiguous:
        // Of a local dataset the flush gives it.
        if ((model_ == nullptr || !model_->unallocated) && !file_.local_edits().is_inside())
          message.address = file_.allocator().contiguous_data(size_);
        message.size = size_;
    }
    return encode_kept(message, context_, file_.arena());
  }

  void choose_index(DataLayoutMessage& layout) const {
    const ChunkGrid grid(layout, space_.shape(), space_.max_shape(), element_size_, {}, context_);
    choose_chunk_index(layout,
                       {grid, !filter_bytes_.empty(), file_.allocator().page_size(), context_});
  }

  FileState& file_;
  const FileContext& context_;
  ErrorPrefix where_;
  const Dataspace& space_;
  std::span<const std::byte> data_;
  const Datatype& type_;
  const DatasetOptions& options_;
  const Model* model_;
  std::uint64_t element_size_;
  std::uint64_t size_ = 0;
  Layout layout_;
  ByteView type_bytes_, space_bytes_, fill_bytes_, filter_bytes_;
  Node* committed_type_ = nullptr;
};

/// Values of variable length are in the heap.
struct SettledDataset {
  SettledDataset(FileState& file, const Datatype& type, std::span<const std::byte> elements,
                 const DatasetOptions& given, const NewValues& values)
      : data(elements.begin(), elements.end()), options(given) {
    const auto settle = [&](std::span<std::byte> bytes, bool keep) {
      settle_values(type, bytes, values, file.store().file(),
                    [&](ByteView value) { return file.heap().put(value, keep); });
    };
    settle(data, false);
    if (options.fill_value) settle(*options.fill_value, true);
  }

  std::vector<std::byte> data;
  DatasetOptions options;
};

/// A fill value of variable length that only this rank knows: in a heap of its own until the flush.
class LocalFillValue {
 public:
  LocalFillValue(FileState& file, const Datatype& type, const DatasetOptions& given,
                 const NewValues& values)
      : options(given) {
    if (!given.fill_value) return;
    pack_values(type, *given.fill_value, values, packed_);
    settle_values(type, *options.fill_value, values, file.store().file(), [&](ByteView value) {
      return file.local_edits().heap.put(value, file.store().file());
    });
  }

  /// `given`: the element as it was before.
  void keep(Node& node, ByteView given) {
    const FileState& file = *node.file;
    const HeaderMessage& m = *node.header.find(MessageType::fill_value);
    auto message = decode<FillValueMessage>(m.data, m.address, file.store().file());
    message.value = given;
    node.local->fill_value = {encode_kept(message, file.store().file(), node.file->arena()),
                              std::move(packed_.out)};
  }

  DatasetOptions options;

 private:
  Packer packed_;
};

Node& make_dataset(Node& group, std::string_view name, const NewDataset& created) {
  Node& node = link_new(group, name, ObjectKind::dataset);
  created.add_messages(node);
  for (const HeaderMessage& m : node.header.messages) group.file->log().grow(m.data.size());
  if (created.is_chunked()) group.file->log().grow(kMemoryOfNewIndex);
  group.file->log().add("create dataset", group, node.name, [&] { return created.arguments(); });
  return node;
}

/// Nothing if the fill value's gaps are zeros.
std::optional<DatasetOptions> with_plain_fill_value(const Datatype& type,
                                                    const DatasetOptions& given) {
  if (!given.fill_value) return std::nullopt;
  const Gaps gaps(type);
  if (gaps.are_zero(*given.fill_value)) return std::nullopt;
  std::optional<DatasetOptions> options = given;
  gaps.clear(*options->fill_value);
  return options;
}

}  // namespace

MakeDataset prepare_dataset(FileState& file, std::string where, const Datatype& type,
                            const Dataspace& space, std::span<const std::byte> data,
                            const DatasetOptions& options, const Model& model) {
  const auto created = std::make_shared<const NewDataset>(
      file, [where = std::move(where)] { return where; }, type, space, data, options, &model);
  return [created](Node& group, std::string_view name) -> Node& {
    return make_dataset(group, name, *created);
  };
}

Dataset Group::create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                              std::span<const std::byte> data, const DatasetOptions& given,
                              const NewValues& values) {
  begin_adding(node_);
  if (const auto there = place_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group))
        .create_dataset(there->path, type, space, data, given, values);
  FileState& file = *node_->file;
  file.require_editable();
  const PlainBytes plain(type, data);
  data = plain.get();
  const std::optional<DatasetOptions> cleared = with_plain_fill_value(type, given);
  const DatasetOptions& options = cleared ? *cleared : given;
  // All that may throw comes before the first change.
  const ErrorPrefix where = [&] { return fmt::format("{}: dataset \"{}\"", node_->where(), path); };
  std::optional<NewDataset> created(std::in_place, file, where, type, space, data, options);
  std::optional<SettledDataset> settled;
  if (type.points_elsewhere()) {
    require_storable(type, file.store().file(), where());
    check_values(type, data, values, where());
    if (options.fill_value) check_values(type, *options.fill_value, values, where());
  }
  Place place(*node_, path);
  // Values that wait for the flush, with the dataset.
  const bool wait = uses_heap(type) && file.local_edits().is_inside() && !file.comm().is_self();
  std::optional<LocalFillValue> fill_value;
  if (wait) {
    fill_value.emplace(file, type, options, values);
    created.emplace(file, where, type, space, std::span<const std::byte>(), fill_value->options);
  } else if (uses_heap(type)) {
    settled.emplace(file, type, data, options, values);
    created.emplace(file, where, type, space, settled->data, settled->options);
  }
  Node& made =
      make_at(place, created->bytes_to_write(), [&](Node& group, std::string_view name) -> Node& {
        Node& node = make_dataset(group, name, *created);
        if (!values.empty())
          file.log().add("values of", node, "",
                         {CallArguments::kValue, Digest().add(values.bytes())});
        if (fill_value && options.fill_value) fill_value->keep(node, *options.fill_value);
        created->write_value(node);
        if (wait && !data.empty())
          Dataset(handle_from(node_, node)).write(data, TransferRequest{.values = &values});
        return node;
      });
  return Dataset(handle_from(node_, made));
}

}  // namespace onecast
