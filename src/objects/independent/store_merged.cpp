#include "objects/independent/store_merged.hpp"

#include <algorithm>
#include <utility>

#include "objects/codec/message_codec.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/new_path.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/store_values.hpp"

namespace onecast::independent {

void MergedObjects::add_known(Node& node) {
  if (!objects_.contains(&node)) known_.push_back(&node);
}

void MergedObjects::add(Node& node, const LocalPart::Object& object, const LocalPart& part,
                        WaitingBytes mine) {
  objects_.emplace(&node, Object{object.has_data, object.has_gaps, object.beside,
                                 sent_fill_value(object, part), std::move(mine)});
}

void MergedObjects::add(Node& owner, AttributeEntry& entry, const LocalPart::Attribute& attribute) {
  values_[&owner].push_back({&entry, attribute});
}

void MergedObjects::allocate() {
  const auto key = [](const Node* n) { return std::pair(n->is_new(), n->identity()); };
  std::ranges::sort(known_, {}, key);
  known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
  std::vector<Node*> next = std::move(known_);
  for (std::size_t i = 0; i < next.size(); ++i) {
    Node& node = *next[i];
    store_attributes(node);
    LinkTable* links = node.kind == ObjectKind::group ? node.loaded_links() : nullptr;
    if (links == nullptr) continue;
    links->for_each_added([&](const LinkEntry& e) {
      if (e.removed || e.node == nullptr || !objects_.contains(e.node)) return;
      allocate(*e.node, node, e.name());
      next.push_back(e.node);
    });
  }
}

void MergedObjects::allocate(Node& node, Node& group, std::string_view name) {
  Object object = std::move(objects_.extract(&node).mapped());
  const std::uint64_t before = node.creation_digest;
  identify(node, group, name);
  identities_[before] = node.creation_digest;
  if (object.fill_value) store_fill_value(node, *object.fill_value);
  if (!object.beside.empty()) give_place_beside(node, object.beside);
  give_place(node, object.has_data, object.has_gaps, std::move(object.mine));
}

void MergedObjects::store_attributes(Node& node) {
  const auto found = values_.find(&node);
  if (found == values_.end()) return;
  for (const auto& [entry, attribute] : found->second)
    static_cast<StoredAttribute&>(*entry) =
        StoredAttribute(stored(attribute), {}, file_.store().file(), entry->creation_order());
}

ByteView MergedObjects::stored(const LocalPart::Attribute& attribute) {
  const FileContext& context = file_.store().file();
  auto message = decode<AttributeMessage>(attribute.message, {}, context);
  const Datatype type = read_datatype({MessageType::datatype, 0, 0, {}, message.datatype}, context);
  std::vector<std::byte> elements(message.data.begin(), message.data.end());
  Unpacker values(*attribute.values);
  store_packed_values(type, elements, values, context,
                      [&](ByteView value) { return heap_of(file_).put(value, true); });
  message.data = elements;
  return encode_kept(message, context, file_.arena());
}

std::uint64_t MergedObjects::identity_now(std::uint64_t before) const {
  const auto found = identities_.find(before);
  return found == identities_.end() ? before : found->second;
}

}  // namespace onecast::independent
