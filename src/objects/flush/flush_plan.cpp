#include "objects/flush/flush_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/of_process.hpp"
#include "base/round_up.hpp"
#include "format/objects/attribute_info_message.hpp"
#include "format/objects/group_messages.hpp"
#include "format/objects/object_messages.hpp"
#include "objects/chunks/chunk_index_update.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/codec/object_times.hpp"
#include "objects/files/committed_types.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"
#include "structures/header_writer.hpp"

namespace onecast::flush {
namespace {

bool has_new_index(const Node& node) {
  const EditedChunks* const chunks = known_edited_chunks(node);
  return chunks != nullptr && chunks->table().changed;
}

template <class R>
std::uint64_t body_size(const FileContext& file, const R& record) {
  return encoded_size(file, record);
}
std::uint64_t body_size(const FileContext&, ByteView body) { return body.size(); }

/// Asks the processor to have at hand what a node refers to. The node itself is.
void prefetch_contents(Node& node) {
  constexpr std::size_t kLine = 64;
  // Lines behind a short list do no harm. Most lists have less than three lines.
  const auto* messages = reinterpret_cast<const char*>(node.header.messages.data());
  for (std::size_t line = 0; line < 3; ++line) __builtin_prefetch(messages + line * kLine);
  for (const AttributeEntry* a : node.attribute_entries()) __builtin_prefetch(a);
}

enum class Fetched : bool { nodes, contents };

/// Calls each(object) for all objects of a plan, to which `each` may add. They lie far apart in
/// memory: the processor fetches those that come soon.
template <Fetched fetched = Fetched::nodes, class Objects, class F>
void for_each_fetched(Objects& objects, F&& each) {
  constexpr std::size_t kAhead = 8;
  constexpr std::size_t kContentsAhead = 3;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i + kAhead < objects.size()) objects[i + kAhead].node->prefetch();
    if (fetched == Fetched::contents && i + kContentsAhead < objects.size())
      prefetch_contents(*objects[i + kContentsAhead].node);
    each(objects[i]);
  }
}

}  // namespace

FlushPlan::FlushPlan(FileState& file, PageAllocator& allocator, std::uint32_t now)
    : file_(file), allocator_(allocator), now_(now) {
  try {
    collect_and_allocate();
  } catch (...) {
    take_addresses_back();
    throw;
  }
}

FlushPlan::~FlushPlan() {
  if (!applied_) take_addresses_back();
}

void FlushPlan::take_addresses_back() {
  for (const Object& object : objects_)
    if (object.is_new) object.node->address = Address{};
}

/// Finds the objects and gives each its place, in one walk, since they lie far apart in memory.
void FlushPlan::collect_and_allocate() {
  // Do not follow links of unchanged objects: each rank has looked up other parts of these.
  const std::uint32_t mark = file_.nodes().next_walk();
  if (file_.root().is_new()) {
    file_.root().walk_mark = mark;
    objects_.push_back({&file_.root(), true, {}, {}});
  }
  const auto visit = [&](Node* next) {
    if (next == nullptr || !next->is_new() || next->walk_mark == mark) return;
    next->walk_mark = mark;
    objects_.push_back({next, true, {}, {}});
  };
  for (Node* node : file_.nodes().dirty_stored()) objects_.push_back({node, false, {}, {}});
  for (Node* node : file_.changes().anonymous) visit(node);
  std::vector<Node*> with_committed_types;
  for_each_fetched<Fetched::contents>(objects_, [&](Object& object) {
    Node& node = *object.node;
    for_each_committed_type(node, [&](Node* type) {
      visit(type);
      if (with_committed_types.empty() || with_committed_types.back() != &node)
        with_committed_types.push_back(&node);
    });
    if (LinkTable* links = node.loaded_links())
      links->for_each_added([&](const LinkEntry& e) {
        if (!e.removed) visit(e.node);
      });
    allocate(object);
  });
  for (Node* node : with_committed_types) set_committed_types(*node);
}

/// Sets the times of an object; a copy has those of its source.
void FlushPlan::set_times(const Object& object) const {
  ObjectHeaderProperties& prefix = object.node->header.prefix;
  if ((prefix.flags & header_flag::kTimes) == 0) return;
  if (!object.is_new)
    prefix.access_time = prefix.change_time = now_;
  else if (prefix.change_time == 0)
    codec::set_times(prefix, {.change = now_});
}

void FlushPlan::allocate(Object& object) {
  Node& node = *object.node;
  set_times(object);
  if (node.kind == ObjectKind::group) allocate_links(object);
  allocate_attributes(object);
  const auto take = [&](std::uint64_t bytes) { return allocator_.metadata(bytes); };
  if (has_new_index(node)) {
    ReplacedIndex replaced;
    Beside& beside = object.beside();
    beside.chunks.pieces = make_chunk_index(node, take, replaced);
    beside.replaced.insert(beside.replaced.end(), replaced.stored.begin(), replaced.stored.end());
    abandoned_.insert(abandoned_.end(), replaced.abandoned.begin(), replaced.abandoned.end());
  }
  allocate_header(object);
  if (!object.rest) return;
  allocate_dense(object.rest->links);
  allocate_dense(object.rest->attributes);
  allocate_pieces(object.rest->chunks);
}

/// Frees the end of a block of which too much is unused, except for a little.
void FlushPlan::cut_off(Object& object, FileRange& block, std::uint64_t used) {
  constexpr std::uint64_t kKept = 1024;
  if (block.size - used <= HeaderWriter::kMostLeft) return;
  const std::uint64_t size = round_up(used + kKept, 8);
  object.beside().replaced.push_back({block.address + size, block.size - size});
  block.size = size;
}

void FlushPlan::allocate_header(Object& object) {
  Node& node = *object.node;
  const FileContext& context = file_.store().file();
  const std::uint64_t header_size = MessageHeaderV2::size(node.tracks_attribute_order());
  const std::uint64_t reserved = header_size + encoded_size(context, ContinuationMessage());
  const auto for_each_size = [&](auto&& each) {
    for_each_message(object, [&](MessageType, std::uint8_t, const auto& body, std::uint16_t = 0) {
      each(header_size + body_size(context, body));
    });
  };
  std::uint64_t total = 0;
  for_each_size([&](std::uint64_t size) { total += size; });
  if (object.is_new && !node.header.first.address.is_defined()) {
    // The header of a small committed datatype would otherwise have no room for a continuation.
    const std::uint64_t room = std::max(total, reserved);
    node.header.prefix.set_chunk0_size_flags(room);
    object.first.size = HeaderWriter::overhead(context, node.header.prefix) + room;
    object.first.address = allocator_.metadata(object.first.size);
    node.address = object.first.address;
    return;
  }
  object.first = node.header.first;
  node.address = object.first.address;
  const std::uint64_t overhead = HeaderWriter::overhead(context, node.header.prefix);
  const std::uint64_t room = object.first.size - overhead;
  if (total <= room) return cut_off(object, object.first, overhead + total);

  if (room < reserved)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: the object header of {} bytes has no room to be continued",
                            node.where(), object.first.size));
  Beside& beside = object.beside();
  std::uint64_t used = 0;
  bool is_full = false;
  for_each_size([&](std::uint64_t size) {
    is_full = is_full || used + size + reserved > room;
    if (!is_full) used += size, ++beside.in_first;
  });
  cut_off(object, object.first, overhead + used + reserved);
  FileRange& continuation = beside.continuation;
  continuation.size = total - used + HeaderWriter::kContinuationOverhead;
  // An earlier continuation block is used again if it is large enough. Headers that have outgrown
  // one will grow again; blocks that are a little larger each time would fit nowhere.
  const auto& earlier = node.header.continuations;
  if (!earlier.empty() && earlier.front().size >= continuation.size) {
    const std::uint64_t needed = continuation.size;
    continuation = earlier.front();
    if (!file_.is_swmr()) return cut_off(object, continuation, needed);
    // Readers must not see a new continuation of an old header.
    if (stays_in(object, continuation)) return;
    continuation = {{}, needed};
  }
  if (!earlier.empty())
    continuation.size += std::min(continuation.size / 2, HeaderWriter::kMostLeft);
  continuation.address = allocator_.metadata(continuation.size);
}

/// Returns true if the continuation block of the object in the file is as it has to be.
bool FlushPlan::stays_in(const Object& object, const FileRange& block) const {
  std::vector<std::byte> bytes(static_cast<std::size_t>(block.size));
  encode_continuation(object, bytes);
  return std::ranges::equal(bytes, file_.store().view(block.address, block.size, "Object Header"));
}

/// Calls emit(type, flags, record or bytes) for all messages of the header, in order. Sizes do not
/// depend on addresses, so this serves both layout and encoding.
template <class F>
void FlushPlan::for_each_message(const Object& object, F&& emit) const {
  Node& node = *object.node;
  const Beside& beside = object.rest ? *object.rest : of_process<const Beside>();
  if (node.kind == ObjectKind::group) {
    const LinkTable& links = node.changing_links();
    LinkInfoMessage info;
    if (links.creation_order_tracked)
      info.flags = LinkInfoMessage::kOrderTracked | LinkInfoMessage::kOrderIndexed;
    info.maximum_creation_index = links.next_creation_order;
    info.fractal_heap = beside.links.place.heap;
    info.name_btree = beside.links.place.name_index;
    info.creation_order_btree = beside.links.place.creation_order_index;
    emit(MessageType::link_info, std::uint8_t{0}, info);
  }
  const bool new_index = has_new_index(node);
  for (const HeaderMessage& m : node.header.messages)
    if (new_index && m.type == MessageType::data_layout)
      emit(m.type, m.flags, layout_with_index(node, m, beside.chunks.first_address()));
    else if (node.committed_type() != nullptr && m.type == MessageType::datatype)
      emit(m.type, static_cast<std::uint8_t>(m.flags | message_flag::kShared),
           reference_to(*node.committed_type()));
    else
      emit(m.type, m.flags, m.data, m.creation_order);
  if (node.kind == ObjectKind::group && !beside.links.is_there())
    for_each_link_to_write(
        node, [&](const LinkEntry& e) { emit(MessageType::link, std::uint8_t{0}, resolved(e)); });
  const auto attributes = node.attribute_entries();
  if (attributes.empty() && !node.tracks_attribute_order()) return;
  // Without this message the HDF5 library counts no attributes, though it finds them.
  AttributeInfoMessage info;
  if (node.tracks_attribute_order()) info.flags |= AttributeInfoMessage::kOrderTracked;
  if (node.indexes_attribute_order()) info.flags |= AttributeInfoMessage::kOrderIndexed;
  info.maximum_creation_index = static_cast<std::uint16_t>(node.attributes().next_creation_order);
  info.fractal_heap = beside.attributes.place.heap;
  info.name_btree = beside.attributes.place.name_index;
  info.creation_order_btree = beside.attributes.place.creation_order_index;
  emit(MessageType::attribute_info, message_flag::kNotShareable, info);
  if (beside.attributes.is_there()) return;
  for (const AttributeEntry* a : attributes)
    emit(MessageType::attribute, std::uint8_t{0}, a->message(),
         static_cast<std::uint16_t>(a->creation_order()));
}

void FlushPlan::touch(Commit& pages) const {
  // The reserved headers of removed objects are included, because their pages are listed.
  for (const FileRange& c : file_.changes().reserved_headers) pages.touch(c.address, c.size);
  for (const auto& [address, bytes] : file_.new_blocks().blocks())
    pages.touch(address, bytes.size());
  for (const FileRange& r : abandoned_) pages.touch(r.address, r.size);
  for (const Object& object : objects_) {
    pages.touch(object.first.address, object.first.size);
    if (const FileRange c = object.continuation(); c.address.is_defined())
      pages.touch(c.address, c.size);
    object.for_each_allocated([&](const auto& given) {
      for (std::size_t i = 0; i < given.addresses.size(); ++i)
        if (const std::uint64_t touched = given.pieces->touched(i); touched != 0)
          pages.touch(given.addresses[i], touched);
    });
    object.for_each_edit([&](const Dense& dense) {
      dense.edit->blocks().for_each_touched(
          [&](Address address, ByteView bytes) { pages.touch(address, bytes.size()); });
    });
  }
}

void FlushPlan::encode(Commit& pages) const {
  const FileContext& context = file_.store().file();
  for (const auto& [address, bytes] : file_.new_blocks().blocks())
    std::ranges::copy(bytes, pages.at(address, bytes.size()).begin());
  for_each_fetched<Fetched::contents>(objects_, [&](const Object& object) {
    encode_header(object, pages);
    object.for_each_allocated([&](const auto& given) {
      for (std::size_t i = 0; i < given.addresses.size(); ++i)
        if (given.pieces->touched(i) != 0)
          given.pieces->encode(i, pages.at(given.addresses[i], given.pieces->size(i)),
                               given.addresses, context);
    });
    object.for_each_edit([&](const Dense& dense) {
      dense.edit->encode(dense.write_message);
      dense.edit->blocks().for_each_touched([&](Address address, ByteView bytes) {
        std::ranges::copy(bytes, pages.at(address, bytes.size()).begin());
      });
    });
  });
}

void FlushPlan::encode_header(const Object& object, Commit& pages) const {
  const FileContext& context = file_.store().file();
  HeaderWriter first(pages.at(object.first.address, object.first.size), context,
                     object.node->header.prefix);
  const FileRange block = object.continuation();
  std::size_t index = 0;
  for_each_message(
      object, [&](MessageType type, std::uint8_t flags, const auto& body, std::uint16_t order = 0) {
        if (object.in_first(index++)) first.add(type, flags, body, order);
      });
  if (block.address.is_defined()) {
    ContinuationMessage next;
    next.offset = block.address;
    next.length = block.size;
    first.add(MessageType::continuation, 0, next);
    encode_continuation(object, pages.at(block.address, block.size));
  }
  first.finish();
}

/// Encodes the messages that are not in the first block.
void FlushPlan::encode_continuation(const Object& object, std::span<std::byte> out) const {
  HeaderWriter writer(out, file_.store().file(), object.node->tracks_attribute_order());
  std::size_t index = 0;
  for_each_message(
      object, [&](MessageType type, std::uint8_t flags, const auto& body, std::uint16_t order = 0) {
        if (!object.in_first(index++)) writer.add(type, flags, body, order);
      });
  writer.finish();
}

std::vector<FileRange> FlushPlan::in_order() const {
  std::vector<FileRange> all;
  for (const auto& [address, bytes] : file_.new_blocks().blocks())
    all.push_back({address, bytes.size()});
  const auto add = [&](const auto& given, std::size_t piece) {
    if (const std::uint64_t size = given.pieces->touched(piece); size != 0)
      all.push_back({given.addresses[piece], size});
  };
  for (const Object& object : objects_) {
    // A piece refers to pieces with higher numbers, and all lead from the first address.
    object.for_each_allocated([&](const auto& given) {
      const auto is_first = [&](std::size_t i) {
        return given.addresses[i] == given.first_address();
      };
      for (std::size_t i = given.addresses.size(); i-- > 0;)
        if (!is_first(i)) add(given, i);
      for (std::size_t i = 0; i < given.addresses.size(); ++i)
        if (is_first(i)) add(given, i);
    });
    if (const FileRange c = object.continuation(); c.address.is_defined()) all.push_back(c);
    all.push_back(object.first);
  }
  return all;
}

std::vector<FileRange> FlushPlan::replaced() const {
  std::vector<FileRange> all;
  const auto add = [&](const std::vector<FileRange>& ranges) {
    all.insert(all.end(), ranges.begin(), ranges.end());
  };
  add(abandoned_);
  for (const Object& object : objects_) {
    const Node& node = *object.node;
    if (object.rest) add(object.rest->replaced);
    object.for_each_edit([&](const Dense& dense) {
      for (const FileRange& r : dense.edit->blocks().released()) all.push_back(r);
    });
    for (const FileRange& c : node.header.continuations)
      if (c.address != object.continuation().address) all.push_back(c);
  }
  return all;
}

void FlushPlan::apply() {
  for_each_fetched(objects_, [&](const Object& object) {
    Node& node = *object.node;
    node.dirty = false;
    if (object.is_new) file_.nodes().register_address(node);
    if (has_new_index(node))
      note_chunk_index(node, object.rest->chunks.pieces.get(), object.rest->chunks.addresses);
    const FileRange continuation = object.continuation();
    node.header.first = object.first;
    node.header.continuations.clear();
    if (continuation.address.is_defined()) node.header.continuations.push_back(continuation);
    if (LinkTable* links = node.loaded_links())
      links->for_each_added([](LinkEntry& e) {
        if (!e.removed && e.node != nullptr) e.set_target(e.node->address);
      });
    node.note_links_place(object.rest ? object.rest->links.place : DensePlace());
    node.note_attributes_place(object.rest ? object.rest->attributes.place : DensePlace());
  });
  file_.changes().reserved_headers.clear();
  file_.new_blocks().forget();
  applied_ = true;
}

}  // namespace onecast::flush
