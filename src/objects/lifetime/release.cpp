#include "objects/lifetime/release.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "format/objects/attribute_info_message.hpp"
#include "format/objects/group_messages.hpp"
#include "objects/chunks/chunk_index_update.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/contiguous/replaced_data.hpp"
#include "objects/files/committed_types.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "objects/nodes/reference_count.hpp"
#include "onecast/base/error.hpp"
#include "pages/recording_source.hpp"
#include "structures/dense.hpp"

namespace onecast::lifetime {
namespace {

bool is_damage(const Error& error) {
  return error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported;
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<Node*> hard_linked(Node& group) {
  std::vector<Node*> found;
  for (LinkEntry& e : group.links().entries) {
    if (e.removed || e.is_local) continue;
    if (Node* node = sound_target(group, e)) found.push_back(node);
  }
  return found;
}

/// Returns the committed types of the object and of its attributes, once for each use.
std::vector<Node*> types_used(Node& node) {
  std::vector<Node*> found;
  const auto add = [&](Node* type) {
    if (type != nullptr) found.push_back(type);
  };
  try {
    if (node.kind == ObjectKind::dataset) add(committed_type_of(node));
    for (const AttributeEntry* a : node.attributes().entries()) add(committed_type_of(node, *a));
  } catch (const Error& error) {
    if (!is_damage(error)) throw;
  }
  return found;
}

}  // namespace

Node* sound_target(Node& group, LinkEntry& entry) {
  if (entry.type() != LinkType::hard) return nullptr;
  try {
    return follow_link(group, entry);
  } catch (const Error& error) {
    if (!is_damage(error)) throw;
    return nullptr;
  }
}

Unlinking::Unlinking(Node& node) : file_(file_of(node)) {
  std::unordered_map<const Node*, std::size_t> known;  // the node's index in fewer_links_
  std::unordered_set<const Node*> gone;
  for (std::vector<Node*> left{&node}; !left.empty();) {
    Node& next = *left.back();
    left.pop_back();
    if (next.removed || gone.contains(&next)) continue;
    const auto [found, is_first] = known.try_emplace(&next, fewer_links_.size());
    if (is_first) fewer_links_.emplace_back(&next, reference_count(next));
    if (std::uint32_t& count = fewer_links_[found->second].second; count > 1) {
      --count;
      continue;
    }
    fewer_links_[found->second].second = 0;
    gone.insert(&next);
    objects_.push_back(&next);
    if (next.kind == ObjectKind::group)
      for (Node* child : hard_linked(next)) left.push_back(child);
    for (Node* type : types_used(next)) left.push_back(type);
    release_space(next);
  }
  // Read now what carry_out() changes.
  for (const auto& [node_left, count] : fewer_links_)
    if (count > 0) node_left->own();
}

void Unlinking::release_data(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  if (info.layout == Layout::compact) {
    compact_bytes_ += info.compact.size();
  } else if (info.layout == Layout::contiguous && info.address.is_defined()) {
    raw_data_.push_back(
        {info.address, info.space.element_count() * std::uint64_t{info.type.size()}});
    if (dataset.waiting() != nullptr)
      replacing_.push_back(&dataset);  // in the place of data that a flush has seen
    else if (dataset.is_new())
      unseen_.push_back(raw_data_.back());
  } else if (info.layout == Layout::chunked) {
    const ChunkTable& table = edited_chunks(dataset).table();
    for (const auto& [number, slot] : table.all()) {
      raw_data_.push_back({slot.address, slot.size});
      if (dataset.is_new()) unseen_.push_back(raw_data_.back());
    }
    append(metadata_, chunk_index_blocks(dataset));
  }
}

void Unlinking::release_space(Node& node) {
  try {
    if (node.kind == ObjectKind::dataset) release_data(node);
    if (node.is_new()) {
      // It has a place if a reference was made.
      if (node.header.first.address.is_defined()) metadata_.push_back(node.header.first);
      return;
    }
    append(metadata_, stored_links(node));
    append(metadata_, stored_attributes(node));
    for (const FileRange& block : node.header.continuations) metadata_.push_back(block);
    metadata_.push_back(node.header.first);
  } catch (const Error& error) {
    if (!is_damage(error)) throw;
  }
}

bool Unlinking::takes_held_objects() const {
  return std::ranges::any_of(objects_, [](const Node* node) {
    return node->handles.load(std::memory_order_acquire) != 0;
  });
}

void Unlinking::carry_out() {
  Changes& changes = file_.changes();
  for (const auto& [node, count] : fewer_links_) {
    if (count > 0)
      set_reference_count(*node, count);
    else
      node->removed = true;
  }
  append(changes.released.objects, objects_);
  append(changes.released.metadata, metadata_);
  for (const FileRange& r : raw_data_) file_.release_raw_data(r.address, r.size);
  for (const FileRange& r : unseen_) changes.released.unseen.add(r.address.value, r.size);
  for (Node* dataset : replacing_) forget_replacing(*dataset);
  changes.compact_bytes -= std::min(changes.compact_bytes, compact_bytes_);
}

namespace {

/// Visits the whole dense storage: the heap and both indexes.
template <class Storage, class Info>
void visit_dense(RecordingSource& source, const ObjectHeader& header, MessageType type,
                 SharedMessages* shared) {
  const HeaderMessage* m = header.find(type);
  if (m == nullptr) return;
  const auto info = decode<Info>(m->data, m->address, source.file());
  if (!info.fractal_heap.is_defined()) return;
  Storage dense(source, info.fractal_heap, info.name_btree, info.creation_order_btree, shared);
  dense.for_each_block([&](Address block, std::uint64_t size) { source.note(block, size); });
}

/// Returns the ranges that visit(source, header) reads.
template <class F>
std::vector<FileRange> visited(const Node& node, F&& visit) {
  if (node.is_new()) return {};
  RecordingSource source(file_of(node).store(), std::nullopt);
  try {
    visit(source, read_object_header(file_of(node).store(), node.address));
  } catch (const Error& error) {
    if (!is_damage(error)) throw;
  }
  return source.take();
}

}  // namespace

std::vector<FileRange> stored_links(const Node& node) {
  return visited(node, [](RecordingSource& source, const ObjectHeader& stored) {
    visit_dense<DenseLinks, LinkInfoMessage>(source, stored, MessageType::link_info, nullptr);
    if (stored.find(MessageType::symbol_table) != nullptr)
      read_links(source, stored, [](const LinkMessage&) {});
  });
}

std::vector<FileRange> stored_attributes(const Node& node) {
  return visited(node, [&](RecordingSource& source, const ObjectHeader& stored) {
    visit_dense<DenseAttributes, AttributeInfoMessage>(source, stored, MessageType::attribute_info,
                                                       &file_of(node).shared());
  });
}

}  // namespace onecast::lifetime
