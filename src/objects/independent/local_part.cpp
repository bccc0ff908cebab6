#include "objects/independent/local_part.hpp"

#include <algorithm>

#include "objects/memory/packer.hpp"

namespace onecast::independent {
namespace {

constexpr std::uint64_t kOnTheWay = 1;
constexpr std::uint64_t kHasData = 2;
constexpr std::uint64_t kHasFillValue = 4;
constexpr std::uint64_t kHasMoreBeside = 8;
constexpr std::uint64_t kHasGaps = 16;
constexpr std::uint64_t kLinksUntracked = 32;
constexpr std::uint64_t kAttributesTracked = 64;
constexpr std::uint64_t kTimesTracked = 128;
constexpr std::uint64_t kHasLimits = 256;

class PackingEdits {
 public:
  explicit PackingEdits(const LocalEdits& edits) : edits_(edits) {}

  PackedLocalEdits run() {
    const auto is_empty = [](const LocalEdits::Holder& h) {
      return h.links.empty() && h.attributes.empty();
    };
    const auto& holders = edits_.holders();
    out_.small(holders.size() - static_cast<std::size_t>(std::ranges::count_if(holders, is_empty)));
    for (const LocalEdits::Holder& h : holders) {
      if (is_empty(h)) continue;
      add_known(*h.node);
      out_.small(h.links.size());
      for (const LocalEdits::Link& l : h.links) add_link(l.message, l.target);
      add_attributes(h.attributes);
    }
    // More objects are found while these are packed.
    for (std::size_t i = 0; i < packed_.objects.size(); ++i) add_object(*packed_.objects[i]);
    packed_.bytes = std::move(out_.out);
    return std::move(packed_);
  }

 private:
  void add_known(const Node& node) {
    out_.small(node.is_new() ? 1 : 0);
    out_.number(node.identity());
    out_.small_text(node.path());
  }

  void add_link(const LinkMessage& message, Node* target) {
    using Target = LocalPart::Target;
    out_.small_text(message.name);
    const auto kind = [&](Target t) { out_.small(static_cast<std::uint64_t>(t)); };
    if (message.type == LinkType::soft) {
      kind(Target::soft);
      out_.small_text(message.soft_value);
    } else if (message.type != LinkType::hard) {
      kind(Target::external);
      out_.small_block(message.user_data);
    } else if (target->is_local()) {
      kind(Target::new_object);
      out_.small(number_of(*target));
    } else {
      kind(Target::known_object);
      add_known(*target);
    }
  }

  std::uint64_t number_of(Node& node) {
    std::uint64_t& number = node.local()->number;
    if (number >= packed_.objects.size() || packed_.objects[number] != &node) {
      number = packed_.objects.size();
      packed_.objects.push_back(&node);
    }
    return number;
  }

  template <class Entries>
  void add_attributes(const Entries& entries) {
    auto& order = packed_.attributes.emplace_back();
    out_.small(entries.size());
    for (const AttributeEntry* a : entries) {
      order.push_back(a);
      const auto packed = edits_.packed_messages.find(a);
      const bool has_values = packed != edits_.packed_messages.end();
      out_.small(has_values ? 1 : 0);
      out_.small_block(has_values ? packed->second.message : a->message());
      if (has_values) out_.small_block(packed->second.values);
    }
  }

  void add_object(Node& node) {
    out_.small(static_cast<std::uint64_t>(node.kind));
    const LocalObject& local = *node.local();
    const GroupOptions options = node.options();
    const bool has_limits = options.dense_attributes != DenseLimits();
    out_.small((options.link_order ? 0 : kLinksUntracked) |
               (options.attribute_order ? kAttributesTracked : 0) |
               (options.times ? kTimesTracked : 0) | (has_limits ? kHasLimits : 0) |
               (local.on_the_way ? kOnTheWay : 0) | (node.waiting() != nullptr ? kHasData : 0) |
               (local.fill_value ? kHasFillValue : 0) |
               (local.beside.empty() ? 0 : kHasMoreBeside) |
               (node.waiting() == nullptr || node.waiting()->is_whole() ? 0 : kHasGaps));
    if (has_limits) {
      out_.small(options.dense_attributes.max_compact);
      out_.small(options.dense_attributes.min_dense);
    }
    if (local.fill_value) out_.small_block(local.fill_value->values);
    if (!local.beside.empty()) out_.small_block(local.beside);
    out_.small(node.header.messages.size());
    for (const HeaderMessage& m : node.header.messages) {
      out_.small(static_cast<std::uint64_t>(m.type));
      out_.small(m.flags);
      const bool packed = m.type == MessageType::fill_value && local.fill_value;
      out_.small_block(packed ? local.fill_value->message : m.data);
    }
    const LinkTable* links = node.kind == ObjectKind::group ? &node.links() : nullptr;
    out_.small(links == nullptr ? 0 : links->live);
    if (links != nullptr)
      for (const LinkEntry& e : links->entries)
        if (!e.removed) add_link(e.message(), e.node);
    add_attributes(node.attributes().entries());
  }

  const LocalEdits& edits_;
  Packer out_;
  PackedLocalEdits packed_;
};

LocalPart::Known unpack_known(Unpacker& u) {
  LocalPart::Known known;
  known.id.is_new = u.small() != 0;
  known.id.identity = u.number();
  known.path = u.small_text();
  return known;
}

/// Calls each(new item) for the announced number of items and returns their range.
template <class T, class F>
LocalPart::Range unpack_range(Unpacker& u, std::vector<T>& all, F&& each) {
  const LocalPart::Range range{all.size(), static_cast<std::size_t>(u.small())};
  for (std::size_t i = 0; i < range.count; ++i) each(all.emplace_back());
  return range;
}

LocalPart::Contents unpack_contents(Unpacker& u, LocalPart& part) {
  using Target = LocalPart::Target;
  LocalPart::Contents contents;
  contents.links = unpack_range(u, part.links, [&](LocalPart::Link& l) {
    l.name = u.small_text();
    l.target = static_cast<Target>(u.small());
    if (l.target == Target::new_object)
      l.object = static_cast<std::size_t>(u.small());
    else if (l.target == Target::known_object)
      l.known = unpack_known(u);
    else
      l.value = u.small_block();
  });
  contents.attributes = unpack_range(u, part.attributes, [&](LocalPart::Attribute& a) {
    const bool has_values = u.small() != 0;
    a.message = u.small_block();
    if (has_values) a.values = u.small_block();
  });
  return contents;
}

}  // namespace

PackedLocalEdits pack(const LocalEdits& edits) { return PackingEdits(edits).run(); }

LocalPart unpack_local_part(std::span<const std::byte> bytes) {
  LocalPart part;
  Unpacker u(bytes);
  if (u.at_end()) return part;
  part.holders.resize(static_cast<std::size_t>(u.small()));
  for (LocalPart::Holder& h : part.holders) {
    h.node = unpack_known(u);
    h.contents = unpack_contents(u, part);
  }
  while (!u.at_end()) {
    LocalPart::Object& o = part.objects.emplace_back();
    o.kind = static_cast<ObjectKind>(u.small());
    const std::uint64_t flags = u.small();
    o.on_the_way = (flags & kOnTheWay) != 0;
    o.has_data = (flags & kHasData) != 0;
    o.has_gaps = (flags & kHasGaps) != 0;
    o.options = {.link_order = (flags & kLinksUntracked) == 0,
                 .attribute_order = (flags & kAttributesTracked) != 0,
                 .times = (flags & kTimesTracked) != 0};
    if ((flags & kHasLimits) != 0) {
      o.options.dense_attributes.max_compact = static_cast<unsigned>(u.small());
      o.options.dense_attributes.min_dense = static_cast<unsigned>(u.small());
    }
    if ((flags & kHasFillValue) != 0) o.fill_value = u.small_block();
    if ((flags & kHasMoreBeside) != 0) o.beside = u.small_block();
    o.messages = unpack_range(u, part.messages, [&](LocalPart::Message& m) {
      m.type = static_cast<MessageType>(u.small());
      m.flags = static_cast<std::uint8_t>(u.small());
      m.data = u.small_block();
    });
    o.contents = unpack_contents(u, part);
  }
  return part;
}

}  // namespace onecast::independent
