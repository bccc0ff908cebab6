#include "pages/walk.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_set>

#include "format/objects/data_layout_message.hpp"
#include "format/objects/datatype_message.hpp"
#include "format/objects/external_data_files_message.hpp"
#include "format/objects/shared_message.hpp"
#include "onecast/base/error.hpp"
#include "pages/recording_source.hpp"
#include "structures/chunks/chunk_btree_v1.hpp"
#include "structures/chunks/chunk_btree_v1_pieces.hpp"
#include "structures/chunks/open_chunk_index.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/heaps/local_heap.hpp"
#include "structures/object_contents.hpp"
#include "structures/overlap_guard.hpp"

namespace onecast::pages {
namespace {

class Walk {
 public:
  Walk(BlockCache& source, const WalkLimits& limits,
       const std::optional<SharedMessageTableMessage>& shared)
      : source_(source),
        end_(source.end()),
        structures_(source_, end_),
        shared_(structures_, shared),
        limits_(limits) {}

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
        // The bytes up to the damage are included; the reader meets the same error later.
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
    for_each_attribute(structures_, shared_, header, [&](const StoredAttribute& a) {
      visit_values(shared_.resolve(a.datatype_message()), a.data());
    });
    for (const HeaderMessage& m : header.messages) shared_.resolve(m);
    const HeaderMessage* type = header.find(MessageType::datatype);
    const HeaderMessage* layout = header.find(MessageType::data_layout);
    if (type == nullptr || layout == nullptr) return;
    if (type->is_shared()) visit_committed(*type);
    visit_values(shared_.resolve(*type), visit_data(header, *layout));
    // The local heap with the names of external files.
    if (const HeaderMessage* m = header.find(MessageType::external_data_files)) {
      const auto files = decode<ExternalDataFilesMessage>(m->data, m->address, source_.file());
      LocalHeap(structures_, files.heap);
    }
  }

  /// Strings of variable length lie in the global heap, which is metadata.
  void visit_values(const HeaderMessage& message, ByteView values) {
    if (values.empty()) return;
    const FileContext& file = source_.file();
    const Address where = message.address;
    const auto type = decode<DatatypeMessage>(message.data, where, file);
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

  /// The values, if they lie in one piece and are small.
  ByteView visit_data(const ObjectHeader& header, const HeaderMessage& message) {
    const auto layout = decode<DataLayoutMessage>(message.data, message.address, source_.file());
    if (layout.layout_class == LayoutClass::compact) return layout.compact_data;
    if (!layout.address.is_defined()) return {};
    if (layout.layout_class == LayoutClass::contiguous)
      return small_data(layout.address, layout.size);
    if (layout.layout_class == LayoutClass::chunked) visit_chunks(header, message, layout);
    if (layout.layout_class == LayoutClass::virtual_dataset)
      heap_.object({layout.address, layout.heap_index});
    return {};
  }

  void visit_chunks(const ObjectHeader& header, const HeaderMessage& message,
                    const DataLayoutMessage& layout) {
    const HeaderMessage* found = header.find(MessageType::dataspace);
    if (found == nullptr) return;
    const HeaderMessage space_message = shared_.resolve(*found);
    const FileContext& file = source_.file();
    const auto space = decode<DataspaceMessage>(space_message.data, space_message.address, file);
    // The last dimension is the size of the element.
    const ChunkGrid grid(layout, std::span(space.sizes).first(space.rank),
                         std::span(space.maximum_sizes).first(space.rank),
                         layout.dimensions[layout.dimensionality - 1U], message.address, file);
    std::uint64_t stored = 0;
    std::vector<FileRange> chunks;
    const bool filtered = header.find(MessageType::filter_pipeline) != nullptr;
    open_chunk_index(structures_, grid, layout, filtered)->for_each([&](const ChunkEntry& chunk) {
      stored += chunk.size;
      if (stored <= limits_.small_data_limit) chunks.push_back({chunk.address, chunk.size});
    });
    if (layout.index_type == ChunkIndexType::btree_v1) note_whole_nodes(grid, layout.address);
    if (stored > limits_.small_data_limit) return;
    for (const FileRange& chunk : chunks) small_data(chunk.address, chunk.size);
  }

  void note_whole_nodes(const ChunkGrid& grid, Address root) {
    if (limits_.chunk_node_k == 0) return;
    const std::uint64_t size =
        ChunkBTreeV1Pieces::node_size(grid.rank, limits_.chunk_node_k, source_.file());
    for (const Address node : ChunkBTreeV1(structures_, grid, root).nodes())
      if (size <= end_ && node.value <= end_ - size) source_.view(node, size, "B-tree Nodes");
  }

  ByteView small_data(Address address, std::uint64_t size) {
    if (size == 0 || size > limits_.small_data_limit) return {};
    small_data_ += size;
    return source_.view(address, size, "Raw Data");
  }

  RecordingSource source_;
  std::uint64_t end_;  ///< the end of the file
  OverlapGuard structures_;
  SharedMessages shared_;
  GlobalHeap heap_{structures_};
  WalkLimits limits_;
  std::deque<Address> queue_;
  std::unordered_set<Address> seen_;
  std::uint64_t small_data_ = 0;
};

}  // namespace

WalkResult walk_metadata(BlockCache& source, Address start, const WalkLimits& limits,
                         const std::optional<SharedMessageTableMessage>& shared) {
  return Walk(source, limits, shared).run(start);
}

}  // namespace onecast::pages
