#include <algorithm>
#include <unordered_set>

#include "objects/files/file_state.hpp"
#include "objects/flush/flush_plan.hpp"
#include "objects/lifetime/release.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/dense_limits.hpp"
#include "onecast/base/error.hpp"

/// Dense links and attributes in a flush. A structure in the file is changed in place, unless
/// nearly all of it changes or it cannot be changed.
namespace onecast::flush {
namespace {

/// Returns true if there is a link that no header message can hold.
bool have_large(const LinkTable& links) {
  constexpr std::size_t kAround = 64;
  return std::any_of(links.entries.begin(), links.entries.end(), [](const LinkEntry& e) {
    return !e.removed && e.size() + kAround > kMaxMessageSize;
  });
}

bool have_large(std::span<const AttributeEntry* const> attributes) {
  return std::any_of(attributes.begin(), attributes.end(),
                     [](const AttributeEntry* a) { return a->message().size() > kMaxMessageSize; });
}

}  // namespace

LinkMessage FlushPlan::resolved(const LinkEntry& entry) {
  LinkMessage message = entry.message();
  if (entry.node != nullptr && message.type == LinkType::hard)
    message.object_header = entry.node->address;
  return message;
}

void FlushPlan::allocate_links(Object& object) {
  Node& node = *object.node;
  LinkTable& links = node.changing_links();
  const bool changes = links.has_added() || !links.missed().empty();
  // The header will name the creation order index, so it must exist.
  const bool can_stay =
      links.stored().is_defined() &&
      links.stored().creation_order_index.is_defined() == links.creation_order_tracked;
  if (can_stay && !changes) {
    object.beside().links.place = links.stored();
    return;
  }
  const bool many = are_many(links.live, limits_of_links(node), links.stored().is_defined());
  if (can_stay && many && edit_dense_links(object, links)) return;
  if (many || have_large(node.links())) make_dense_links(object);
  if (!object.is_new)
    for (const FileRange& r : stored_links(node)) object.beside().replaced.push_back(r);
}

bool FlushPlan::edit_dense_links(Object& object, LinkTable& links) {
  const FileContext& context = file_.store().file();
  const auto described = [&](const LinkEntry& e) {
    return DenseObject{e.name(), e.creation_order(), encoded_size(context, e.message()), 0};
  };
  std::vector<DenseObject> gone;
  std::vector<DenseObject> added;
  auto entries = std::make_shared<std::vector<const LinkEntry*>>();
  gone.reserve(links.missed().size());
  for (const LinkEntry* e : links.missed()) gone.push_back(described(*e));
  links.for_each_added([&](const LinkEntry& e) {
    if (e.removed) return;
    entries->push_back(&e);
    added.push_back(described(e));
  });
  if (2 * (gone.size() + added.size()) > links.live) return false;
  Dense& dense = object.beside().links;
  dense.place = links.stored();
  dense.write_message = [entries, &context](std::size_t i, std::span<std::byte> out) {
    ByteWriter writer(out);
    format::encode(writer, context, resolved(*(*entries)[i]));
  };
  return edit_dense(dense, DensePieces::Kind::links, gone, added, {});
}

std::vector<const LinkEntry*> FlushPlan::links_to_write(Node& node) {
  const LinkTable& links = node.links();
  std::vector<const LinkEntry*> entries;
  entries.reserve(links.live);
  for (const LinkEntry& e : links.entries)
    if (!e.removed) entries.push_back(&e);
  // Ranks may have looked up all links before or after an earlier flush, so their tables differ in
  // order.
  if (!links.stored().is_defined()) return entries;
  std::sort(entries.begin(), entries.end(), [&](const LinkEntry* a, const LinkEntry* b) {
    if (links.creation_order_tracked) return a->creation_order() < b->creation_order();
    return a->name() < b->name();
  });
  return entries;
}

void FlushPlan::make_dense_links(Object& object) {
  const FileContext& context = file_.store().file();
  const LinkTable& links = object.node->links();
  auto entries = std::make_shared<std::vector<const LinkEntry*>>(links_to_write(*object.node));
  object.beside().links.anew.pieces = std::make_unique<DensePieces>(
      DensePieces::Kind::links, entries->size(),
      [&](std::size_t i) {
        const LinkMessage m = (*entries)[i]->message();
        return DenseObject{m.name, m.creation_order, encoded_size(context, m), 0};
      },
      links.creation_order_tracked, context,
      [entries, &context](std::size_t i, std::span<std::byte> out) {
        ByteWriter writer(out);
        format::encode(writer, context, resolved(*(*entries)[i]));
      });
}

void FlushPlan::allocate_attributes(Object& object) {
  Node& node = *object.node;
  const auto attributes = node.attribute_entries();
  const bool were_dense = !object.is_new && node.attributes().stored().is_defined();
  const bool need_dense =
      are_many(attributes.size(), limits_of_attributes(node), were_dense) || have_large(attributes);
  if (need_dense && were_dense && edit_dense_attributes(object, node.attributes())) return;
  if (need_dense) make_dense_attributes(object);
  if (were_dense)
    for (const FileRange& r : stored_attributes(node)) object.beside().replaced.push_back(r);
}

bool FlushPlan::edit_dense_attributes(Object& object, AttributeTable& attributes) {
  if (attributes.stored().creation_order_index.is_defined() !=
      object.node->indexes_attribute_order())
    return false;
  const auto described = [](const AttributeEntry& a) {
    return DenseObject{a.name(), a.creation_order(), a.message().size(), 0};
  };
  std::vector<DenseObject> gone;
  std::vector<DenseObject> added;
  std::vector<DenseObject> changed;
  std::vector<const AttributeEntry*> written;
  for (const AttributeEntry* a : attributes.missed()) {
    const AttributeEntry* now = attributes.find(a->name());
    const bool stays = now != nullptr && now->message().size() == a->message().size() &&
                       now->creation_order() == a->creation_order();
    (stays ? changed : gone).push_back(described(*a));
    if (stays) written.push_back(now);
  }
  const std::unordered_set<const AttributeEntry*> in_place(written.begin(), written.end());
  for (const AttributeEntry* a : attributes.entries()) {
    if (a->is_stored || in_place.contains(a)) continue;
    added.push_back(described(*a));
    written.push_back(a);
  }
  if (2 * (gone.size() + added.size()) > attributes.entries().size()) return false;
  Dense& dense = object.beside().attributes;
  dense.place = attributes.stored();
  dense.write_message = [written](std::size_t i, std::span<std::byte> out) {
    ByteWriter(out).bytes(written[i]->message());
  };
  return edit_dense(dense, DensePieces::Kind::attributes, gone, added, changed);
}

void FlushPlan::make_dense_attributes(Object& object) {
  const auto attributes = object.node->attribute_entries();
  const bool ordered = object.node->tracks_attribute_order();
  object.beside().attributes.anew.pieces = std::make_unique<DensePieces>(
      DensePieces::Kind::attributes, attributes.size(),
      [&](std::size_t i) {
        const AttributeEntry& a = *attributes[i];
        return DenseObject{a.name(), ordered ? a.creation_order() : i, a.message().size(), 0};
      },
      object.node->indexes_attribute_order(), file_.store().file(),
      [attributes](std::size_t i, std::span<std::byte> out) {
        ByteWriter(out).bytes(attributes[i]->message());
      });
}

bool FlushPlan::edit_dense(Dense& dense, DensePieces::Kind kind,
                           const std::vector<DenseObject>& gone,
                           const std::vector<DenseObject>& added,
                           const std::vector<DenseObject>& changed) {
  if (gone.empty() && added.empty() && changed.empty()) return true;
  if (file_.is_swmr()) {
    // Readers keep the structure that they have found.
    dense.place = {};
    return false;
  }
  std::unique_ptr<DenseEdit> edit;
  bool is_wasteful = false;
  try {
    edit = std::make_unique<DenseEdit>(
        kind, dense.place, file_.store(),
        [this](std::uint64_t bytes) { return allocator_.metadata(bytes); });
    for (const DenseObject& object : gone) edit->remove(object);
    is_wasteful = !gone.empty() && edit->is_wasteful();
    if (!is_wasteful) {
      for (const DenseObject& object : changed) edit->change(object);
      for (const DenseObject& object : added) edit->add(object);
      edit->lay_out();
      dense.edit = std::move(edit);
      return true;
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format && error.code() != ErrorCode::unsupported) throw;
  }
  if (edit)
    for (const FileRange& r : edit->blocks().added()) abandoned_.push_back(r);
  dense.place = {};
  return false;
}

void FlushPlan::allocate_dense(Dense& dense) {
  allocate_pieces(dense.anew);
  const Allocated<DensePieces>& anew = dense.anew;
  if (!anew.pieces) return;
  dense.place.heap = anew.addresses[DensePieces::heap_piece()];
  dense.place.name_index = anew.addresses[anew.pieces->name_index_piece()];
  if (const auto piece = anew.pieces->creation_order_index_piece())
    dense.place.creation_order_index = anew.addresses[*piece];
}

}  // namespace onecast::flush
