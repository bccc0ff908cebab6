#include <algorithm>
#include <cstring>
#include <onecast/objects/details.hpp>
#include <vector>

#include "handles/hand_over.hpp"
#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/elements.hpp"
#include "values/renewed.hpp"
#include "values/stored_elements.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

/// Elements as they are stored, with the values for which they stand.
struct Stored {
  std::vector<std::byte> elements{};
  onecast::NewValues values{};
};

/// Copies the program's elements to adjacent ones.
bool gather(Library& library, const Sides& sides, h5::Id type, std::size_t size, const void* in,
            std::span<std::byte> to) {
  if (sides.memory)
    return library.call.H5Dgather(sides.memory_space, in, type, sides.count * size, to.data(),
                                  nullptr, nullptr) >= 0;
  std::memcpy(to.data(), in, sides.count * size);
  return true;
}

/// Lets the library convert the program's elements to stored ones: it knows the types of memory,
/// and follows the program's values of variable length. They become values of `stored`.
/// @param before returns the stored elements, whose members stay that the program's type lacks
template <class Before>
NotServed convert_by_library(Handle& on, h5::Id type, h5::Id transfer, const Sides& sides,
                             const onecast::Datatype& kept, const void* in, Before before,
                             Stored& stored) {
  Library& library = on.library;
  const h5::Functions& call = library.call;
  if (const NotServed reason = cannot_convert(on, kept)) throw NeedsNative{reason};
  const std::size_t size = call.H5Tget_size(type);
  stored.elements = room_for(on, type, sides.count, kept.size());
  if (!gather(library, sides, type, size, in, stored.elements)) return "memory cannot be gathered";
  std::vector<std::byte> background;
  if (call.H5Tdetect_class(type, h5::TypeClass::compound) > 0) {
    background = before();
    renew_values(on, kept, background, stored.values);
  }
  const Collecting now(*on.opening, stored.values);
  const h5::Status status =
      call.H5Tconvert(type, on.stored_type(), sides.count, stored.elements.data(),
                      background.empty() ? nullptr : background.data(), transfer);
  stored.elements.resize(sides.count * kept.size());
  return status < 0 ? "no such conversion" : kDone;
}

/// Runs a write that Onecast converts itself; false if it knows no such conversion.
template <class Write>
bool is_written(Write write) {
  try {
    write();
    return true;
  } catch (const onecast::Error& error) {
    if (error.code() != onecast::ErrorCode::invalid_argument) throw;
    return false;
  }
}

}  // namespace

NotServed write_dataset(Handle& on, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                        const void* in) {
  Library& library = on.library;
  onecast::Dataset& dataset = *on.dataset;
  if (const NotServed reason = cannot_follow(library, transfer)) throw NeedsNative{reason};
  const auto sides = sides_of(library, dataset.dataspace(), memory, part);
  if (!sides) return "selections that do not fit";
  if (sides->count == 0) return kDone;
  if (in == nullptr) return "a write without elements";
  const onecast::Datatype& kept = dataset.datatype();
  if (!kept.points_elsewhere()) {
    if (const auto given = plain_type(library, type)) {
      const std::span bytes(static_cast<const std::byte*>(in),
                            sides->memory_elements * given->size());
      if (is_written([&] {
            dataset.write(bytes,
                          onecast::TransferRequest{
                              .part = sides->part, .memory = sides->memory, .memory_type = given});
          }))
        return kDone;
    }
  }
  Stored stored;
  const auto before = [&] {
    std::vector<std::byte> elements(sides->count * kept.size());
    dataset.read(elements, onecast::TransferRequest{.part = sides->part});
    return elements;
  };
  if (const NotServed reason =
          convert_by_library(on, type, transfer, *sides, kept, in, before, stored))
    return reason;
  dataset.write(stored.elements,
                onecast::TransferRequest{.part = sides->part, .values = &stored.values});
  return kDone;
}

NotServed write_attribute(Handle& on, h5::Id type, h5::Id transfer, const void* in) {
  const onecast::Attribute attribute = *on.attribute;
  const std::string name(attribute.name());
  const onecast::Datatype& kept = attribute.datatype();
  const onecast::Dataspace& space = attribute.dataspace();
  Sides sides;
  sides.count = sides.memory_elements = space.element_count();
  if (sides.count == 0) return kDone;
  Stored stored;
  const auto before = [&] {
    const auto bytes = attribute.bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  const auto given = kept.points_elsewhere() ? std::nullopt : plain_type(on.library, type);
  if (given && *given == kept) {
    const auto* const bytes = static_cast<const std::byte*>(in);
    stored.elements.assign(bytes, bytes + sides.count * kept.size());
  } else if (const NotServed reason =
                 convert_by_library(on, type, transfer, sides, kept, in, before, stored)) {
    return reason;
  }
  if (const auto committed = onecast::committed_type_of(on.object, name))
    on.object.set_attribute(
        name, on.opening->file().root().open_object(onecast::Reference{.address = *committed}),
        space, stored.elements, stored.values);
  else
    on.object.set_attribute(name, kept, space, stored.elements, stored.values);
  on.attribute = on.object.attribute(name);
  return kDone;
}

}  // namespace onecast_hdf5
