#include "handles/locate.hpp"

#include <algorithm>
#include <cstring>

#include "handles/opening.hpp"
#include "handles/written_files.hpp"
#include "library/errors.hpp"

namespace onecast_hdf5 {
namespace {

/// The group from which a path leads on.
onecast::Group base_of(const Handle& from, std::string_view path) {
  if (from.group) return *from.group;
  if (path.starts_with('/')) return from.opening->file().root();
  throw UseShadow{"a path from an object that is not a group"};
}

template <class Key>
std::unique_ptr<Handle> opened(const Handle& from, const onecast::Group& group, const Key& key,
                               onecast::ObjectKind kind) {
  switch (kind) {
    case onecast::ObjectKind::group:
      return handle_of(from, group.open_group(key));
    case onecast::ObjectKind::dataset:
      return handle_of(from, group.open_dataset(key));
    default:
      return handle_of(from, group.open_object(key));
  }
}

struct Locking {
  bool locks = true;
  bool ignores_disabled = false;
  bool operator==(const Locking&) const = default;
};
Locking locking_of(Library& library, h5::Id access) {
  Locking found;
  library.call.H5Pget_file_locking(access, &found.locks, &found.ignores_disabled);
  return found;
}

/// True if the program asks for other files to be looked for, or opened, in a way of its own.
bool has_special_access(const Handle& from, h5::Id list) {
  const h5::Functions& call = from.library.call;
  if (list == from.library.default_link_access() || list <= 0) return false;
  void* callback = nullptr;
  void* data = nullptr;
  if (call.H5Pget_elink_prefix(list, nullptr, 0) > 0 ||
      (call.H5Pget_elink_cb(list, &callback, &data) >= 0 && callback != nullptr))
    return true;
  constexpr unsigned kAsFile = 0xffff;
  const unsigned as_file = from.opening->is_written() ? h5::kReadWrite : 0U;
  unsigned flags = kAsFile;
  if (call.H5Pget_elink_acc_flags(list, &flags) >= 0 && flags != kAsFile && flags != as_file)
    return true;
  const h5::Id access = call.H5Pget_elink_fapl(list);
  if (access <= 0) return false;
  const bool same_locks =
      locking_of(from.library, access) == locking_of(from.library, from.opening->access_list());
  call.H5Pclose(access);
  return !same_locks;
}

/// Takes the first name off a path, and returns it; empty: no name is left.
std::string_view take_name(std::string_view& path) {
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const auto part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (!part.empty() && part != ".") return part;
  }
  return {};
}

/// The path, in the file to which an external link led, by which an object was reached; empty if a
/// soft link led on.
std::string path_outside(onecast::Group at, std::string_view path) {
  std::string outside;
  for (auto part = take_name(path); !part.empty(); part = take_name(path)) {
    const auto link = at.find_link(part);
    if (!link || (link->kind == onecast::LinkKind::soft && outside.empty())) return {};
    if (link->kind == onecast::LinkKind::external)
      outside = joined("/", link->target);
    else if (!outside.empty())
      outside = joined(outside, part);
    if (!path.empty()) at = at.open_group(*link);
  }
  return outside;
}

/// True if a path may lead to another file.
bool may_lead_outside(onecast::Group at, std::string_view path) {
  for (auto part = take_name(path); !part.empty(); part = take_name(path)) {
    const auto link = at.find_link(part);
    if (!link) return false;
    if (link->kind != onecast::LinkKind::hard) return true;
    if (!path.empty()) at = at.open_group(*link);
  }
  return false;
}

/// Refuses a path that leads to a file which Onecast writes for another library, after so many soft
/// links.
void require_unwritten_along(const Handle& from, onecast::Group at, std::string_view path,
                             int soft_links) {
  constexpr int kMostSoftLinks = 16;
  for (auto part = take_name(path); !part.empty(); part = take_name(path)) {
    const auto link = at.find_link(part);
    if (!link) return;
    if (link->kind == onecast::LinkKind::external) require_unwritten(from, link->target_file);
    if (link->kind == onecast::LinkKind::soft && soft_links < kMostSoftLinks) {
      const auto base = link->target.starts_with('/') ? at.file().root() : at;
      const auto whole = std::string(link->target).append("/").append(path);
      return require_unwritten_along(from, base, whole, soft_links + 1);
    }
    if (link->kind != onecast::LinkKind::hard) return;
    if (!path.empty()) at = at.open_group(*link);
  }
}

/// Says that there is no object at a path: as the native library does, which is asked if a link
/// there leads nowhere.
[[noreturn]] void fail_to_find(const onecast::Group& group, std::string_view path) {
  if (group.contains(path)) throw UseShadow{"a link that leads nowhere"};
  const std::size_t slash = path.find_last_of('/');
  const auto parent = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  const auto kind = parent.empty() ? onecast::ObjectKind::group : group.kind_of(parent);
  if (kind && kind != onecast::ObjectKind::group) throw UseShadow{"a path through a dataset"};
  if (!kind) throw Failure("H5E_SYM_g", "H5E_NOTFOUND_g", "component not found");
  throw Failure("H5E_SYM_g", "H5E_NOTFOUND_g",
                "object '" + std::string(path.substr(slash + 1)) + "' doesn't exist");
}

}  // namespace

h5::IdType id_type(onecast::ObjectKind kind) {
  switch (kind) {
    case onecast::ObjectKind::group:
      return h5::IdType::group;
    case onecast::ObjectKind::dataset:
      return h5::IdType::dataset;
    default:
      return h5::IdType::datatype;
  }
}

h5::ObjectType object_type(onecast::ObjectKind kind) {
  switch (kind) {
    case onecast::ObjectKind::group:
      return h5::ObjectType::group;
    case onecast::ObjectKind::dataset:
      return h5::ObjectType::dataset;
    default:
      return h5::ObjectType::datatype;
  }
}

h5::Token token_of(std::uint64_t address) {
  h5::Token token{};
  std::memcpy(token.bytes, &address, sizeof address);
  return token;
}

h5::Token token_of(const onecast::Object& object) {
  return token_of(object.reference().address.value());
}

void copy_text(std::string_view text, char* out, std::size_t size, std::size_t* length) {
  if (length != nullptr) *length = text.size();
  if (out == nullptr || size == 0) return;
  const std::size_t copied = std::min(text.size(), size - 1);
  std::memcpy(out, text.data(), copied);
  out[copied] = '\0';
}

std::string joined(const std::string& from, std::string_view path) {
  if (from.empty() && !path.starts_with('/')) return {};
  std::string whole = path.starts_with('/') || from == "/" ? std::string() : from;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const auto part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (!part.empty() && part != ".") whole.append("/").append(part);
  }
  return whole.empty() ? "/" : whole;
}

std::unique_ptr<Handle> handle_of(const Handle& from, const onecast::Object& object) {
  auto made = std::make_unique<Handle>(from.opening->of(object), id_type(object.kind()));
  made->object = object;
  return made;
}

std::unique_ptr<Handle> handle_of(const Handle& from, const onecast::Group& group) {
  auto made = handle_of(from, static_cast<const onecast::Object&>(group));
  made->group = group;
  return made;
}

std::unique_ptr<Handle> handle_of(const Handle& from, const onecast::Dataset& dataset) {
  auto made = handle_of(from, static_cast<const onecast::Object&>(dataset));
  made->dataset = dataset;
  return made;
}

NewPlace new_place(const Handle& from, const char* path, h5::Id link) {
  std::string_view rest = path;
  while (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t slash = rest.find_last_of('/');
  const std::string_view name = rest.substr(slash + 1);
  if (name.empty() || name == ".")
    throw Failure("H5E_SYM_g", "H5E_EXISTS_g", "name already exists");
  NewPlace place{base_of(from, rest), std::string(rest), joined(from.path, rest)};
  if (place.group.contains(rest)) throw Failure("H5E_SYM_g", "H5E_EXISTS_g", "name already exists");
  if (slash == std::string_view::npos || slash == 0) return place;
  const auto parent = place.group.kind_of(rest.substr(0, slash));
  unsigned creates = 0;
  if (parent == onecast::ObjectKind::group) return place;
  if (parent) throw Failure("H5E_SYM_g", "H5E_NOTFOUND_g", "not a group");
  from.library.call.H5Pget_create_intermediate_group(link, &creates);
  if (creates == 0) throw Failure("H5E_SYM_g", "H5E_NOTFOUND_g", "component not found");
  return place;
}

namespace {

/// Calls `change` with the handles of the objects at a path and below it.
template <class Change>
void for_each_below(const Opening& opening, const std::string& path, Change change) {
  if (path.empty()) return;
  for (Handle* each : opening.handles_of_file())
    if (each->path.starts_with(path) &&
        (each->path.size() == path.size() || each->path[path.size()] == '/'))
      change(*each);
}

}  // namespace

void note_moved(const Opening& opening, const std::string& from, const std::string& to) {
  for_each_below(opening, from, [&](Handle& handle) {
    handle.path = to.empty() ? std::string() : to + handle.path.substr(from.size());
  });
}

void note_removed(const Opening& opening, const std::string& path) {
  for_each_below(opening, path, [](Handle& handle) {
    handle.path.clear();
    handle.has_no_path = true;
  });
}

std::unique_ptr<Handle> copy_of(const Handle& object) {
  const auto kind = object.object.kind();
  auto made = std::make_unique<Handle>(object.opening, id_type(kind));
  made->object = object.object;
  made->group = object.group;
  made->dataset = object.dataset;
  made->path = object.path;
  made->has_no_path = object.has_no_path;
  if (object.type == h5::IdType::attribute) {
    // The owner of an attribute is known without its kind's own functions.
    const onecast::Reference reference = object.object.reference();
    const onecast::Group root = object.opening->file().root();
    if (kind == onecast::ObjectKind::group) made->group = root.open_group(reference);
    if (kind == onecast::ObjectKind::dataset) made->dataset = root.open_dataset(reference);
  }
  return made;
}

void require_unwritten(const Handle& from, std::string_view file) {
  const std::string name(file);
  const std::string beside = from.opening->folder() + name.substr(name.rfind('/') + 1);
  for (const std::string& path : {name, from.opening->folder() + name, beside})
    if (WrittenFiles::is_of_other_library(path.c_str(), from.library))
      throw Failure("H5E_FILE_g", "H5E_CANTOPENFILE_g",
                    "unable to lock file: another HDF5 library of this process has " + path +
                        " open for writing");
}

void require_unwritten_path(const Handle& from, const onecast::Group& base, std::string_view path) {
  if (WrittenFiles::any_of_other_library(from.library))
    require_unwritten_along(from, base, path, 0);
}

std::unique_ptr<Handle> open_path(const Handle& from, std::string_view path, h5::Id link_access) {
  if (path == ".") return copy_of(from);
  const onecast::Group base = base_of(from, path);
  require_unwritten_path(from, base, path);
  std::unique_ptr<Handle> made;
  try {
    const auto kind = base.kind_of(path);
    if (!kind) fail_to_find(base, path);
    made = opened(from, base, path, *kind);
  } catch (const onecast::Error& error) {
    if (error.code() == onecast::ErrorCode::not_found) fail_to_find(base, path);
    if (WrittenFiles::any_native() && may_lead_outside(base, path))
      throw UseShadow{"a file that the native library may be writing"};
    throw;
  }
  const bool is_outside = made->opening != from.opening;
  if (is_outside && WrittenFiles::is_native(made->opening->name().c_str()))
    throw UseShadow{"a file that the native library is writing"};
  if (is_outside && has_special_access(from, link_access))
    throw UseShadow{"external links with settings of their own"};
  made->path = is_outside ? path_outside(base, path) : joined(from.path, path);
  return made;
}

std::unique_ptr<Handle> open_at(const Handle& from, const h5::Location& where, const char* path,
                                h5::Id link_access) {
  return path == nullptr ? Located(from, where).take() : open_path(from, path, link_access);
}

std::unique_ptr<Handle> open_kind(h5::IdType kind, const Handle& from, const h5::Location& where,
                                  const char* path, h5::Id link_access) {
  auto found = open_at(from, where, path, link_access);
  if (found->type != kind) throw UseShadow{"an object of another kind"};
  return found;
}

std::unique_ptr<Handle> open_link(const Handle& group, const onecast::Link& link) {
  auto made = opened(group, *group.group, link, group.group->kind_of(link));
  made->path = made->opening == group.opening ? joined(group.path, link.name) : made->object.path();
  return made;
}

std::unique_ptr<Handle> open_token(const Handle& from, const h5::Token& token) {
  std::uint64_t address = 0;
  std::memcpy(&address, token.bytes, sizeof address);
  if (address == 0 || address == h5::kNoAddress)
    throw Failure("H5E_REFERENCE_g", "H5E_BADVALUE_g", "undefined reference pointer");
  const onecast::Reference reference{.address = address};
  const onecast::Group root = from.opening->file().root();
  return opened(from, root, reference, root.kind_of(reference));
}

onecast::Order order_of(h5::IndexType index, h5::IterationOrder order) {
  const bool down = order == h5::IterationOrder::decreasing;
  if (index == h5::IndexType::creation_order)
    return down ? onecast::Order::creation_descending : onecast::Order::creation;
  return down ? onecast::Order::name_descending : onecast::Order::name;
}

onecast::Order order_of_attributes(const onecast::Object& owner, h5::IndexType index,
                                   h5::IterationOrder order) {
  if (order != h5::IterationOrder::native) return order_of(index, order);
  // This order is that of the object header, which the heap of many attributes does not tell.
  try {
    static_cast<void>(owner.nth_attribute(0, onecast::Order::creation));
    return onecast::Order::creation;
  } catch (const onecast::Error& error) {
    if (error.code() != onecast::ErrorCode::invalid_argument) throw;
    return onecast::Order::name;
  }
}

onecast::Order order_of_links(const onecast::Group& group, h5::IndexType index,
                              h5::IterationOrder order) {
  if (index == h5::IndexType::creation_order && !group.tracks_link_order())
    throw UseShadow{"an order of creation that the group does not track"};
  return order_of(index, order);
}

LinkAt link_at(const Handle& from, const h5::Location& where) {
  LinkAt found;
  if (where.type == h5::LocationType::index) {
    const auto& by = where.by_index;
    found.own = open_path(from, by.name, by.access);
    found.group = found.own.get();
    if (!found.group->group) throw UseShadow{"an object of another kind"};
    found.link =
        found.group->group->nth_link(by.n, order_of_links(*found.group->group, by.index, by.order));
    if (!found.link) throw UseShadow{"a position behind the last link"};
    return found;
  }
  if (where.type != h5::LocationType::name) throw UseShadow{"a link without a name"};
  std::string_view path = where.by_name.name;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.find_last_of('/');
  const std::string_view name = path.substr(slash + 1);
  if (name.empty() || name == ".") throw UseShadow{"a link without a name"};
  if (slash == std::string_view::npos && from.group) {
    found.group = &from;
  } else {
    found.own = open_path(from, slash == 0 ? "/" : path.substr(0, std::min(slash, path.size())),
                          where.by_name.access);
    found.group = found.own.get();
  }
  if (!found.group->group) throw UseShadow{"an object of another kind"};
  found.link = found.group->group->find_link(name);
  return found;
}

Located::Located(const Handle& from, const h5::Location& where) : at_(&from) {
  switch (where.type) {
    case h5::LocationType::self:
      return;
    case h5::LocationType::name:
      own_ = open_path(from, where.by_name.name, where.by_name.access);
      break;
    case h5::LocationType::token:
      own_ = open_token(from, *where.by_token.token);
      break;
    case h5::LocationType::index: {
      const LinkAt found = link_at(from, where);
      own_ = open_link(*found.group, *found.link);
      break;
    }
  }
  at_ = own_.get();
}

std::unique_ptr<Handle> Located::take() { return own_ ? std::move(own_) : copy_of(*at_); }

}  // namespace onecast_hdf5
