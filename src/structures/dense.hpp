#pragma once

#include <optional>
#include <string_view>

#include "base/namespaces.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/link_message.hpp"
#include "structures/heaps/fractal_heap.hpp"
#include "structures/shared_messages.hpp"

namespace onecast::structures {

struct DenseLinkRecords {
  using Message = LinkMessage;
  using NameRecord = LinkNameRecord;
  using CreationOrderRecord = LinkCreationOrderRecord;
};

struct DenseAttributeRecords {
  using Message = AttributeMessage;
  using NameRecord = AttributeNameRecord;
  using CreationOrderRecord = AttributeCreationOrderRecord;
};

/// Reads dense storage of links or attributes: messages in a fractal heap, found through B-trees by
/// the hash of their name and, if it is indexed, by creation order. The messages stay encoded.
template <class Records>
class Dense {
 public:
  using NameRecord = typename Records::NameRecord;
  using CreationOrderRecord = typename Records::CreationOrderRecord;

  /// The three addresses come from a Link Info or Attribute Info message. Attributes may lie in the
  /// heap of `shared` messages; null: such attributes are refused.
  Dense(MetadataSource& source, Address heap, Address name_index, Address creation_order_index,
        SharedMessages* shared = nullptr)
      : source_(&source),
        shared_(shared),
        heap_(source, heap),
        names_(source, name_index, NameRecord::kType, NameRecord::kSize) {
    if (creation_order_index.is_defined())
      creation_orders_.emplace(source, creation_order_index, CreationOrderRecord::kType,
                               CreationOrderRecord::kSize);
  }

  [[nodiscard]] std::uint64_t count() const { return names_.header().total_record_count; }

  /// Calls `each(ByteView message)` in the order of the name index: by the hash of the name.
  template <class F>
  void for_each_by_hash(F&& each) {
    for_each_record([&](const NameRecord& record) { each(message(record)); });
  }

  /// Calls `each(const NameRecord&)` in the order of the name index.
  template <class F>
  void for_each_record(F&& each) {
    names_.for_each([&](ByteView record) { each(decode_record<NameRecord>(record, names_)); });
  }

  template <class R>
  ByteView message(const R& record) {
    constexpr unsigned kShared = 0x02;
    if constexpr (requires { record.message_flags; }) {
      if ((record.message_flags & kShared) != 0) {
        if (shared_ != nullptr) return shared_->in_heap(MessageType::attribute, record.heap_id);
        ByteReader({}, names_.address(), source_->file(), R::kTitle)
            .refuse("Message Flags", "an attribute in the heap of shared messages");
      }
    }
    return heap_.object(record.heap_id);
  }

  /// Calls `each(const CreationOrderRecord&)` in ascending creation order. Returns false if that is
  /// not indexed.
  template <class F>
  bool for_each_creation_order_record(F&& each) {
    if (!creation_orders_) return false;
    creation_orders_->for_each([&](ByteView record) {
      each(decode_record<CreationOrderRecord>(record, *creation_orders_));
    });
    return true;
  }

  /// Calls `each(ByteView message)` in ascending creation order. Returns false if that is not
  /// indexed.
  template <class F>
  bool for_each_by_creation_order(F&& each) {
    return for_each_creation_order_record(
        [&](const CreationOrderRecord& record) { each(message(record)); });
  }

  /// Calls `each(Address, size)` for all space that the heap and the indexes take in the file.
  template <class F>
  void for_each_block(F&& each) {
    for_each_heap_block(each);
    for_each_index_block(each);
  }
  template <class F>
  void for_each_heap_block(F&& each) {
    heap_.for_each_block(each);
  }
  template <class F>
  void for_each_index_block(F&& each) {
    const auto of_index = [&](const BTreeV2& index) {
      each(index.address(), BTreeV2Header::size(source_->file()));
      index.for_each_node(each);
    };
    of_index(names_);
    if (creation_orders_) of_index(*creation_orders_);
  }

  /// The message with this name.
  std::optional<ByteView> find(std::string_view name) {
    const std::uint32_t hash = lookup3(std::as_bytes(std::span(name)));
    std::optional<ByteView> found;
    names_.find([&](ByteView bytes) {
      const auto record = decode_record<NameRecord>(bytes, names_);
      if (record.name_hash != hash) return record.name_hash < hash ? -1 : 1;
      const ByteView candidate = message(record);
      const int order = name_of(candidate).compare(name);
      if (order == 0) found = candidate;
      return order;
    });
    return found;
  }

 private:
  template <class R>
  R decode_record(ByteView bytes, const BTreeV2& tree) const {
    return decode<R>(bytes, tree.address(), source_->file());
  }

  std::string_view name_of(ByteView bytes) const {
    return decode<typename Records::Message>(bytes, names_.address(), source_->file()).name;
  }

  MetadataSource* source_;
  SharedMessages* shared_;
  FractalHeap heap_;
  BTreeV2 names_;
  std::optional<BTreeV2> creation_orders_;
};

using DenseLinks = Dense<DenseLinkRecords>;
using DenseAttributes = Dense<DenseAttributeRecords>;

}  // namespace onecast::structures
