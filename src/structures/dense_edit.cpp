#include "structures/dense_edit.hpp"

#include "base/lookup3.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/link_message.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
namespace {

constexpr unsigned kShared = 0x02;  // "Message Flags"

bool is_links(DenseEdit::Kind kind) { return kind == DenseEdit::Kind::links; }

BTreeV2Edit name_index(BlockEdits& blocks, DenseEdit::Kind kind, Address address) {
  if (is_links(kind)) return {blocks, address, LinkNameRecord::kType, LinkNameRecord::kSize};
  return {blocks, address, AttributeNameRecord::kType, AttributeNameRecord::kSize};
}

std::uint32_t hash_of(std::string_view name) { return lookup3(std::as_bytes(std::span(name))); }

/// IDs have at most 8 bytes.
std::uint64_t number_of(ByteView heap_id) {
  std::uint64_t number = 0;
  for (const std::byte b : heap_id) number = number << 8U | std::to_integer<std::uint64_t>(b);
  return number;
}

}  // namespace

DenseEdit::DenseEdit(Kind kind, const DensePlace& place, MetadataSource& stored,
                     BlockEdits::Take take)
    : kind_(kind),
      heap_address_(place.heap),
      blocks_(stored, std::move(take)),
      heap_(blocks_, place.heap),
      names_(name_index(blocks_, kind, place.name_index)) {
  if (const Address order = place.creation_order_index; order.is_defined()) {
    if (is_links(kind))
      creation_orders_.emplace(blocks_, order, LinkCreationOrderRecord::kType,
                               LinkCreationOrderRecord::kSize);
    else
      creation_orders_.emplace(blocks_, order, AttributeCreationOrderRecord::kType,
                               AttributeCreationOrderRecord::kSize);
  }
  if (!heap_.is_changeable() || !names_.is_changeable() ||
      (creation_orders_ && !creation_orders_->is_changeable()))
    reader_at(stored, place.heap, FractalHeapHeader::kTitle)
        .refuse("Fields", "changing dense storage of this form where it lies");
}

DenseEdit::FoundRecord DenseEdit::decode_name_record(ByteView bytes) const {
  const auto found = [](ByteView id, std::uint8_t flags) {
    return FoundRecord{{id.begin(), id.end()}, flags};
  };
  if (is_links(kind_))
    return found(decode<LinkNameRecord>(bytes, names_.address(), blocks_.file()).heap_id, 0);
  const auto record = decode<AttributeNameRecord>(bytes, names_.address(), blocks_.file());
  return found(record.heap_id, record.message_flags);
}

std::string_view DenseEdit::name_of(const HeapId& id) {
  if (const auto added = added_names_.find(number_of(id)); added != added_names_.end())
    return added->second;
  const ByteView message = heap_.stored(id);
  return is_links(kind_) ? decode<LinkMessage>(message, heap_address_, blocks_.file()).name
                         : decode<AttributeMessage>(message, heap_address_, blocks_.file()).name;
}

BTreeV2Edit::Compare DenseEdit::by_name(std::string_view name) {
  return [this, name, hash = hash_of(name)](ByteView record) {
    const std::uint32_t other =
        is_links(kind_)
            ? decode<LinkNameRecord>(record, names_.address(), blocks_.file()).name_hash
            : decode<AttributeNameRecord>(record, names_.address(), blocks_.file()).name_hash;
    if (other != hash) return other < hash ? -1 : 1;
    const FoundRecord found = decode_name_record(record);
    if ((found.message_flags & kShared) != 0)
      reader_at(blocks_, names_.address(), AttributeNameRecord::kTitle)
          .refuse("Message Flags", "an attribute in the heap of shared messages");
    return name_of(found.heap_id).compare(name);
  };
}

BTreeV2Edit::Compare DenseEdit::by_creation_order(std::uint64_t order) const {
  return [this, order](ByteView record) {
    const Address where = creation_orders_->address();
    const std::uint64_t other =
        is_links(kind_)
            ? static_cast<std::uint64_t>(
                  decode<LinkCreationOrderRecord>(record, where, blocks_.file()).creation_order)
            : decode<AttributeCreationOrderRecord>(record, where, blocks_.file()).creation_order;
    return other < order ? -1 : static_cast<int>(other > order);
  };
}

template <class R>
std::vector<std::byte> DenseEdit::encoded(const R& record) const {
  std::vector<std::byte> bytes(R::kSize);
  ByteWriter out(bytes);
  format::encode(out, blocks_.file(), record);
  return bytes;
}

std::vector<std::byte> DenseEdit::name_record(const DenseObject& object, const HeapId& id) const {
  if (is_links(kind_)) return encoded(LinkNameRecord{hash_of(object.name), id});
  return encoded(AttributeNameRecord{id, object.message_flags,
                                     static_cast<std::uint32_t>(object.creation_order),
                                     hash_of(object.name)});
}

std::vector<std::byte> DenseEdit::creation_order_record(const DenseObject& object,
                                                        const HeapId& id) const {
  if (is_links(kind_))
    return encoded(LinkCreationOrderRecord{static_cast<std::int64_t>(object.creation_order), id});
  return encoded(AttributeCreationOrderRecord{id, object.message_flags,
                                              static_cast<std::uint32_t>(object.creation_order)});
}

DenseEdit::FoundRecord DenseEdit::find(const DenseObject& object) {
  const auto found = names_.find(by_name(object.name));
  if (!found)
    reader_at(blocks_, names_.address(), BTreeV2Header::kTitle)
        .fail("Records", "have none of a name that is there");
  return decode_name_record(*found);
}

void DenseEdit::remove(const DenseObject& object) {
  const FoundRecord found = find(object);
  names_.remove(by_name(object.name));
  if (creation_orders_ && !creation_orders_->remove(by_creation_order(object.creation_order)))
    reader_at(blocks_, creation_orders_->address(), BTreeV2Header::kTitle)
        .fail("Records", "have none of a creation order that is there");
  heap_.remove(found.heap_id);
}

void DenseEdit::add(const DenseObject& object) {
  HeapId id = heap_.add(object.size);
  names_.insert(name_record(object, id), by_name(object.name));
  if (creation_orders_)
    creation_orders_->insert(creation_order_record(object, id),
                             by_creation_order(object.creation_order));
  added_names_.emplace(number_of(id), object.name);
  written_.push_back(std::move(id));
}

void DenseEdit::change(const DenseObject& object) {
  FoundRecord found = find(object);
  if (heap_.stored(found.heap_id).size() != object.size)
    reader_at(blocks_, heap_address_, FractalHeapHeader::kTitle)
        .fail("Objects", "have one of another size than the message there");
  written_.push_back(std::move(found.heap_id));
}

void DenseEdit::lay_out() {
  names_.finish();
  if (creation_orders_) creation_orders_->finish();
  heap_.lay_out();
  for (const HeapId& id : written_) places_.push_back(heap_.bytes(id));
}

void DenseEdit::encode(const FractalHeapPieces::WriteObject& write_message) {
  for (std::size_t i = 0; i < places_.size(); ++i) write_message(i, places_[i]);
  heap_.finish();
}

}  // namespace onecast::structures
