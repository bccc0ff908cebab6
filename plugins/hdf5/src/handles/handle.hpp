#pragma once

#include <memory>
#include <mutex>
#include <onecast/onecast.hpp>
#include <optional>
#include <string>

#include "library/library.hpp"

namespace onecast_hdf5 {

class Opening;

/// An object of the program's: what the library holds for the connector, and passes to callbacks.
/// Either Onecast serves it, or the native library does.
struct Handle {
  /// Makes the handle of an object that the native library serves.
  Handle(Library& library, h5::IdType type, void* native);
  /// Makes the handle of an object that Onecast serves.
  Handle(std::shared_ptr<Opening> opening, h5::IdType type);
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();

  Library& library;
  h5::IdType type;
  /// The file that Onecast has open for this object; null: the native library serves the object.
  std::shared_ptr<Opening> opening;
  [[nodiscard]] bool is_served() const { return opening != nullptr; }

  // --- of an object that Onecast serves
  onecast::Object object{};                       ///< of an attribute: its owner
  std::optional<onecast::Group> group{};          ///< if the object is one
  std::optional<onecast::Dataset> dataset{};      ///< if the object is one
  std::optional<onecast::Attribute> attribute{};  ///< if this is one
  /// The path by which the program opened the object; empty: unknown, as for one that was opened by
  /// its address.
  std::string path{};
  /// True if no path leads to the object any more, or yet.
  bool has_no_path = false;

  /// The next and the previous handle of the opening.
  Handle* next = nullptr;
  Handle* previous = nullptr;

  /// True if the type of the dataset or attribute is known to be no committed one.
  bool has_own_type = false;
  /// What H5Aget_info says of the attribute, once it was asked for.
  std::optional<h5::AttributeInfo> attribute_info{};

  /// The handle for which this one answers at the moment; null: for itself.
  Handle* stands_for = nullptr;

  /// Keeps the note that a native file is open for writing, as long as one of its objects is open.
  std::shared_ptr<const void> written{};

  /// From now on the native library serves the object.
  /// @param native the object, which belongs to the handle from then on; null: there is none, and
  /// the handle can only be closed
  void become_native(void* native);
  [[nodiscard]] bool is_of_nothing() const { return !is_served() && native_ == nullptr; }

  /// Keeps the access list with which the program created or opened a dataset.
  void keep_access(h5::Id list);
  /// Returns a copy of that list, or of the default.
  [[nodiscard]] h5::Id access_list() const;
  [[nodiscard]] bool has_access_list() const { return access_ >= 0; }

  /// The native object: this object's own, or that of the shadow, which is opened for it. Null if
  /// it cannot be opened; the error stack then says why.
  void* native() noexcept;
  /// Closes the native object of the shadow.
  void drop_shadow();
  /// The object at which the library looks when it takes this one for a native one.
  void* shown();
  /// The id of the type with which the library converts stored elements of a dataset or an
  /// attribute (stored_type_id). -1 if the library cannot make it.
  h5::Id stored_type();
  /// Properties of a dataset that are found out once.
  struct Storing {
    bool leaves_unwritten = false;  ///< elements that were never written are undefined
    bool filters_unknown = false;   ///< Onecast lacks a filter of the chunks, or its encoder
  };
  const Storing& storing();

 private:
  void* open_native();
  /// Takes the handle out of those of its opening.
  void leave_opening();
  void close_ids();

  void* native_ = nullptr;
  h5::Id shadow_ = h5::kNoId;  ///< keeps the shadow object open
  h5::Id shown_ = h5::kNoId;
  h5::Id stored_type_ = h5::kNoId;
  h5::Id access_ = h5::kNoId;
  std::optional<Storing> storing_{};
};

inline Handle& handle(const void* object) {
  auto* const given = static_cast<Handle*>(const_cast<void*>(object));
  return given->stands_for == nullptr ? *given : *given->stands_for;
}

/// While it exists, the library asks for handles themselves in place of what they show.
/// `asked` is the last one: null if the object of an id is not ours.
struct AskingForHandles {
  AskingForHandles() {
    on = true;
    asked = nullptr;
  }
  AskingForHandles(const AskingForHandles&) = delete;
  AskingForHandles& operator=(const AskingForHandles&) = delete;
  ~AskingForHandles() { on = false; }
  static thread_local bool on;
  static thread_local Handle* asked;
};

/// Registers a new id for a handle, which belongs to the id from then on. -1 if that fails.
h5::Id register_id(Handle* handle);
/// True while the library wraps this object, which is a handle already.
bool is_being_registered(const void* object);

/// While it exists, the library may wrap a handle without making a new one of it.
class Registering {
 public:
  explicit Registering(const void* object);
  Registering(const Registering&) = delete;
  Registering& operator=(const Registering&) = delete;
  ~Registering();

 private:
  const void* before_;
};

}  // namespace onecast_hdf5
