#include "onecast/objects/object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/make_error.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/object_messages.hpp"
#include "format/objects/shared_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/codec/object_times.hpp"
#include "objects/codec/strings.hpp"
#include "objects/files/committed_types.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/handles/attribute_name.hpp"
#include "objects/lifetime/release.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/memory/ordered.hpp"
#include "objects/memory/packer.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/store_values.hpp"
#include "onecast/objects/variable_values.hpp"
#include "types/gaps.hpp"

namespace onecast {

using namespace handles;

ObjectKind Object::kind() const { return node_.now()->kind; }

std::string Object::path() const { return node_.even_closed().path(); }

bool Object::in_file_of(const Object& other) const {
  return &file_of(*node_.now()) == &file_of(*other.node_.now());
}

File Object::file() const {
  if (FileOpening* opening = node_.opening()) return File(opening->handle());
  const auto file = file_of(*node_.now()).shared_from_this();
  return File(FileOpening::through_link(file, file->access())->handle());
}

std::optional<std::string_view> Object::comment() const {
  const FileState& file = file_of(*node_);
  file.require_open();
  const HeaderMessage* m = node_->header.find(MessageType::comment);
  if (m == nullptr) return std::nullopt;
  return decode<CommentMessage>(m->data, m->address, file.store().file()).comment;
}

bool Object::tracks_times() const {
  file_of(*node_).require_open();
  return times_of(node_->header, file_of(*node_).store().file()).has_value();
}

std::optional<ObjectTimes> Object::times() const {
  file_of(*node_).require_open();
  const std::optional<ObjectTimes> found = times_of(node_->header, file_of(*node_).store().file());
  return found && found->change != 0 ? found : std::nullopt;
}

std::optional<std::int64_t> Object::modification_time() const {
  const std::optional<ObjectTimes> found = times();
  return found ? std::optional(found->change) : std::nullopt;
}

std::vector<Attribute> Object::attributes(Order order) const {
  Node& node = *node_;
  file_of(node).require_open();
  const AttributeTable& stored = node.attributes();
  if (order == Order::stored && stored.entries().empty()) return {};
  const bool is_created_order =
      stored.by_creation_order || (nodes::is_by_creation(order) && !stored.stored().is_defined());
  std::vector<Attribute> found;
  found.reserve(stored.entries().size());
  const auto take = [&](const auto& entries) {
    for (const AttributeEntry* a : entries) found.emplace_back(node_, *a);
  };
  const auto take_sorted = [&](auto by) {
    std::vector<const AttributeEntry*> entries(stored.entries().begin(), stored.entries().end());
    std::ranges::sort(entries, {}, by);
    take(entries);
  };
  if (is_created_order && !stored.by_creation_order)
    take_sorted(&AttributeEntry::creation_order);
  else if (!stored.is_sorted())
    take_sorted(&AttributeEntry::name);
  else
    take(stored.entries());
  put_in_order(found, order, is_created_order, node,
               [](const Attribute& attribute) { return attribute.name(); });
  return found;
}

std::size_t Object::attribute_count() const {
  file_of(*node_).require_open();
  return node_->attributes().entries().size();
}

std::optional<Attribute> Object::nth_attribute(std::size_t n, Order order) const {
  Node& node = *node_;
  file_of(node).require_open();
  const AttributeTable& stored = node.attributes();
  memory::require_tracked(order, stored.by_creation_order || !stored.stored().is_defined(), node);
  if (n >= stored.entries().size()) return std::nullopt;
  std::vector<const AttributeEntry*> all(stored.entries().begin(), stored.entries().end());
  const bool by_name =
      memory::is_by_name(order) || (order == Order::stored && !stored.by_creation_order);
  const bool is_sorted = by_name != stored.by_creation_order && stored.is_sorted();
  const auto key = [&](const AttributeEntry* a) {
    return std::pair(by_name ? 0U : a->creation_order(), by_name ? a->name() : std::string_view());
  };
  return Attribute(node_, *memory::nth_in_order(std::move(all), n, memory::is_descending(order),
                                                is_sorted ? nullptr : &key));
}

bool Object::tracks_attribute_order() const {
  file_of(*node_).require_open();
  return node_->attributes().by_creation_order;
}

std::optional<Attribute> Object::find_attribute(std::string_view name) const {
  Node& node = *node_;
  file_of(node).require_open();
  if (const AttributeEntry* a = node.attributes().find(name)) return Attribute(node_, *a);
  return std::nullopt;
}

Attribute Object::attribute(std::string_view name) const {
  if (auto found = find_attribute(name)) return *found;
  throw not_found_error("{}: no such attribute", node_->where(name));
}

namespace {

/// Throws if the creation order is used up: "Maximum Creation Index" has 16 bits.
void require_creation_order(Node& node, std::string_view name) {
  if (node.header.prefix.has_message_creation_order() &&
      node.attributes().next_creation_order >= UINT16_MAX &&
      node.attributes().find(name) == nullptr)
    throw unsupported_error(
        "{}: not supported: an object that tracks the order of attributes has "
        "had 65535 of them",
        node.where(name));
}

void require_valid(Node& node, std::string_view name, const Datatype& type, const Dataspace& space,
                   std::span<const std::byte> bytes) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, what);
  };
  if (space.rank() > kMaxRank) refuse(fmt::format("{}: at most 32 dimensions", node.where(name)));
  const std::uint64_t count = space.element_count();
  if (count > bytes.size() || count * type.size() != bytes.size())
    refuse(fmt::format("{}: {} elements of {} bytes expected, {} bytes given", node.where(name),
                       count, type.size(), bytes.size()));
}

/// One call of set_attribute, in the order of its steps.
class AttributeSetter {
 public:
  /// @param bytes valid elements, without gaps
  /// @param committed the object whose type it is; or null
  AttributeSetter(Node& node, std::string_view name, const Datatype& type, Node* committed,
                  const Dataspace& space, std::span<const std::byte> bytes, const NewValues& values)
      : node_(node),
        file_(file_of(node)),
        context_(file_.store().file()),
        local_(file_.local_edits()),
        name_(name),
        type_(type),
        committed_(committed),
        bytes_(bytes),
        values_(values) {
    describe(space);
  }

  /// Throws before anything has changed.
  void check() {
    if (type_.points_elsewhere()) {
      const NamedAttribute attribute{node_, name_};
      require_storable(type_, context_, attribute);
      check_values(type_, bytes_, values_, attribute);
    }
    if (type_message_.size() > UINT16_MAX)
      throw argument_error("{}: the datatype's description exceeds 64 KiB", node_.where(name_));
    require_creation_order(node_, name_);
    if (!is_local_) return;
    const AttributeEntry* there = node_.attributes().find(name_);
    if (there != nullptr && !local_.is_local(there)) require_changeable(node_, "set_attribute");
  }

  void set() {
    if (is_local_)
      node_.own();
    else
      node_.edit();
    store_values();
    message_.data = bytes_;
    const AttributeEntry* before = entry_before();
    Node* type_before = before != nullptr ? committed_type_of(node_, *before) : nullptr;
    const std::uint32_t next_order = node_.attributes().next_creation_order;
    const AttributeEntry* now = &put(before);
    if (committed_ != nullptr) {
      now->datatype.store(&datatype_of(*committed_), std::memory_order_release);
      count_use(*committed_);
    }
    if (type_before != nullptr) unlink(*type_before);
    if (is_local_) {
      local_.add_attribute(node_, now, before);
      node_.attributes().next_creation_order = next_order;
    }
    if (packed_) local_.packed_messages[now] = std::move(*packed_);
    log(*now);
  }

 private:
  /// Makes the message except for its data.
  void describe(const Dataspace& space) {
    message_.name = name_;
    message_.character_set = character_set_of(name_);
    message_.datatype = file_.encoded(type_);
    message_.dataspace = file_.encoded(space);
    type_message_ = message_.datatype;
    if (committed_ == nullptr) return;
    message_.datatype = encode_kept(SharedMessage{}, context_, file_.arena());
    message_.flags = AttributeMessage::kDatatypeShared;
  }

  /// Puts values of variable length into a heap, and their places into the elements.
  void store_values() {
    if (!uses_heap(type_)) return;
    if (local_.is_inside()) {
      Packer packed;
      pack_values(type_, bytes_, values_, packed);
      message_.data = bytes_;
      packed_.emplace(encode_kept(message_, context_, file_.arena()), std::move(packed.out));
    }
    placed_.assign(bytes_.begin(), bytes_.end());
    values::store_values(type_, placed_, values_, context_, [&](ByteView value) {
      return packed_ ? local_.heap.put(value, context_) : heap_of(file_).put(value, true);
    });
    bytes_ = placed_;
  }

  /// Returns the attribute that is replaced. The flush reports a local attribute of the same name.
  const AttributeEntry* entry_before() {
    AttributeTable& attributes = node_.attributes();
    const AttributeEntry* entry = attributes.find(name_);
    if (entry == nullptr || local_.is_inside() || !local_.is_local(entry)) return entry;
    attributes.erase(name_);
    return nullptr;
  }

  const AttributeEntry& put(const AttributeEntry* before) {
    size_ = encoded_size(context_, message_);
    if (before == nullptr && may_be_shared()) return put_shared();
    // Since edit(), the message is not in a page.
    const bool fits = before != nullptr && !before->is_shared &&
                      before->message().size() == size_ && before->version() == message_.version;
    const ByteView encoded = fits ? before->message() : ByteView(file_.arena().allocate(size_));
    encode_over(encoded, message_, context_);
    const StoredAttribute stored(encoded, message_);
    AttributeTable& attributes = node_.attributes();
    AttributeEntry& now =
        before != nullptr ? attributes.replace(*before, stored) : attributes.add_new(stored);
    now.committed_type = committed_;
    return now;
  }

  /// Only messages that stay as they are until the flush: one of a local attribute may be merged,
  /// one of a committed type gets its address, and values that lead elsewhere get their places.
  [[nodiscard]] bool may_be_shared() const {
    return file_.comm().size() > 1 && size_ <= EqualAttributes::kMostBytes && !is_local_ &&
           committed_ == nullptr && !type_.points_elsewhere();
  }
  const AttributeEntry& put_shared() {
    std::array<std::byte, EqualAttributes::kMostBytes> room;
    const ByteView encoded = ByteView(room).first(size_);
    encode_over(encoded, message_, context_);
    AttributeTable& attributes = node_.attributes();
    const std::uint32_t order = attributes.next_creation_order;
    const AttributeEntry*& known = file_.equal_attributes().like(encoded, order);
    if (known != nullptr && known->creation_order() == order &&
        std::ranges::equal(known->message(), encoded)) {
      attributes.add_shared(*known);
      return *known;
    }
    AttributeEntry& now =
        attributes.add_new(StoredAttribute(ByteView(file_.arena().keep(encoded)), message_));
    now.is_shared = true;
    known = &now;
    return now;
  }

  void log(const AttributeEntry& now) {
    file_.log().grow(kMemoryOfNewAttribute, size_);
    file_.log().add("set attribute", node_, now.name(), [&] {
      CallArguments all;
      all[CallArguments::kType].add(type_message_);
      if (committed_ != nullptr) all[CallArguments::kType].add(committed_->identity());
      all[CallArguments::kShape].add(message_.dataspace);
      all[CallArguments::kValue].add(bytes_).add(values_.bytes());
      return all;
    });
  }

  Node& node_;
  FileState& file_;
  const FileContext& context_;
  LocalEdits& local_;
  std::string_view name_;
  const Datatype& type_;
  Node* committed_;
  std::span<const std::byte> bytes_;  ///< as given, then in stored form
  const NewValues& values_;
  bool is_local_ = changes_locally(node_);
  AttributeMessage message_;
  std::size_t size_ = 0;   ///< the size of the message
  ByteView type_message_;  ///< for a committed type, too
  std::vector<std::byte> placed_;
  std::optional<PackedMessage> packed_;
};

/// @param committed the object whose type it is; or null
void set_attribute_of(Node& node, std::string_view name, const Datatype& type, Node* committed,
                      const Dataspace& space, std::span<const std::byte> bytes,
                      const NewValues& values) {
  file_of(node).require_editable();
  require_addable(node, "set_attribute");
  require_attribute_name(node, name);
  require_valid(node, name, type, space, bytes);
  const PlainBytes plain(type, bytes);
  AttributeSetter setter(node, name, type, committed, space, plain.get(), values);
  setter.check();
  setter.set();
}

}  // namespace

void Object::refresh() { file_of(*node_).refresh(&*node_); }

void Object::set_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                           std::span<const std::byte> bytes, const NewValues& values) {
  begin_adding(node_);
  set_attribute_of(*node_, name, type, nullptr, space, bytes, values);
}

void Object::set_attribute(std::string_view name, const Object& committed_type,
                           const Dataspace& space, std::span<const std::byte> bytes,
                           const NewValues& values) {
  begin_adding(node_);
  Node& node = *node_;
  file_of(node).require_editable();
  Node& type = usable_type(committed_type, file_of(node), NamedAttribute{node, name});
  set_attribute_of(node, name, datatype_of(type), &type, space, bytes, values);
}

void Object::set_attribute(std::string_view name, std::string_view text) {
  const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
  set_attribute(name,
                Datatype::string(padded.size(), StringPadding::null_padded, CharacterSet::utf8),
                Dataspace(), std::as_bytes(std::span(padded)));
}

}  // namespace onecast
