#include "values/elements.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <onecast/types/convert.hpp>
#include <vector>

#include "handles/locate.hpp"
#include "handles/opening.hpp"
#include "handles/written_files.hpp"
#include "library/errors.hpp"
#include "values/stored_elements.hpp"
#include "values/stored_types.hpp"
#include "values/type_cache.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {

NotServed cannot_follow(Library& library, h5::Id transfer) {
  if (transfer == library.default_transfer()) return kDone;
  const h5::Functions& call = library.call;
  // HDF5 reports an error if no transform is set.
  const ErrorStackKeeper keep(library);
  const Silence silence(library);
  if (call.H5Pget_data_transform(transfer, nullptr, 0) > 0) return "a data transform";
  void* callback = nullptr;
  void* data = nullptr;
  if (call.H5Pget_type_conv_cb(transfer, &callback, &data) >= 0 && callback != nullptr)
    return "a callback for conversions";
  return kDone;
}

NotServed cannot_see_sources(const Handle& on) {
  if (on.dataset->layout() != onecast::Layout::virtual_dataset) return kDone;
  if (WrittenFiles::any_native()) return "sources that the native library may be writing";
  if (WrittenFiles::any_of_other_library(on.library))
    for (const auto& mapping : on.dataset->virtual_mappings()) require_unwritten(on, mapping.file);
  return kDone;
}

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

/// True if the library has a conversion between two types; the error stack stays as it is.
bool has_conversion(Library& library, h5::Id from, h5::Id to, h5::Id transfer) {
  const ErrorStackKeeper keep(library);
  const Silence silence(library);
  std::byte nothing{};
  return library.call.H5Tconvert(from, to, 0, &nothing, &nothing, transfer) >= 0;
}

}  // namespace

NotServed convert_elements(Library& library, const Conversion& conversion) {
  const auto& [from, to, count, elements, background, transfer] = conversion;
  if (library.call.H5Tconvert(from, to, count, elements, background, transfer) >= 0) return kDone;
  if (!has_conversion(library, from, to, transfer)) return "no such conversion";
  // A value may be damaged, or a function of the program has failed: the error stack says it.
  throw Failure("H5E_DATATYPE_g", "H5E_CANTCONVERT_g", "the elements cannot be converted");
}

namespace {

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
  const h5::Id from = of.stored_type();
  {
    const InFile values(of.opening);
    if (const NotServed reason =
            convert_elements(library, {from, type, sides.count, stored.data(),
                                       background.empty() ? nullptr : background.data(), transfer}))
      return reason;
  }
  scatter(library, sides, type, size, stored.data(), out);
  return kDone;
}

}  // namespace

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

bool converts(const onecast::Datatype& from, const onecast::Datatype& to) {
  if (from == to) return true;
  try {
    onecast::convert(from, {}, to, {});
    return true;
  } catch (const onecast::Error&) {
    return false;
  }
}

std::vector<std::byte> room_for(Handle& of, h5::Id type, std::uint64_t count, std::size_t stored) {
  const std::size_t size = std::max(stored, of.library.call.H5Tget_size(type));
  if (count > std::vector<std::byte>().max_size() / size)
    throw Failure("H5E_RESOURCE_g", "H5E_NOSPACE_g", "too many elements");
  return std::vector<std::byte>(count * size);
}

namespace {

/// Says which elements a read wants, and how they come to memory.
struct Plan {
  NotServed reason = kDone;  ///< why the native library has to read; the rest is then not set
  std::optional<Sides> sides{};
  /// The type of memory, to which Onecast converts; absent: the library converts.
  std::optional<onecast::Datatype> memory_type{};
  std::vector<std::byte> elements{};  ///< as stored, for the library

  [[nodiscard]] bool is_empty() const { return reason != kDone || sides->count == 0; }
};

Plan sides_of_read(const DatasetRead& read) {
  Plan plan;
  Library& library = read.on.library;
  plan.reason = cannot_follow(library, read.transfer);
  if (plan.reason == kDone && read.transfer != library.default_transfer() &&
      library.call.H5Pget_edc_check(read.transfer) == 0)
    plan.reason = "checksums that are not to be compared";
  if (plan.reason == kDone) plan.reason = cannot_see_sources(read.on);
  if (plan.reason != kDone) return plan;
  if (plan.sides = sides_of(library, read.on.dataset->dataspace(), read.memory, read.part);
      !plan.sides)
    plan.reason = "selections that do not fit";
  else if (plan.sides->count != 0 && read.out == nullptr)
    plan.reason = "a read without a place for the elements";
  return plan;
}

/// The type to which Onecast converts stored elements; absent: the library converts them. It does
/// that if the program has registered the conversion, too.
std::optional<onecast::Datatype> memory_type_of(Library& library, const onecast::Datatype& stored,
                                                h5::Id type) {
  if (stored.points_elsewhere()) return std::nullopt;
  if (is_type(library, stored, type)) return stored;
  auto wanted = plain_type(library, type);
  return wanted && has_own_conversion(library, stored, *wanted) ? std::nullopt : std::move(wanted);
}

/// Plans a conversion by the library.
void plan_conversion(const DatasetRead& read, Plan& plan) {
  const onecast::Datatype& stored = read.on.dataset->datatype();
  plan.memory_type.reset();
  plan.reason = cannot_convert(read.on, stored);
  if (plan.reason == kDone)
    plan.elements = room_for(read.on, read.type, plan.sides->count, stored.size());
}

/// The elements that a read wants, and the place for them.
std::span<std::byte> target(const DatasetRead& read, Plan& plan) {
  if (plan.memory_type)
    return {static_cast<std::byte*>(read.out),
            plan.sides->memory_elements * plan.memory_type->size()};
  return std::span(plan.elements).first(plan.sides->count * read.on.dataset->datatype().size());
}
/// The request of a plan, from which it takes the selections.
onecast::TransferRequest request(Plan& plan) {
  onecast::TransferRequest wanted{.part = std::move(plan.sides->part),
                                  .memory_type = plan.memory_type};
  if (plan.memory_type) wanted.memory = std::move(plan.sides->memory);
  return wanted;
}

/// Plans all that a rank can find out by itself, so that it fails before others wait for it.
Plan plan_together(const DatasetRead& read) {
  Plan plan = sides_of_read(read);
  if (plan.is_empty()) return plan;
  plan.memory_type = memory_type_of(read.on.library, read.on.dataset->datatype(), read.type);
  if (plan.memory_type && converts(read.on.dataset->datatype(), *plan.memory_type)) return plan;
  plan_conversion(read, plan);
  if (plan.reason == kDone &&
      !has_conversion(read.on.library, read.on.stored_type(), read.type, read.transfer))
    plan.reason = "no such conversion";
  return plan;
}

}  // namespace

NotServed read_dataset(const DatasetRead& read) {
  Plan plan = sides_of_read(read);
  if (plan.is_empty()) return plan.reason;
  if (read.on.storing().leaves_unwritten &&
      space_status(*read.on.dataset) != h5::SpaceStatus::allocated)
    return "elements that were never written, and are not filled";
  const onecast::Dataset& dataset = *read.on.dataset;
  plan.memory_type = memory_type_of(read.on.library, read.on.dataset->datatype(), read.type);
  // If Onecast has no conversion, the library may know it.
  if (plan.memory_type && converts(dataset.datatype(), *plan.memory_type)) {
    dataset.read(target(read, plan), request(plan));
    return kDone;
  }
  plan_conversion(read, plan);
  if (plan.reason != kDone) return plan.reason;
  dataset.read(target(read, plan), request(plan));
  return convert_by_library(read.on, read.type, read.transfer, *plan.sides, plan.elements,
                            read.out);
}

h5::Status read_together(const DatasetRead& read, const std::function<h5::Status()>& native,
                         NotServed& reason) {
  using onecast::ErrorCode;
  Plan plan;
  onecast::TransferRequest wanted{.part = onecast::Selection::none()};
  std::span<std::byte> bytes;
  bool has_read = false;  // the native library
  std::optional<ErrorStackKeeper> said;
  try {
    plan = plan_together(read);
    if (plan.reason != kDone) {
      has_read = native() >= 0;
      if (!has_read) {
        said.emplace(read.on.library);
        throw onecast::Error(ErrorCode::invalid_argument,
                             std::string("the HDF5 library cannot read: ") + plan.reason);
      }
    } else if (plan.sides->count > 0) {
      bytes = target(read, plan);
      wanted = request(plan);
    }
  } catch (...) {
    wanted.failure = std::current_exception();
  }
  reason = plan.reason;
  try {
    read.on.dataset->read_all(bytes, wanted);
  } catch (const onecast::Error& error) {
    if (said) return -1;
    // All ranks are here with the same error.
    if (error.code() != ErrorCode::unsupported) throw;
    reason = "not supported by Onecast";
    return has_read ? 0 : native();
  }
  if (bytes.empty() || plan.memory_type) return 0;
  reason =
      convert_by_library(read.on, read.type, read.transfer, *plan.sides, plan.elements, read.out);
  return reason == kDone ? 0 : native();
}

namespace {

/// Has the library convert the value of an attribute that is a number or a few, as others of
/// memory; false if it cannot.
bool converts_few(Handle& on, h5::Id type, h5::Id transfer, void* out) {
  const auto is_number = [](onecast::TypeClass kind) {
    return kind == onecast::TypeClass::integer || kind == onecast::TypeClass::floating;
  };
  const onecast::Datatype& stored = on.attribute->datatype();
  TypeCache& types = TypeCache::of(on.library);
  const onecast::Datatype* const wanted = types.predefined(type);
  if (wanted == nullptr || !is_number(stored.type_class()) || !is_number(wanted->type_class()))
    return false;
  std::array<std::byte, 256> room;
  const auto value = on.attribute->bytes();
  const std::size_t count = value.size() / stored.size();
  if (count == 0 || count > room.size() / std::max(stored.size(), wanted->size())) return false;
  std::memcpy(room.data(), value.data(), value.size());
  if (!types.converts(stored, type, count, room.data(), transfer)) return false;
  std::memcpy(out, room.data(), count * wanted->size());
  return true;
}

}  // namespace

NotServed read_attribute(Handle& on, h5::Id type, h5::Id transfer, void* out) {
  const onecast::Attribute& attribute = *on.attribute;
  const onecast::Datatype& stored = attribute.datatype();
  if (!stored.points_elsewhere() && is_type(on.library, stored, type)) {
    const auto value = attribute.bytes();
    if (!value.empty()) std::memcpy(out, value.data(), value.size());
    return kDone;
  }
  if (converts_few(on, type, transfer, out)) return kDone;
  Sides sides;
  sides.count = sides.memory_elements = attribute.dataspace().element_count();
  if (sides.count == 0) return kDone;
  if (const NotServed reason = cannot_convert(on, stored)) return reason;
  auto elements = room_for(on, type, sides.count, stored.size());
  std::ranges::copy(attribute.bytes(), elements.begin());
  return convert_by_library(on, type, transfer, sides, elements, out);
}

}  // namespace onecast_hdf5
