#include "pages/walk.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_set>

#include "format/objects/data_layout_message.hpp"
#include "format/objects/datatype_message.hpp"
#include "format/objects/shared_message.hpp"
#include "onecast/base/error.hpp"
#include "pages/recording_source.hpp"
#include "structures/chunk_btree_v1.hpp"
#include "structures/global_heap.hpp"
#include "structures/object_contents.hpp"
#include "structures/overlap_guard.hpp"

namespace onecast {
namespace {

class Walk {
 public:
  Walk(BlockCache& source, const WalkLimits& limits)
      : source_(source), structures_(source_, source.end()), limits_(limits) {}

  WalkResult run(Address start) {
    WalkResult result;
    enqueue(start);
    for (; !queue_.empty(); queue_.pop_front()) {
      if (source_.exceeds(limits_.budget)) {
        result.complete = false;
        break;
      }
      try {
        visit(queue_.front());
      } catch (const Error& error) {
        // The bytes up to the damage are in; the reader meets the same error when it looks.
        if (error.code() == ErrorCode::io) throw;
      }
    }
    result.ranges = source_.take();
    const std::uint64_t bytes = total_size(result.ranges);
    result.small_data_bytes = small_data_;
    result.metadata_bytes = bytes - std::min(bytes, small_data_);
    return result;
  }

 private:
  void enqueue(Address address) {
    if (address.is_defined() && seen_.insert(address).second) queue_.push_back(address);
  }

  void visit(Address address) {
    const ObjectHeader header = read_object_header(structures_, address);
    if (limits_.recursive && is_group(header))
      read_links(structures_, header, [&](const LinkMessage& link) {
        if (link.type == LinkType::hard) enqueue(link.object_header);
      });
    for (const StoredAttribute& a : read_attributes(structures_, header))
      if (!a.decoded.datatype_is_shared())
        visit_values(a.decoded.datatype, a.address, a.decoded.data);
    const HeaderMessage* type = header.find(MessageType::datatype);
    if (type == nullptr) return;
    if (type->is_shared()) visit_committed(*type);
    const HeaderMessage* layout = header.find(MessageType::data_layout);
    if (layout == nullptr) return;
    const ByteView values = visit_data(*layout);
    if (!type->is_shared()) visit_values(type->data, type->address, values);
  }

  /// Strings of variable length lie in the global heap, which is metadata.
  void visit_values(ByteView type_bytes, Address where, ByteView values) {
    if (values.empty()) return;
    const FileContext& file = source_.file();
    const auto type = decode<DatatypeMessage>(type_bytes, where, file);
    if (type.type_class != DatatypeClass::variable_length ||
        type.size < VariableLengthReference::size(file))
      return;
    for (; values.size() >= type.size; values = values.subspan(type.size)) {
      const auto reference = decode<VariableLengthReference>(values.first(type.size), where, file);
      if (reference.length != 0 && reference.id.collection.is_defined()) heap_.object(reference.id);
    }
  }

  void visit_committed(const HeaderMessage& message) {
    const auto shared = decode<SharedMessage>(message.data, message.address, source_.file());
    if (!shared.is_in_heap()) enqueue(shared.object_header);
  }

  /// The values, where they lie in one piece and are small.
  ByteView visit_data(const HeaderMessage& message) {
    const auto layout = decode<DataLayoutMessage>(message.data, message.address, source_.file());
    if (layout.layout_class == LayoutClass::compact) return layout.compact_data;
    if (!layout.address.is_defined()) return {};
    if (layout.layout_class == LayoutClass::contiguous)
      return small_data(layout.address, layout.size);
    if (layout.layout_class == LayoutClass::chunked &&
        layout.index_type == ChunkIndexType::btree_v1)
      visit_chunks(layout);
    return {};
  }

  void visit_chunks(const DataLayoutMessage& layout) {
    std::uint64_t stored = 0;
    std::vector<FileRange> chunks;
    for_each_chunk(structures_, layout.address, layout.dimensionality - 1U,
                   [&](const ChunkEntry& chunk) {
                     stored += chunk.size;
                     if (stored <= limits_.small_data_limit)
                       chunks.push_back({chunk.address, chunk.size});
                   });
    if (stored > limits_.small_data_limit) return;
    for (const FileRange& chunk : chunks) small_data(chunk.address, chunk.size);
  }

  ByteView small_data(Address address, std::uint64_t size) {
    if (size == 0 || size > limits_.small_data_limit) return {};
    small_data_ += size;
    return source_.view(address, size, "Raw Data");
  }

  RecordingSource source_;
  OverlapGuard structures_;
  GlobalHeap heap_{structures_};
  WalkLimits limits_;
  std::deque<Address> queue_;
  std::unordered_set<Address> seen_;
  std::uint64_t small_data_ = 0;
};

}  // namespace

WalkResult walk_metadata(BlockCache& source, Address start, const WalkLimits& limits) {
  return Walk(source, limits).run(start);
}

}  // namespace onecast
