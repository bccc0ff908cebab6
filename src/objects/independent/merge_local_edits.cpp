#include "objects/independent/merge_local_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "comm/agreement.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/elements/lost_writes.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/compact_room.hpp"
#include "objects/files/follow_links.hpp"
#include "objects/files/new_path.hpp"
#include "objects/independent/store_merged.hpp"
#include "objects/memory/packer.hpp"
#include "objects/nodes/compact_write.hpp"
#include "objects/nodes/reference_count.hpp"
#include "objects/values/heap_writer.hpp"
#include "onecast/base/error.hpp"

namespace onecast::independent {
namespace {

/// Names that were used already.
class NameConflicts {
 public:
  void add(std::string what) {
    if (++count_ <= kMostNamed) text_ += (text_.empty() ? "" : "; ") + std::move(what);
  }
  [[nodiscard]] std::exception_ptr error(const FileState& file) const {
    if (count_ == 0) return nullptr;
    std::string text = fmt::format("{}: inside independent(): {}", file.path(), text_);
    if (count_ > kMostNamed) text += fmt::format("; and {} more", count_ - kMostNamed);
    return std::make_exception_ptr(Error(ErrorCode::diverged, text));
  }

 private:
  static constexpr std::size_t kMostNamed = 4;

  std::size_t count_ = 0;
  std::string text_;
};

class MergingEdits {
 public:
  MergingEdits(FileState& file, PackedLocalEdits mine) : file_(file), mine_(std::move(mine)) {}

  std::exception_ptr run(const std::vector<std::vector<std::byte>>& gathered) {
    const LocalEdits::Outside outside(file_.local_edits());
    detach();
    for (std::size_t rank = 0; rank < gathered.size(); ++rank) {
      rank_ = static_cast<int>(rank);
      LocalPart part = unpack_local_part(gathered[rank]);
      merge(part);
      if (is_mine()) drop_what_is_left_out(part);
    }
    merged_.allocate();
    for (VariableWrite& w : file_.changes().variable_writes)
      if (w.dataset.is_new) w.dataset.identity = merged_.identity_now(w.dataset.identity);
    file_.nodes().forget_identities();
    file_.local_edits().clear();
    file_.changes().dirty = true;
    return conflicts_.error(file_);
  }

 private:
  [[nodiscard]] bool is_mine() const { return rank_ == file_.comm().rank(); }

  // --- taking this rank's own apart --------------------------------------------------------------
  void detach() {
    std::unordered_map<const Node*, unsigned> links_to;
    for_each_own_link([&](Node&, const LinkMessage&, Node& target) { ++links_to[&target]; });
    for_each_own_link([&](Node& group, const LinkMessage& message, Node& target) {
      if (target.is_local() && target.kind == ObjectKind::group && links_to[&target] == 1)
        my_groups_[&group].emplace(message.name, &target);
    });
    const LocalEdits& edits = file_.local_edits();
    for (const LocalEdits::Holder& h : edits.holders()) {
      if (LinkTable* links = h.node->loaded_links()) links->remove_local();
      h.node->attributes().erase_if([&](const AttributeEntry* a) { return edits.is_local(a); });
    }
    for (Node* node : mine_.objects) {
      if (LinkTable* links = node->loaded_links()) links->clear();
      node->attributes().clear();
      node->dirty = false;
    }
  }

  template <class F>
  void for_each_own_link(F&& each) {
    for (const LocalEdits::Holder& h : file_.local_edits().holders())
      for (const LocalEdits::Link& l : h.links)
        if (l.target != nullptr) each(*h.node, l.message, *l.target);
    for (Node* node : mine_.objects)
      if (LinkTable* links = node->loaded_links())
        for (const LinkEntry& e : links->entries)
          if (!e.removed && e.node != nullptr) each(*node, e.message(), *e.node);
  }

  // --- one rank's part ---------------------------------------------------------------------------
  void merge(LocalPart& part) {
    linked_.clear();
    for (std::size_t i = 0; i < part.holders.size(); ++i) {
      const LocalPart::Holder& holder = part.holders[i];
      if (Node* node = known(holder.node)) {
        merged_.add_known(*node);
        fill(*node, part, holder.contents, i);
      } else {
        conflicts_.add(fmt::format("\"{}\", where rank {} created something, was removed",
                                   holder.node.path, rank_));
      }
    }
    for (std::size_t i = 0; i < linked_.size(); ++i) {
      const LocalPart::Object& object = part.objects[linked_[i]];
      fill(*object.linked, part, object.contents, part.holders.size() + linked_[i]);
    }
  }

  /// Returns the object that another rank knows by this path; null if it was removed.
  Node* known(const LocalPart::Known& known) {
    Node* node = nullptr;
    try {
      node = find_object(file_.root(), known.path);
    } catch (const Error&) {
      node = nullptr;  // damage on the way does not matter for the object
    }
    if (node == nullptr || &file_of(*node) != &file_ || node->is_new() != known.id.is_new ||
        node->identity() != known.id.identity)
      node = &file_.nodes().of(known.id);
    return node->removed ? nullptr : node;
  }

  void fill(Node& node, LocalPart& part, const LocalPart::Contents& contents, std::size_t number) {
    for (const LocalPart::Link& link : contents.links.of(part.links)) add(node, part, link);
    const auto attributes = contents.attributes.of(part.attributes);
    for (std::size_t i = 0; i < attributes.size(); ++i)
      add(node, attributes[i], is_mine() ? mine_.attributes[number][i] : nullptr);
  }

  // --- links -------------------------------------------------------------------------------------
  void add(Node& group, LocalPart& part, const LocalPart::Link& link) {
    using Target = LocalPart::Target;
    LocalPart::Object* object =
        link.target == Target::new_object ? &part.objects[link.object] : nullptr;
    if (LinkEntry* there = group.links().find(link.name)) {
      if (object == nullptr || !unite(group, *there, *object, link))
        conflicts_.add(created(group, *there) + ", whose object is left out");
      return;
    }
    LinkMessage message;
    Node* target = nullptr;
    switch (link.target) {
      case Target::soft:
        message.type = LinkType::soft;
        message.soft_value = file_.arena().keep(
            std::string_view(reinterpret_cast<const char*>(link.value.data()), link.value.size()));
        break;
      case Target::external:
        message.type = LinkType::external;
        message.user_data = file_.arena().keep(ByteView(link.value));
        break;
      case Target::known_object:
        target = known(link.known);
        if (target == nullptr)
          return conflicts_.add(fmt::format("{}, to which rank {} made a hard link, was removed",
                                            quoted(link.known.path), rank_));
        break;
      case Target::new_object:
        target = object->linked;
        if (target == nullptr) {
          LinkEntry& entry = add_new(group, part, link);
          entry.maker = rank_;
          entry.on_the_way = object->on_the_way;
          return;
        }
    }
    if (target != nullptr) set_reference_count(*target, reference_count(*target) + 1);
    add_link(group, link.name, message, target).maker = rank_;
  }

  /// Unites two groups of two ranks: the result has the members of both.
  bool unite(Node& group, LinkEntry& there, LocalPart::Object& object,
             const LocalPart::Link& link) {
    if (object.linked != nullptr || object.kind != ObjectKind::group ||
        there.type() != LinkType::hard)
      return false;
    Node* node = follow_link(group, there);
    if (node->kind != ObjectKind::group) return false;
    object.linked = node;
    linked_.push_back(link.object);
    merged_.add_known(*node);
    if (object.on_the_way) return true;
    if (!there.on_the_way)
      conflicts_.add(created(group, there) + "; it has the members of both");
    else
      there.maker = rank_;
    there.on_the_way = false;
    return true;
  }

  LinkEntry& add_new(Node& group, LocalPart& part, const LocalPart::Link& link) {
    LocalPart::Object& object = part.objects[link.object];
    Node* node = is_mine() ? mine_.objects[link.object] : my_group(group, link.name, object.kind);
    if (node == nullptr || !node->is_local())
      node = &file_.new_node(&group, link.name, object.kind);
    WaitingBytes data = node->waiting() != nullptr ? std::move(*node->waiting()) : WaitingBytes();
    node->set_local(nullptr);
    node->set_waiting(nullptr);
    if (!is_mine()) set_messages(*node, object.messages.of(part.messages));
    if (node->is_new()) node->set_options(object.options);
    node->parent = &group;
    LinkEntry& entry = add_link(group, link.name, {}, node);
    node->name = entry.name();
    node->edit();
    merged_.add(*node, object, part, std::move(data));
    object.linked = node;
    linked_.push_back(link.object);
    return entry;
  }

  /// Returns the group that this rank made at the same place, so that its handles stay valid.
  Node* my_group(const Node& group, std::string_view name, ObjectKind kind) const {
    const auto in_group = my_groups_.find(&group);
    if (kind != ObjectKind::group || in_group == my_groups_.end()) return nullptr;
    const auto found = in_group->second.find(name);
    return found == in_group->second.end() ? nullptr : found->second;
  }

  // --- attributes --------------------------------------------------------------------------------
  /// @param mine the attribute on this rank, if it made it
  void add(Node& node, const LocalPart::Attribute& attribute, const AttributeEntry* mine) {
    const FileContext& context = file_.store().file();
    const std::string_view name = StoredAttribute(attribute.message, {}, context, 0).name();
    if (const AttributeEntry* there = node.attributes().find(name))
      return conflicts_.add(fmt::format(
          "attribute \"{}\" of {} was created by {} and by rank {}, whose value is left out", name,
          quoted(node.path()), makers(there->maker), rank_));
    node.edit();
    // Handles refer to this rank's attribute.
    auto* entry = const_cast<AttributeEntry*>(mine);
    if (mine != nullptr)
      node.attributes().put_back(*entry);
    else
      entry = &node.attributes().add_new(
          StoredAttribute(file_.arena().keep(attribute.message), {}, context, 0));
    entry->maker = rank_;
    if (attribute.values) merged_.add(node, *entry, attribute);
  }

  // --- afterwards --------------------------------------------------------------------------------
  /// Drops objects without a place.
  void drop_what_is_left_out(const LocalPart& part) {
    for (std::size_t i = 0; i < part.objects.size(); ++i)
      if (part.objects[i].linked == nullptr) file_.local_edits().drop(*mine_.objects[i]);
    // These groups were united with groups that all ranks had made in the meantime.
    for (Node* node : mine_.objects)
      if (node->is_local()) file_.local_edits().drop(*node);
  }

  // --- texts -------------------------------------------------------------------------------------
  static std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }
  static std::string path_of(const Node& group, std::string_view name) {
    const std::string path = group.path();
    return fmt::format("\"{}{}{}\"", path, path == "/" ? "" : "/", name);
  }
  static std::string makers(int maker) {
    return maker == LinkEntry::kAllRanks ? "all ranks" : fmt::format("rank {}", maker);
  }
  [[nodiscard]] std::string created(const Node& group, const LinkEntry& there) const {
    return fmt::format("{} was created by {} and by rank {}", path_of(group, there.name()),
                       makers(there.maker), rank_);
  }

  FileState& file_;
  PackedLocalEdits mine_;
  int rank_ = 0;  ///< the rank whose part is merged
  NameConflicts conflicts_;
  /// This rank's groups with one link, by their parent group and name.
  std::unordered_map<const Node*, std::unordered_map<std::string_view, Node*>> my_groups_;
  MergedObjects merged_{file_};
  std::vector<std::size_t> linked_;  ///< the linked objects of the part
};

/// Runs `work`; its error on this rank reaches all ranks when they commit.
template <class F>
void defer(FileState& file, F&& work) {
  try {
    work();
  } catch (...) {
    lose_for_good(file, std::current_exception());
  }
}

}  // namespace

PackedLocalEdits pack_local_edits(FileState& file) {
  PackedLocalEdits mine;
  if (!file.local_edits().empty()) defer(file, [&] { mine = pack(file.local_edits()); });
  return mine;
}

std::uint64_t compact_bytes_of(const PackedLocalEdits& mine) {
  std::uint64_t bytes = 0;
  for (Node* node : mine.objects)
    if (node->local()->compact_by_default) bytes += node->dataset().compact.size();
  return bytes;
}

namespace {

/// Decides whether the small data of all ranks stays compact, or none of it, so that the result
/// does not depend on which rank made it.
void store_small_data(FileState& file, PackedLocalEdits& mine, LargestPart& parts) {
  CommunicatorBackend& comm = file.comm();
  const std::uint64_t room = room_for_compact(file);
  if (parts.compact <= room / static_cast<std::uint64_t>(comm.size())) return;
  const std::vector<std::uint64_t> all = everyones(comm, compact_bytes_of(mine));
  if (std::reduce(all.begin(), all.end()) <= room) return;
  defer(file, [&] {
    for (Node* node : mine.objects)
      if (node->local()->compact_by_default) move_apart(*node);
  });
  mine = pack_local_edits(file);
  std::uint64_t sizes[] = {mine.bytes.size(), ~std::uint64_t{mine.bytes.size()}};
  comm.all_reduce_max(sizes);
  parts.largest = sizes[0];
  parts.smallest = ~sizes[1];
}

}  // namespace

std::exception_ptr merge_local_edits(FileState& file, PackedLocalEdits mine,
                                     const LargestPart& known) {
  CommunicatorBackend& comm = file.comm();
  LargestPart parts = known;
  store_small_data(file, mine, parts);
  const auto [largest, smallest, compact] = parts;
  // Padding must not cost more than the message with the sizes, which it saves.
  constexpr std::uint64_t kFew = std::uint64_t{128} << 10U;
  const std::uint64_t padded = largest * static_cast<std::uint64_t>(comm.size());
  const bool even = padded <= kFew || (largest / 2 <= smallest && padded <= comm.kMostPadded);
  const auto gathered =
      even ? comm.all_gather_padded(mine.bytes, largest) : comm.all_gather(mine.bytes);
  std::exception_ptr conflict;
  defer(file, [&] {
    conflict = MergingEdits(file, std::move(mine)).run(gathered);
    heap_of(file).finish();
  });
  file.changes().dirty = true;
  return conflict;
}

void write_merged_data(FileState& file) {
  auto& unwritten = file.local_edits().unwritten;
  for (; !unwritten.empty(); unwritten.pop_back()) {
    const auto& [address, data] = unwritten.back();
    for (const auto& [start, end] : data.written())
      data.for_each_piece(start, end - start,
                          [&](std::uint64_t offset, std::span<const std::byte> bytes) {
                            write_raw(file, address + offset, bytes);
                          });
  }
}

}  // namespace onecast::independent
