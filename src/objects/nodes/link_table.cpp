#include "objects/nodes/link_table.hpp"

#include <ranges>

#include "structures/link_lookup.hpp"

namespace onecast::nodes {

auto LinkTable::name_at() const {
  return [this](std::size_t i) {
    return entries[i].removed ? std::nullopt : std::optional(entries[i].message.name);
  };
}

LinkEntry* LinkTable::find(std::string_view name) {
  const auto all = std::views::iota(std::size_t{0}, entries.size());
  const auto found = index_.find(arena_, name, all, name_at());
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

LinkEntry& LinkTable::note(const LinkMessage& message) {
  LinkEntry& entry = entries.emplace_back(message);
  entry.is_stored = true;
  index_.add(message.name, entries.size() - 1);
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
  index_.remove(entry.message.name, name_at());
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

LinkMessage AskedLinks::kept(const LinkMessage& message) const {
  if (!keeps_) return message;
  LinkMessage copy = message;
  copy.name = arena_.keep(message.name);
  copy.soft_value = arena_.keep(message.soft_value);
  copy.user_data = arena_.keep(message.user_data);
  return copy;
}

std::optional<LinkEntry*> AskedLinks::find(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  if (LinkEntry* known = table_.find(name)) return known;
  for (; gone_seen_ < table_.missed().size(); ++gone_seen_)
    gone_.insert(table_.missed()[gone_seen_]->message.name);
  if (gone_.contains(name)) return nullptr;
  if (lookups_left_ == 0) return std::nullopt;
  --lookups_left_;
  if (!lookup_) lookup_ = std::make_unique<LinkLookup>(*source_, info_);
  const auto found = lookup_->find(name);
  return found ? &table_.note(kept(*found)) : nullptr;
}

void AskedLinks::add_changes_to(LinkTable& all) {
  const std::scoped_lock lock(mutex_);
  for (const LinkEntry* e : table_.missed())
    if (LinkEntry* there = all.find(e->message.name)) all.remove(*there);
  table_.for_each_added([&](const LinkEntry& e) {
    if (e.removed) return;
    LinkEntry& entry = all.add(e.message, e.node);
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
