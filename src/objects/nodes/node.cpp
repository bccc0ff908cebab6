#include "objects/nodes/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "format/objects/attribute_info_message.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/group_messages.hpp"
#include "objects/codec/object_times.hpp"
#include "objects/nodes/open_file.hpp"
#include "objects/nodes/writable_header.hpp"
#include "onecast/base/error.hpp"
#include "structures/link_lookup.hpp"

namespace onecast::nodes {

Node::Node(OpenFile& home, Generation* of, Node* parent_group, std::string_view link_name,
           ObjectHeader&& stored, Address stored_at, ObjectKind object_kind)
    : parent(parent_group),
      name(link_name),
      address(stored_at),
      header(std::move(stored)),
      kind(object_kind),
      home_(home),
      generation_(of) {}

Node::~Node() = default;

Layout layout_of(const DataLayoutMessage& message) {
  static_assert(static_cast<int>(LayoutClass::compact) == static_cast<int>(Layout::compact));
  static_assert(static_cast<int>(LayoutClass::virtual_dataset) ==
                static_cast<int>(Layout::virtual_dataset));
  return static_cast<Layout>(message.layout_class);
}

namespace {

/// The order of links: by creation if that is tracked, else by name.
struct LinkOrder {
  bool by_creation;

  bool operator()(const LinkEntry& a, const LinkEntry& b) const {
    if (by_creation && a.creation_order() != b.creation_order())
      return a.creation_order() < b.creation_order();
    return a.name() < b.name();
  }
};

/// Sorts the links of a table in which nobody has looked for a name yet.
void sort(LinkTable& table, const LinkOrder& before) {
  if (std::ranges::is_sorted(table.entries, before)) return;
  std::vector<LinkEntry> sorted(table.entries.begin(), table.entries.end());
  std::sort(sorted.begin(), sorted.end(), before);
  std::copy(sorted.begin(), sorted.end(), table.entries.begin());
}

}  // namespace

std::string Node::path() const {
  // Groups may be nested more deeply than function calls may.
  std::vector<std::string_view> names;
  const Node* top = this;
  for (; top->parent != nullptr; top = top->parent) names.push_back(top->name);
  if (top != &home_.root()) return {};
  if (names.empty()) return "/";
  std::string path;
  for (auto part = names.rbegin(); part != names.rend(); ++part) path.append("/").append(*part);
  return path;
}

std::string Node::where() const {
  const std::string reached = path();
  return fmt::format("{}: {}", home_.path(), reached.empty() ? "an anonymous object" : reached);
}

std::string Node::where(std::string_view attribute) const {
  return fmt::format("{}: attribute \"{}\"", where(), attribute);
}

void Node::throw_other_kind(ObjectKind wanted) const {
  constexpr const char* kNames[] = {"a group", "a dataset", "a committed datatype"};
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{}: is {}, not {}", where(), kNames[static_cast<int>(kind)],
                          kNames[static_cast<int>(wanted)]));
}

void Node::set_options(const GroupOptions& options) {
  if (kind == ObjectKind::group) links().creation_order_tracked = options.link_order;
  if (options.attribute_order)
    header.prefix.flags |=
        header_flag::kAttributeOrderTracked | header_flag::kAttributeOrderIndexed;
  if (options.times) header.prefix.flags |= header_flag::kTimes;
  if (const DenseLimits& limits = options.dense_attributes; limits != DenseLimits()) {
    header.prefix.flags |= header_flag::kAttributePhaseChange;
    header.prefix.max_compact_attributes = static_cast<std::uint16_t>(limits.max_compact);
    header.prefix.min_dense_attributes = static_cast<std::uint16_t>(limits.min_dense);
  }
}

GroupOptions Node::options() {
  const FileContext& file = home_.store().file();
  GroupOptions found;
  found.link_order = kind != ObjectKind::group || changing_links().creation_order_tracked;
  found.attribute_order = tracks_attribute_order();
  found.times = times_of(header, file).has_value();
  found.dense_attributes = {header.prefix.max_compact_attributes,
                            header.prefix.min_dense_attributes};
  if (const HeaderMessage* m = header.find(MessageType::group_info)) {
    const auto info = decode<GroupInfoMessage>(m->data, m->address, file);
    if ((info.flags & GroupInfoMessage::kHasPhaseChange) != 0)
      found.dense_links = {info.max_compact_links, info.min_dense_links};
  }
  return found;
}

void Node::require_known_to_all(const char* call) const {
  if (is_local())
    throw Error(ErrorCode::state,
                fmt::format("{}: {}: collective, but only this rank knows the dataset before the "
                            "next flush: it was created inside independent()",
                            where(), call));
}

void Node::throw_gone() const {
  throw Error(ErrorCode::state, fmt::format("{}: was removed from the file", where()));
}

LinkTable& Node::load_links() {
  return links_.get([&] {
    require_kind(ObjectKind::group);
    return home_.store().read_soundly([&] { return read_links(); });
  });
}

Kept<LinkTable> Node::read_links() {
  auto table = arena().make<LinkTable>(arena());
  if (is_new()) {
    table->creation_order_tracked = true;
    return table;
  }
  const bool own = home_.forgets();
  const std::size_t in_header = header.count(MessageType::link);
  table->entries.reserve(in_header);
  std::vector<LinkEntry> beside;  // others, whose number is not known before
  // Pass it by std::ref below: a copy of it would take memory.
  const auto add = [&](const LinkMessage& link) {
    home_.structures().count(link.name.size() + link.soft_value.size() + link.user_data.size(),
                             address, LinkMessage::kTitle);
    // The file may forget the pages, or change them: names must not lie in them.
    const LinkEntry entry(own ? kept(link, home_.arena()) : link);
    if (table->entries.size() < in_header)
      table->note(entry);
    else
      beside.push_back(entry);
  };
  LinksInfo info;
  AskedLinks* asked = asked_links_.get();
  if (asked != nullptr && asked->can_change()) {
    // The header's information about the links may be gone.
    const LinkTable& known = asked->table();
    info = {known.creation_order_tracked, known.next_creation_order, known.stored()};
    read_dense_links(home_.structures(), info.dense, std::ref(add));
  } else {
    info = structures::read_links(home_.structures(), header, std::ref(add));
  }
  table->creation_order_tracked = info.creation_order_tracked;
  table->next_creation_order = info.next_creation_order;
  table->set_stored(info.dense);
  const LinkOrder order{info.creation_order_tracked};
  std::sort(beside.begin(), beside.end(), order);
  table->entries.reserve(beside.size());
  for (const LinkEntry& link : beside) table->note(link);
  sort(*table, order);
  table->live = table->entries.size();
  if (asked != nullptr && asked->can_change()) asked->add_changes_to(*table);
  constexpr std::size_t kMany = 64;
  if (table->live >= kMany) home_.expect_nodes(table->live);
  return table;
}

AskedLinks* Node::asked_links() {
  if (AskedLinks* known = asked_links_.get()) return known;
  if (kind != ObjectKind::group || is_new()) return nullptr;
  auto lookup = LinkLookup::of(home_.store(), header);
  if (!lookup || lookup->count() < AskedLinks::kLeastLinks) return nullptr;
  const bool keeps = home_.forgets();
  return &asked_links_.get([&] {
    return arena().make<AskedLinks>(arena(), home_.store(),
                                    std::make_unique<LinkLookup>(std::move(*lookup)), keeps);
  });
}

LinkEntry* Node::find_link(std::string_view wanted) {
  require_there();
  if (LinkTable* all = links_.get()) return all->find(wanted);
  if (AskedLinks* asked = asked_links())
    if (const auto found = asked->find(wanted)) return *found;
  return links().find(wanted);
}

LinkTable& Node::changing_links() {
  require_there();
  if (LinkTable* all = links_.get()) return *all;
  if (AskedLinks* asked = asked_links(); asked != nullptr && asked->can_change())
    return asked->table();
  return links();
}

LinkTable* Node::loaded_links() const {
  if (LinkTable* all = links_.get()) return all;
  AskedLinks* asked = asked_links_.get();
  return asked == nullptr ? nullptr : &asked->table();
}

void Node::note_links_place(const DensePlace& place) {
  if (LinkTable* all = links_.get())
    all->note_place(place);
  else if (AskedLinks* asked = asked_links_.get())
    asked->note_place(place);
}

AttributeTable& Node::load_attributes() {
  return attributes_.get(
      [&] { return home_.store().read_soundly([&] { return read_attributes(); }); });
}

Kept<AttributeTable> Node::read_attributes() {
  auto table = arena().make<AttributeTable>(arena());
  table->by_creation_order = tracks_attribute_order();
  const std::size_t in_header = header.count(MessageType::attribute);
  const HeaderMessage* info_message = header.find(MessageType::attribute_info);
  if (is_new() || (in_header == 0 && info_message == nullptr)) return table;
  const bool own = home_.forgets();
  table->reserve(in_header);
  const auto add = [&](const StoredAttribute& a) {
    home_.structures().count(a.message().size(), a.address(), AttributeMessage::kTitle);
    // As for links, attributes must not lie in pages.
    const AttributeEntry& added = own ? table->add({arena().keep(a.message()), a.address(),
                                                    home_.store().file(), a.creation_order()})
                                      : table->add(a);
    added.is_stored = true;
  };
  table->by_creation_order =
      for_each_attribute(home_.structures(), home_.shared(), header, std::ref(add));
  if (!table->by_creation_order) table->sort_by_name();
  for (const AttributeEntry* a : table->entries())
    table->next_creation_order = std::max(table->next_creation_order, a->creation_order() + 1);
  if (info_message != nullptr) {
    const auto info = decode<AttributeInfoMessage>(info_message->data, info_message->address,
                                                   home_.store().file());
    table->next_creation_order =
        std::max<std::uint32_t>(table->next_creation_order, info.maximum_creation_index);
    table->set_stored({info.fractal_heap, info.name_btree, info.creation_order_btree});
  }
  return table;
}

const DatasetInfo& Node::dataset() {
  require_there();
  return dataset_.get([&] {
    home_.require_open();  // decoding may read from the file
    require_kind(ObjectKind::dataset);
    auto found = home_.store().read_soundly([&] { return home_.rooms().read_dataset(*this); });
    datatype_.store(&found->type, std::memory_order_release);
    if (found->layout != Layout::virtual_dataset)
      dataspace_.store(&found->space, std::memory_order_release);
    return found;
  });
}

DatasetInfo* Node::change_space(Dataspace space) {
  std::unique_ptr<Dataspace>& resized = rare_.change().resized;
  if (resized) {
    *resized = std::move(space);
    return dataset_.get();
  }
  resized = std::make_unique<Dataspace>(std::move(space));
  dataspace_ = resized.get();
  forget_dataset();
  return nullptr;
}

const Datatype& Node::datatype() {
  if (const Datatype* known = known_datatype()) return *known;
  return dataset().type;
}

Layout Node::layout() {
  require_there();
  if (const DatasetInfo* known = dataset_.get()) return known->layout;
  const HeaderMessage* m = header.find(MessageType::data_layout);
  if (m == nullptr) return dataset().layout;  // it reports what is missing
  home_.require_open();
  return layout_of(decode<DataLayoutMessage>(m->data, m->address, home_.store().file()));
}

void Node::look_ahead() noexcept {
  if (kind != ObjectKind::dataset || gone || known_datatype() != nullptr) return;
  try {
    const HeaderMessage* type = header.find(MessageType::datatype);
    // The shape of a virtual dataset depends on its sources.
    if (type == nullptr || layout() == Layout::virtual_dataset) return;
    static_cast<void>(dataspace());
    datatype_.store(&home_.datatype(*type), std::memory_order_release);
  } catch (const std::exception&) {
    return;  // The next lookup throws the error.
  }
}

const Dataspace& Node::dataspace() {
  if (const Dataspace* known = known_dataspace()) return *known;
  if (const DatasetInfo* known = dataset_.get()) return known->space;
  require_there();
  home_.require_open();
  require_kind(ObjectKind::dataset);
  const HeaderMessage* space = header.find(MessageType::dataspace);
  // dataset() reports what is missing; it also finds the shape of a virtual dataset, which depends
  // on its sources.
  if (changed_space() != nullptr || space == nullptr || layout() == Layout::virtual_dataset)
    return dataset().space;
  const Dataspace& found = home_.dataspace(*space);
  dataspace_.store(&found, std::memory_order_release);
  return found;
}

/// Keeps what was decoded of a virtual dataset, whose shape depends on its prefixes.
void Node::decode_virtual_anew() {
  const DatasetInfo* known = dataset_.get();
  if (known != nullptr && known->layout == Layout::virtual_dataset)
    rare_.change().decoded_before.push_back(dataset_.take());
}

std::shared_ptr<const void> Node::set_prefixes(FilePrefixes given) {
  std::unique_ptr<GivenPrefixes>& prefixes = rare_.change().prefixes;
  if (!prefixes) prefixes = std::make_unique<GivenPrefixes>();
  if (prefixes->now() != given) decode_virtual_anew();
  return prefixes->set(std::move(given));
}

std::shared_ptr<const void> Node::hold_prefixes(std::shared_ptr<const void> keeps) {
  using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  bool ended = false;
  auto token = prefixes()->hold(ended);
  if (token) return std::make_shared<const Both>(std::move(keeps), std::move(token));
  if (ended) decode_virtual_anew();
  return keeps;
}

void Node::forget() {
  name = home_.arena().keep(name);
  links_.reset();
  asked_links_.reset();
  attributes_.reset();
  forget_dataset();
  written.reset();
  set_committed_type(nullptr);
  edited_ = false;
  std::destroy_at(&header.messages);
  std::construct_at(&header.messages, home_.arena().memory());
  forgotten_.store(true, std::memory_order_release);
}

std::unique_ptr<Dataspace> Node::give_up_changes() {
  dirty = false;
  written.reset();
  set_waiting(nullptr);
  set_local(nullptr);
  if (changed_space() != nullptr) dataspace_ = nullptr;
  if (is_new() && this != &home_.root()) {
    removed = true;
    be_gone();
  }
  return rare_.is_set() ? std::move(rare_.change().resized) : nullptr;
}

void Node::recall(ObjectHeader stored) {
  std::destroy_at(&header);
  std::construct_at(&header, std::move(stored));
  forgotten_.store(false, std::memory_order_release);
}

void Node::edit() {
  own();
  home_.note_dirty(*this);
}

void Node::own() {
  require_there();
  home_.require_editable();
  if (edited_) return;
  if (!is_new()) {
    attributes();
    if (kind == ObjectKind::group) changing_links();
    make_writable(header, [this] { return where(); }, home_.store().file(), home_.arena());
    forget_dataset();
  }
  edited_ = true;
}

}  // namespace onecast::nodes
