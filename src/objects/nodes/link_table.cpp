#include "objects/nodes/link_table.hpp"

#include <new>
#include <ranges>

#include "structures/link_lookup.hpp"

namespace onecast::nodes {

namespace {

/// Returns the size of a text or a value, of which no file has one that is too large.
std::uint32_t short_size(std::size_t size) {
  if (size > UINT32_MAX) throw std::bad_alloc();
  return static_cast<std::uint32_t>(size);
}

}  // namespace

LinkEntry::LinkEntry(const LinkMessage& message, nodes::Node* target)
    : node(target),
      is_utf8_(message.character_set == CharacterSet::utf8),
      type_(message.type),
      flags_(message.flags),
      name_(message.name.data()),
      creation_order_(message.creation_order),
      name_size_(short_size(message.name.size())) {
  if (type_ == LinkType::hard) {
    address_ = message.object_header;
    return;
  }
  const ByteView value =
      type_ == LinkType::soft ? std::as_bytes(std::span(message.soft_value)) : message.user_data;
  value_ = value.data();
  value_size_ = short_size(value.size());
}

LinkMessage kept(const LinkMessage& message, Arena& arena) {
  LinkMessage copy = message;
  copy.name = arena.keep(message.name);
  copy.soft_value = arena.keep(message.soft_value);
  copy.user_data = arena.keep(message.user_data);
  return copy;
}

auto LinkTable::name_at() const {
  return [this](std::size_t i) {
    return entries[i].removed ? std::nullopt : std::optional(entries[i].name());
  };
}

LinkEntry* LinkTable::find(std::string_view name) {
  const auto all = std::views::iota(std::size_t{0}, entries.size());
  const auto found = index_.find(entries.arena(), name, all, name_at());
  return found ? &entries[*found] : nullptr;
}

LinkEntry& LinkTable::add(const LinkMessage& message, nodes::Node* node) {
  LinkEntry& entry = entries.emplace_back(message, node);
  ++live;
  ++next_creation_order;
  index_.add(message.name, entries.size() - 1);
  if (added_++ == 0) first_added_ = entries.size() - 1;
  return entry;
}

LinkEntry& LinkTable::add_local(const LinkMessage& message, nodes::Node* node) {
  LinkEntry& entry = add(message, node);
  --next_creation_order;
  entry.is_local = true;
  return entry;
}

LinkEntry& LinkTable::note(const LinkEntry& link) {
  LinkEntry& entry = entries.emplace_back(link);
  entry.is_stored = true;
  index_.add(entry.name(), entries.size() - 1);
  return entry;
}

void LinkTable::remove_local() {
  for (LinkEntry& e : entries)
    if (e.is_local && !e.removed) remove(e);
}

void LinkTable::clear() {
  entries.clear();
  index_.reset();
  live = 0;
  next_creation_order = 0;
  added_ = 0;
  first_added_ = 0;
  if (rare_.is_set()) rare_.change().missed.clear();
}

void LinkTable::remove(LinkEntry& entry) {
  index_.remove(entry.name(), name_at());
  entry.removed = true;
  --live;
  if (entry.is_stored) rare_.change().missed.push_back(&entry);
}

void LinkTable::note_place(const DensePlace& place) {
  for_each_added([](LinkEntry& e) { e.is_stored = !e.removed && !e.is_local; });
  added_ = 0;
  first_added_ = entries.size();
  rare_.reset();
  set_stored(place);
}

namespace {

/// A single lookup costs about as much as reading this many links in sequence.
constexpr std::uint64_t kCostOfOne = 16;

}  // namespace

AskedLinks::AskedLinks(Arena& arena, MetadataSource& source, std::unique_ptr<LinkLookup> lookup,
                       bool keeps)
    : arena_(arena),
      source_(&source),
      lookup_(std::move(lookup)),
      info_(lookup_->info()),
      table_(arena),
      lookups_left_(kCostOfOne + lookup_->count() / kCostOfOne),
      keeps_(keeps) {
  table_.live = static_cast<std::size_t>(lookup_->count());
  table_.creation_order_tracked = info_.creation_order_tracked;
  table_.next_creation_order = info_.next_creation_order;
  table_.set_stored(info_.dense);
}

AskedLinks::~AskedLinks() = default;

std::optional<LinkEntry*> AskedLinks::find(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  if (LinkEntry* known = table_.find(name)) return known;
  for (; gone_seen_ < table_.missed().size(); ++gone_seen_)
    gone_.insert(table_.missed()[gone_seen_]->name());
  if (gone_.contains(name)) return nullptr;
  if (lookups_left_ == 0) return std::nullopt;
  --lookups_left_;
  if (!lookup_) lookup_ = std::make_unique<LinkLookup>(*source_, info_);
  const auto found = lookup_->find(name);
  return found ? &table_.note(LinkEntry(keeps_ ? kept(*found, arena_) : *found)) : nullptr;
}

void AskedLinks::add_changes_to(LinkTable& all) {
  const std::scoped_lock lock(mutex_);
  for (const LinkEntry* e : table_.missed())
    if (LinkEntry* there = all.find(e->name())) all.remove(*there);
  table_.for_each_added([&](const LinkEntry& e) {
    if (e.removed) return;
    LinkEntry& entry = all.add(e.message(), e.node);
    entry.on_the_way = e.on_the_way;
    entry.maker = e.maker;
  });
  all.next_creation_order = table_.next_creation_order;
}

void AskedLinks::note_place(const DensePlace& place) {
  table_.note_place(place);
  info_.dense = place;
  lookup_.reset();
  gone_.clear();
  gone_seen_ = 0;
}

}  // namespace onecast::nodes
