#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "format/infra/global_heap.hpp"
#include "objects/memory/packer.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::values {

/// Puts a value into the heap and returns its place.
using PutValue = std::function<GlobalHeapId(ByteView)>;

/// Calls each(type, element) for all strings, sequences and region references in `elements`, except
/// those within values.
template <class Byte, class F>
void for_each_place(const Datatype& type, std::span<Byte> elements, F&& each) {
  if (!type.points_elsewhere()) return;
  const std::size_t size = type.size();
  switch (type.type_class()) {
    case TypeClass::array:
      return for_each_place(type.base(), elements, each);
    case TypeClass::compound:
      for (std::size_t at = 0; at < elements.size(); at += size)
        for (const CompoundMember& m : type.members())
          for_each_place(m.type, elements.subspan(at + m.offset, m.type.size()), each);
      return;
    case TypeClass::reference:
      if (type.reference_kind() == ReferenceKind::object) return;
      [[fallthrough]];
    default:
      for (std::size_t at = 0; at < elements.size(); at += size)
        each(type, elements.subspan(at, size));
  }
}

/// Returns true if elements, or parts of them, have values in the heap. Object references have
/// none.
bool uses_heap(const Datatype& type);

/// Throws Error (unsupported) if the size of elements of this type, or of a part of them, differs
/// from the size in the file.
void require_storable(const Datatype& type, const FileContext& file, const Where& where);

/// Throws Error (invalid_argument) unless `elements`, as NewValues made them, belong to `values`.
void check_values(const Datatype& type, std::span<const std::byte> elements,
                  const NewValues& values, const Where& where);

/// Puts the values of `elements` into the heap, each after those to which it refers, and the places
/// of the values into the elements, which are then in stored form. Both must be checked.
void store_values(const Datatype& type, std::span<std::byte> elements, const NewValues& values,
                  const FileContext& file, const PutValue& put);

/// Throws Error before values are written to a dataset: what both checks throw, or because the file
/// cannot be changed.
void check_new_values(Node& dataset, std::span<const std::byte> elements, const NewValues& values);
/// Returns the elements in stored form, in `own`. All ranks place equal values.
std::span<const std::byte> with_stored_values(Node& dataset, std::span<const std::byte> elements,
                                              const NewValues& values, std::vector<std::byte>& own);

/// Packs the values of `elements` for another rank, in the order that store_packed_values()
/// expects. Returns the number of their bytes.
std::uint64_t pack_values(const Datatype& type, std::span<const std::byte> elements,
                          const NewValues& values, Packer& out);
/// Does what store_values() does with values that another rank has packed.
void store_packed_values(const Datatype& type, std::span<std::byte> elements, Unpacker& values,
                         const FileContext& file, const PutValue& put);

}  // namespace onecast::values
