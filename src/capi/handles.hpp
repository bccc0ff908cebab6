#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "onecast/capi/reference.h"
#include "onecast/capi/set.h"
#include "onecast/objects/file.hpp"

// The objects behind the handles. Only the C functions create and delete them.

struct onecast_file {
  onecast::File file;
  std::vector<onecast::Independent> independent{};  ///< sections that were begun and not ended
};

struct onecast_object {
  /// The alternative follows from the kind of the object; a committed datatype is an Object.
  std::variant<onecast::Group, onecast::Dataset, onecast::Object> any;
};

struct onecast_type {
  onecast::Datatype value;
};

struct onecast_set {
  onecast::Selection value;
};

struct onecast_reference {
  onecast::Reference value;
};

namespace onecast::capi {

[[noreturn]] void reject(const std::string& what);

/// Dereferences a pointer. Throws an Error that names it if it is NULL.
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr) reject(fmt::format("{} is NULL", name));
  return *pointer;
}
inline const char* required_text(const char* text, const char* name) {
  return &required(text, name);
}

/// Casts a handle to the wanted class. Throws an Error that says what the object is if it has
/// another kind.
Group& as_group(onecast_object* object, const char* name = "group");
const Group& as_group(const onecast_object* object, const char* name = "group");
Dataset& as_dataset(onecast_object* object, const char* name = "dataset");
const Dataset& as_dataset(const onecast_object* object, const char* name = "dataset");
Object& as_object(onecast_object* object, const char* name = "object");
const Object& as_object(const onecast_object* object, const char* name = "object");

/// Returns a handle of the object, unless `out` is NULL.
template <class T>
void give_object(onecast_object** out, const T& object) {
  if (out != nullptr) *out = new onecast_object{object};
}
/// Returns a handle of an anonymous object, which must not be lost: `out` is required.
template <class T>
void give_anonymous(onecast_object** out, const T& make) {
  required(out, "created");
  give_object(out, make());
}
inline void give_type(onecast_type** out, const Datatype& type) {
  required(out, "type");
  *out = new onecast_type{type};
}
/// Opens the object, of this kind, to which a path or a reference leads.
template <class Where>
void open_any(const Group& group, const Where& where, ObjectKind kind, onecast_object** out) {
  if (kind == ObjectKind::group) return give_object(out, group.open_group(where));
  if (kind == ObjectKind::dataset) return give_object(out, group.open_dataset(where));
  give_object(out, group.open_object(where));
}

/// The type behind a handle; absent if the handle is NULL.
inline std::optional<Datatype> optional_type(const onecast_type* type) {
  return type != nullptr ? std::optional(type->value) : std::nullopt;
}

}  // namespace onecast::capi
