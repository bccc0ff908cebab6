#include "structures/dense_pieces.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "format/infra/btree_v2_records.hpp"

namespace onecast {
namespace {

std::vector<std::uint64_t> sizes_of(std::span<const DenseObject> objects) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(objects.size());
  for (const DenseObject& object : objects) sizes.push_back(object.size);
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

}  // namespace

DensePieces::DensePieces(Kind kind, std::span<const DenseObject> objects, bool index_creation_order,
                         const FileContext& file, FractalHeapPieces::WriteObject write_message)
    : kind_(kind),
      heap_(kind == Kind::links ? kLinkHeap : kAttributeHeap, sizes_of(objects), file,
            std::move(write_message)),
      names_(plan(kind, true, objects.size()), file) {
  if (index_creation_order) creation_orders_.emplace(plan(kind, false, objects.size()), file);
  sort(objects);
}

void DensePieces::sort(std::span<const DenseObject> objects) {
  objects_.reserve(objects.size());
  for (const DenseObject& object : objects)
    objects_.push_back({object.creation_order, lookup3(std::as_bytes(std::span(object.name))),
                        object.message_flags});
  by_name_.resize(objects.size());
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  if (creation_orders_) by_creation_order_ = by_name_;
  std::sort(by_name_.begin(), by_name_.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(objects_[a].name_hash, objects[a].name) <
           std::tie(objects_[b].name_hash, objects[b].name);
  });
  std::sort(by_creation_order_.begin(), by_creation_order_.end(),
            [&](std::size_t a, std::size_t b) {
              return objects_[a].creation_order < objects_[b].creation_order;
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
                             write_creation_order_record(
                                 by_creation_order_[static_cast<std::size_t>(i)], record, file);
                           });
}

void DensePieces::write_name_record(std::size_t index, std::span<std::byte> out,
                                    const FileContext& file) const {
  const Object& object = objects_[index];
  const std::vector<std::byte> id = heap_.heap_id(index, file);
  if (kind_ == Kind::links)
    write_record(LinkNameRecord{object.name_hash, id}, out, file);
  else
    write_record(
        AttributeNameRecord{id, object.message_flags,
                            static_cast<std::uint32_t>(object.creation_order), object.name_hash},
        out, file);
}

void DensePieces::write_creation_order_record(std::size_t index, std::span<std::byte> out,
                                              const FileContext& file) const {
  const Object& object = objects_[index];
  const std::vector<std::byte> id = heap_.heap_id(index, file);
  if (kind_ == Kind::links)
    write_record(LinkCreationOrderRecord{static_cast<std::int64_t>(object.creation_order), id}, out,
                 file);
  else
    write_record(AttributeCreationOrderRecord{id, object.message_flags,
                                              static_cast<std::uint32_t>(object.creation_order)},
                 out, file);
}

}  // namespace onecast
