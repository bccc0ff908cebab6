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
#include "values/stored_types.hpp"
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
  const h5::Id to = on.stored_type();
  const Collecting now(*on.opening, stored.values);
  const InFile values(on.opening);
  const NotServed reason =
      convert_elements(library, {type, to, sides.count, stored.elements.data(),
                                 background.empty() ? nullptr : background.data(), transfer});
  stored.elements.resize(sides.count * kept.size());
  return reason;
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

namespace {

/// The elements of a write: where they lie, and what Onecast does with them.
struct Elements {
  onecast::TransferRequest request{.part = onecast::Selection::none()};
  std::span<const std::byte> bytes{};
  Stored stored{};  ///< elements that the library has converted
};

/// Has the library convert the elements, if Onecast does not.
NotServed convert(Handle& on, h5::Id type, h5::Id transfer, const Sides& sides, const void* in,
                  Elements& elements) {
  const onecast::Dataset& dataset = *on.dataset;
  const onecast::Datatype& kept = dataset.datatype();
  const auto before = [&] {
    std::vector<std::byte> all(sides.count * kept.size());
    dataset.read(all, onecast::TransferRequest{.part = sides.part});
    return all;
  };
  if (const NotServed reason =
          convert_by_library(on, type, transfer, sides, kept, in, before, elements.stored))
    return reason;
  elements.bytes = elements.stored.elements;
  elements.request = {.part = sides.part, .values = &elements.stored.values};
  return kDone;
}

/// Finds out what a write asks for; `sides` is empty if it asks for nothing.
NotServed sides_of_write(Handle& on, h5::Id memory, h5::Id part, h5::Id transfer, const void* in,
                         std::optional<Sides>& sides) {
  Library& library = on.library;
  if (const NotServed reason = cannot_follow(library, transfer)) throw NeedsNative{reason};
  // Chunks may be filtered as late as at the flush.
  if (on.storing().filters_unknown) throw NeedsNative{kUnknownFilter};
  sides = sides_of(library, on.dataset->dataspace(), memory, part);
  if (!sides) return "selections that do not fit";
  if (sides->count == 0)
    sides.reset();
  else if (in == nullptr)
    return "a write without elements";
  return kDone;
}

/// The type from which Onecast converts elements to those that are kept; absent: the library has
/// to.
std::optional<onecast::Datatype> given_type(Library& library, h5::Id type,
                                            const onecast::Datatype& kept) {
  if (kept.points_elsewhere()) return std::nullopt;
  auto given = plain_type(library, type);
  return given && has_own_conversion(library, *given, kept) ? std::nullopt : std::move(given);
}

/// Lets Onecast convert elements of a type of memory.
void use(const Sides& sides, const onecast::Datatype& given, const void* in, Elements& elements) {
  elements.bytes = {static_cast<const std::byte*>(in), sides.memory_elements * given.size()};
  elements.request = {.part = sides.part, .memory = sides.memory, .memory_type = given};
}

}  // namespace

NotServed write_dataset(Handle& on, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                        const void* in) {
  std::optional<Sides> sides;
  const NotServed wrong = sides_of_write(on, memory, part, transfer, in, sides);
  if (wrong != kDone || !sides) return wrong;
  onecast::Dataset& dataset = *on.dataset;
  Elements elements;
  if (const auto given = given_type(on.library, type, dataset.datatype())) {
    use(*sides, *given, in, elements);
    if (is_written([&] { dataset.write(elements.bytes, elements.request); })) return kDone;
  }
  if (const NotServed reason = convert(on, type, transfer, *sides, in, elements)) return reason;
  dataset.write(elements.bytes, elements.request);
  return kDone;
}

void write_together(Handle& on, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                    const void* in) {
  Elements elements;
  try {
    std::optional<Sides> sides;
    NotServed reason = sides_of_write(on, memory, part, transfer, in, sides);
    if (reason == kDone && sides) {
      const onecast::Datatype& kept = on.dataset->datatype();
      const auto given = given_type(on.library, type, kept);
      if (given && converts(*given, kept))
        use(*sides, *given, in, elements);
      else
        reason = convert(on, type, transfer, *sides, in, elements);
    }
    if (reason != kDone) throw Failure("H5E_ARGS_g", "H5E_BADVALUE_g", reason);
  } catch (const NeedsNative& needs) {
    elements.request.failure = std::make_exception_ptr(onecast::Error(
        onecast::ErrorCode::unsupported,
        std::string(needs.reason) + ": only the HDF5 library does this, and several ranks have the "
                                    "file open: set ONECAST_HDF5_WRITING=native"));
  } catch (...) {
    elements.request.failure = std::current_exception();
  }
  on.dataset->write_all(elements.bytes, elements.request);
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
        name, on.opening->file().root().open_object(onecast::Reference{.address = committed}),
        space, stored.elements, stored.values);
  else
    on.object.set_attribute(name, kept, space, stored.elements, stored.values);
  on.attribute = on.object.attribute(name);
  return kDone;
}

}  // namespace onecast_hdf5
