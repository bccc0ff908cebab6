#include "values/elements.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

/// Puts converted elements, which lie one after the other, where the program wants them.
void scatter(Library& library, const Sides& sides, h5::Id type, std::size_t size,
             const std::byte* from, void* out) {
  if (!sides.memory) {
    std::memcpy(out, from, sides.count * size);
    return;
  }
  struct Source {
    const void* bytes;
    std::size_t size;
  } source{from, sides.count * size};
  const auto next = [](const void** bytes, std::size_t* count, void* data) -> h5::Status {
    const auto* const all = static_cast<const Source*>(data);
    *bytes = all->bytes;
    *count = all->size;
    return 0;
  };
  if (library.call.H5Dscatter(next, &source, type, sides.memory_space, out) < 0)
    throw Failure("H5E_DATASET_g", "H5E_CANTCOPY_g", "cannot scatter the elements");
}

/// Lets the library convert stored elements, in which values of variable length are places in the
/// file: it knows the types of memory, allocates the program's memory, and follows its exceptions.
/// @param stored has room for the larger type
NotServed convert_by_library(Handle& of, h5::Id type, h5::Id transfer, const Sides& sides,
                             std::vector<std::byte>& stored, void* out) {
  Library& library = of.library;
  const h5::Functions& call = library.call;
  const std::size_t size = call.H5Tget_size(type);
  std::vector<std::byte> background;
  if (call.H5Tdetect_class(type, h5::TypeClass::compound) > 0) {
    // Members that the stored type lacks keep their values.
    background.resize(sides.count * size);
    if (!sides.memory)
      std::memcpy(background.data(), out, background.size());
    else if (call.H5Dgather(sides.memory_space, out, type, background.size(), background.data(),
                            nullptr, nullptr) < 0)
      return "memory cannot be gathered";
  }
  if (call.H5Tconvert(of.stored_type(), type, sides.count, stored.data(),
                      background.empty() ? nullptr : background.data(), transfer) < 0)
    return "no such conversion";
  scatter(library, sides, type, size, stored.data(), out);
  return kDone;
}

/// Why the library cannot convert elements of this type; kDone if it can.
NotServed cannot_convert(Handle& of, const onecast::Datatype& type) {
  if (has_old_regions(type)) {
    of.opening->show_shadow();
    return "region references of HDF5 before 1.12";
  }
  const h5::Id stored = of.stored_type();
  if (stored < 0 || of.library.call.H5Tget_size(stored) != type.size())
    return "a type that the library stores in another size";
  return kDone;
}

std::vector<std::byte> room_for(Handle& of, h5::Id type, std::uint64_t count, std::size_t stored) {
  const std::size_t size = std::max(stored, of.library.call.H5Tget_size(type));
  if (count > std::vector<std::byte>().max_size() / size)
    throw Failure("H5E_RESOURCE_g", "H5E_NOSPACE_g", "too many elements");
  return std::vector<std::byte>(count * size);
}

}  // namespace

NotServed read_dataset(Handle& on, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                       void* out) {
  Library& library = on.library;
  const onecast::Dataset& dataset = *on.dataset;
  if (transfer != library.default_transfer() &&
      library.call.H5Pget_data_transform(transfer, nullptr, 0) > 0)
    return "a data transform";
  const auto sides = sides_of(library, dataset.dataspace(), memory, part);
  if (!sides) return "selections that do not fit";
  if (sides->count == 0) return kDone;
  const onecast::Datatype& stored = dataset.datatype();
  if (!stored.points_elsewhere()) {
    if (const auto wanted = plain_type(library, type)) {
      const std::span bytes(static_cast<std::byte*>(out), sides->memory_elements * wanted->size());
      try {
        dataset.read(bytes,
                     onecast::TransferRequest{
                         .part = sides->part, .memory = sides->memory, .memory_type = wanted});
        return kDone;
      } catch (const onecast::Error& error) {
        if (error.code() != onecast::ErrorCode::invalid_argument) throw;
        // The library may know the conversion.
      }
    }
  }
  if (const NotServed reason = cannot_convert(on, stored)) return reason;
  auto elements = room_for(on, type, sides->count, stored.size());
  dataset.read(std::span(elements).first(sides->count * stored.size()),
               onecast::TransferRequest{.part = sides->part});
  return convert_by_library(on, type, transfer, *sides, elements, out);
}

NotServed read_attribute(Handle& on, h5::Id type, h5::Id transfer, void* out) {
  const onecast::Attribute& attribute = *on.attribute;
  Sides sides;
  sides.count = sides.memory_elements = attribute.dataspace().element_count();
  if (sides.count == 0) return kDone;
  const onecast::Datatype& stored = attribute.datatype();
  if (!stored.points_elsewhere()) {
    if (const auto wanted = plain_type(on.library, type)) {
      try {
        attribute.read(std::span(static_cast<std::byte*>(out), sides.count * wanted->size()),
                       wanted);
        return kDone;
      } catch (const onecast::Error& error) {
        if (error.code() != onecast::ErrorCode::invalid_argument) throw;
      }
    }
  }
  if (const NotServed reason = cannot_convert(on, stored)) return reason;
  auto elements = room_for(on, type, sides.count, stored.size());
  std::ranges::copy(attribute.bytes(), elements.begin());
  return convert_by_library(on, type, transfer, sides, elements, out);
}

}  // namespace onecast_hdf5
