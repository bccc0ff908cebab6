#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "handles/handle.hpp"
#include "handles/why_native.hpp"

namespace onecast_hdf5 {

/// Returns the path of an object from that of a location; empty if that is unknown.
std::string joined(const std::string& from, std::string_view path);

/// Throw Failure if a file that this one names, or a path in it, leads to one that Onecast writes
/// for another library of the process. Onecast would share what it has of it in memory, but the
/// other library may be in another thread.
void require_unwritten(const Handle& from, std::string_view file);
void require_unwritten_path(const Handle& from, const onecast::Group& base, std::string_view path);

/// Open the object at a path, from a link of a group, or at an address. They throw Failure if there
/// is none, and UseShadow.
/// @param link_access the program's list, whose settings may make the shadow necessary
std::unique_ptr<Handle> open_path(const Handle& from, std::string_view path, h5::Id link_access);
std::unique_ptr<Handle> open_link(const Handle& group, const onecast::Link& link);
std::unique_ptr<Handle> open_token(const Handle& from, const h5::Token& token);
/// Opens the object at a path, or without one the object that the location names.
std::unique_ptr<Handle> open_at(const Handle& from, const h5::Location& where, const char* path,
                                h5::Id link_access);
/// Opens it as open_at() does. Throws UseShadow if it is of another kind.
std::unique_ptr<Handle> open_kind(h5::IdType kind, const Handle& from, const h5::Location& where,
                                  const char* path, h5::Id link_access);
/// Another handle of the same object.
std::unique_ptr<Handle> copy_of(const Handle& object);

/// Make the handle of an object that was reached from a location.
std::unique_ptr<Handle> handle_of(const Handle& from, const onecast::Object& object);
std::unique_ptr<Handle> handle_of(const Handle& from, const onecast::Group& group);
std::unique_ptr<Handle> handle_of(const Handle& from, const onecast::Dataset& dataset);

/// A place for a new link: a path that does not exist yet, from a group on.
struct NewPlace {
  onecast::Group group;
  std::string path;
  std::string whole;  ///< the path from the root group on; empty: unknown
};
/// Finds the place of a new link. Throws Failure if the path exists, or if a group on it is missing
/// and the list does not ask to create it.
/// @param link the program's list for the creation of the link
NewPlace new_place(const Handle& from, const char* path, h5::Id link);

/// Give handles the path that their objects have after a link was moved or removed.
/// @param from, to paths of the link from the root group on; empty: unknown
void note_moved(const Opening& opening, const std::string& from, const std::string& to);
void note_removed(const Opening& opening, const std::string& path);

/// The object that a location names: that of the handle itself, or another.
class Located {
 public:
  Located(const Handle& from, const h5::Location& where);
  const Handle& operator*() const { return *at_; }
  const Handle* operator->() const { return at_; }
  [[nodiscard]] std::unique_ptr<Handle> take();

 private:
  std::unique_ptr<Handle> own_;
  const Handle* at_;
};

/// The link that a location names, by its name or its position in a group, and its group.
struct LinkAt {
  std::unique_ptr<Handle> own;  ///< the group, if the location is not it
  const Handle* group = nullptr;
  std::optional<onecast::Link> link{};  ///< absent: there is none
};
LinkAt link_at(const Handle& from, const h5::Location& where);

/// Returns the order in which the program lists links or attributes.
onecast::Order order_of(h5::IndexType index, h5::IterationOrder order);
/// Returns the order for attributes, which also have an order in which they are stored.
onecast::Order order_of_attributes(const onecast::Object& owner, h5::IndexType index,
                                   h5::IterationOrder order);
/// Returns the order for links of a group. They have an order of creation only if the group tracks
/// it; else this throws UseShadow.
onecast::Order order_of_links(const onecast::Group& group, h5::IndexType index,
                              h5::IterationOrder order);

h5::Token token_of(const onecast::Object& object);
h5::Token token_of(std::uint64_t address);
h5::IdType id_type(onecast::ObjectKind kind);
h5::ObjectType object_type(onecast::ObjectKind kind);

/// Copies a text as the library does: with a terminator, cut to the memory that there is.
void copy_text(std::string_view text, char* out, std::size_t size, std::size_t* length);

}  // namespace onecast_hdf5
