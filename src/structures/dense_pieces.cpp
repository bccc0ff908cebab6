#include "structures/dense_pieces.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "format/infra/btree_v2_records.hpp"

namespace onecast::structures {
namespace {

std::vector<std::uint64_t> sizes_of(std::size_t count, const DensePieces::Describe& describe) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) sizes.push_back(describe(i).size);
  return sizes;
}

BTreeV2Plan plan(DensePieces::Kind kind, bool by_name, std::size_t count) {
  if (kind == DensePieces::Kind::links)
    return by_name
               ? BTreeV2Plan{LinkNameRecord::kType, LinkNameRecord::kSize, count}
               : BTreeV2Plan{LinkCreationOrderRecord::kType, LinkCreationOrderRecord::kSize, count};
  return by_name ? BTreeV2Plan{AttributeNameRecord::kType, AttributeNameRecord::kSize, count}
                 : BTreeV2Plan{AttributeCreationOrderRecord::kType,
                               AttributeCreationOrderRecord::kSize, count};
}

template <class R>
void write_record(const R& record, std::span<std::byte> out, const FileContext& file) {
  ByteWriter writer(out);
  encode(writer, file, record);
}

/// The heap ID of an object, without an allocation, since there are very many.
class HeapId {
 public:
  HeapId(const FractalHeapPieces& heap, std::size_t object, const FileContext& file)
      : length_(heap.heap_id_length()) {
    heap.write_heap_id(object, std::span(bytes_).first(length_), file);
  }
  [[nodiscard]] ByteView bytes() const { return ByteView(bytes_).first(length_); }

 private:
  std::array<std::byte, std::max(kLinkHeap.heap_id_length, kAttributeHeap.heap_id_length)> bytes_;
  std::size_t length_;
};

}  // namespace

DensePieces::DensePieces(Kind kind, std::size_t count, const Describe& describe,
                         bool index_creation_order, const FileContext& file,
                         FractalHeapPieces::WriteObject write_message)
    : kind_(kind),
      heap_(kind == Kind::links ? kLinkHeap : kAttributeHeap, sizes_of(count, describe), file,
            std::move(write_message)),
      names_(plan(kind, true, count), file) {
  if (count > UINT32_MAX) throw std::logic_error("DensePieces: too many objects");
  if (index_creation_order) creation_orders_.emplace(plan(kind, false, count), file);
  objects_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const DenseObject object = describe(i);
    objects_.push_back({object.creation_order, lookup3(std::as_bytes(std::span(object.name))),
                        object.message_flags});
  }
  sort(describe);
}

void DensePieces::sort(const Describe& describe) {
  by_name_.resize(objects_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::uint32_t{0});
  const auto created_before = [](const Object& a, const Object& b) {
    return a.creation_order < b.creation_order;
  };
  if (creation_orders_ && !std::is_sorted(objects_.begin(), objects_.end(), created_before)) {
    by_creation_order_ = by_name_;
    std::sort(
        by_creation_order_.begin(), by_creation_order_.end(),
        [&](std::uint32_t a, std::uint32_t b) { return created_before(objects_[a], objects_[b]); });
  }
  std::sort(by_name_.begin(), by_name_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (objects_[a].name_hash != objects_[b].name_hash)
      return objects_[a].name_hash < objects_[b].name_hash;
    return describe(a).name < describe(b).name;
  });
}

std::size_t DensePieces::count() const {
  return heap_.count() + names_.count() + (creation_orders_ ? creation_orders_->count() : 0);
}

std::optional<std::size_t> DensePieces::creation_order_index_piece() const {
  if (!creation_orders_) return std::nullopt;
  return heap_.count() + names_.count();
}

std::uint64_t DensePieces::size(std::size_t piece) const {
  if (piece < heap_.count()) return heap_.size(piece);
  piece -= heap_.count();
  return piece < names_.count() ? names_.size(piece)
                                : creation_orders_->size(piece - names_.count());
}

void DensePieces::encode(std::size_t piece, std::span<std::byte> out,
                         std::span<const Address> addresses, const FileContext& file) const {
  if (piece < heap_.count()) return heap_.encode(piece, out, addresses.first(heap_.count()), file);
  piece -= heap_.count();
  addresses = addresses.subspan(heap_.count());
  if (piece < names_.count())
    return names_.encode(piece, out, addresses, file,
                         [&](std::uint64_t i, std::span<std::byte> record) {
                           write_name_record(by_name_[static_cast<std::size_t>(i)], record, file);
                         });
  creation_orders_->encode(piece - names_.count(), out, addresses.subspan(names_.count()), file,
                           [&](std::uint64_t i, std::span<std::byte> record) {
                             const auto at = static_cast<std::size_t>(i);
                             write_creation_order_record(
                                 by_creation_order_.empty() ? at : by_creation_order_[at], record,
                                 file);
                           });
}

void DensePieces::write_name_record(std::size_t index, std::span<std::byte> out,
                                    const FileContext& file) const {
  const Object& object = objects_[index];
  const HeapId id(heap_, index, file);
  if (kind_ == Kind::links)
    write_record(LinkNameRecord{object.name_hash, id.bytes()}, out, file);
  else
    write_record(
        AttributeNameRecord{id.bytes(), object.message_flags,
                            static_cast<std::uint32_t>(object.creation_order), object.name_hash},
        out, file);
}

void DensePieces::write_creation_order_record(std::size_t index, std::span<std::byte> out,
                                              const FileContext& file) const {
  const Object& object = objects_[index];
  const HeapId id(heap_, index, file);
  if (kind_ == Kind::links)
    write_record(
        LinkCreationOrderRecord{static_cast<std::int64_t>(object.creation_order), id.bytes()}, out,
        file);
  else
    write_record(AttributeCreationOrderRecord{id.bytes(), object.message_flags,
                                              static_cast<std::uint32_t>(object.creation_order)},
                 out, file);
}

}  // namespace onecast::structures
