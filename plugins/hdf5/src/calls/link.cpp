#include <cstring>
#include <set>
#include <vector>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "calls/visit.hpp"
#include "library/guarded.hpp"

namespace onecast_hdf5 {
namespace {

/// Creates an external link from its value: version and flags, the file, the path.
void create_external(NewPlace& place, const void* value, std::size_t size) {
  const std::string_view bytes(static_cast<const char*>(value), size);
  const std::size_t file_end = bytes.find('\0', 1);
  const std::size_t end = file_end == bytes.npos ? bytes.npos : bytes.find('\0', file_end + 1);
  if (end == bytes.npos)
    throw Failure("H5E_LINK_g", "H5E_BADVALUE_g", "the value of an external link is damaged");
  place.group.create_external_link(place.path, bytes.substr(1, file_end - 1),
                                   bytes.substr(file_end + 1, end - file_end - 1));
}

void create_hard(NewPlace& place, const Handle& from, const h5::Location& where) {
  const Located target(from, where);
  place.group.create_hard_link(place.path, target->object);
  for (Handle* each : target->opening->handles_of_file())
    if (each->has_no_path && !each->attribute && each->object.same_object(target->object)) {
      each->path = place.whole;
      each->has_no_path = false;
    }
}

/// @param target the object that a location of a hard link's object begins at; or null
NotServed serve_create(Handle& on, const h5::LinkCreate& args, Handle* target,
                       const h5::Location& where, h5::Id creation) {
  if (where.type != h5::LocationType::name) return "a link without a name";
  if (args.op == h5::LinkCreate::user_defined && args.own.type != h5::kExternalLink)
    throw NeedsNative{"a user-defined link"};
  if (target != nullptr && (!target->is_served() || !target->opening->is_same_file(*on.opening)))
    throw Failure("H5E_LINK_g", "H5E_BADVALUE_g", "interfile hard links are not allowed");
  NewPlace place = new_place(on, where.by_name.name, creation);
  switch (args.op) {
    case h5::LinkCreate::hard:
      create_hard(place, target != nullptr ? *target : on, args.to.where);
      return kDone;
    case h5::LinkCreate::soft:
      place.group.create_soft_link(place.path, args.target);
      return kDone;
    case h5::LinkCreate::user_defined:
      create_external(place, args.own.value, args.own.size);
      return kDone;
  }
  return "unknown to Onecast";
}

h5::Status create(h5::LinkCreate* args, void* object, const h5::Location* where, h5::Id creation,
                  h5::Id access, h5::Id transfer, void** request) {
  Handle* const target = args->op == h5::LinkCreate::hard && args->to.object != nullptr
                             ? &handle(args->to.object)
                             : nullptr;
  Handle& on = object != nullptr ? handle(object) : *target;
  return change(
      on, "link create", [&] { return serve_create(on, *args, target, *where, creation); },
      [&](void*) {
        h5::LinkCreate passed = *args;
        if (target != nullptr) passed.to.object = target->native();
        void* const native = native_of(object);
        if ((object != nullptr && native == nullptr) ||
            (target != nullptr && passed.to.object == nullptr))
          return -1;
        return on.library.call.H5VLlink_create(&passed, native, where, on.library.native(),
                                               creation, access, transfer, request);
      });
}

const onecast::Link& existing(const LinkAt& found) {
  if (!found.link) throw UseShadow{"a link that does not exist"};
  return *found.link;
}

/// Moves a link, or makes a copy of it.
NotServed serve_between(bool moves, const Handle& from, const h5::Location& where_from,
                        const Handle& to, const h5::Location& where_to, h5::Id creation) {
  if (!from.is_served()) throw NeedsNative{"links of a file that the native library has open"};
  const LinkAt found = link_at(from, where_from);
  if (!found.link) throw Failure("H5E_LINK_g", "H5E_NOTFOUND_g", "name doesn't exist");
  const onecast::Link& link = *found.link;
  if ((moves || link.kind == onecast::LinkKind::hard) &&
      !to.opening->is_same_file(*found.group->opening))
    throw Failure("H5E_LINK_g", "H5E_BADVALUE_g", "the files are not the same");
  NewPlace place = new_place(to, where_to.by_name.name, creation);
  onecast::Group group = *found.group->group;
  if (moves) {
    const std::string before = joined(found.group->path, link.name);
    group.move(link.name, place.group, place.path);
    note_moved(*to.opening, before, place.whole);
    return kDone;
  }
  switch (link.kind) {
    case onecast::LinkKind::hard:
      place.group.create_hard_link(place.path, group.open_object(link));
      return kDone;
    case onecast::LinkKind::soft:
      place.group.create_soft_link(place.path, link.target);
      return kDone;
    case onecast::LinkKind::external:
      place.group.create_external_link(place.path, link.target_file, link.target);
      return kDone;
    case onecast::LinkKind::user_defined:
      place.group.create_user_defined_link(place.path, link.link_class, link.value);
      return kDone;
  }
  return "unknown to Onecast";
}

template <h5::LinkTransfer* h5::Functions::* Transfer>
h5::Status between(void* from, const h5::Location* where_from, void* to,
                   const h5::Location* where_to, h5::Id creation, h5::Id access, h5::Id transfer,
                   void** request) {
  constexpr bool kMoves = Transfer == &h5::Functions::H5VLlink_move;
  Handle& source = handle(from != nullptr ? from : to);
  Handle& target = handle(to != nullptr ? to : from);
  return change(
      target, kMoves ? "link move" : "link copy",
      [&] { return serve_between(kMoves, source, *where_from, target, *where_to, creation); },
      [&](void*) {
        void* const native_from = native_of(from);
        void* const native_to = native_of(to);
        if ((from != nullptr && native_from == nullptr) || (to != nullptr && native_to == nullptr))
          return -1;
        return (source.library.call.*Transfer)(native_from, where_from, native_to, where_to,
                                               source.library.native(), creation, access, transfer,
                                               request);
      });
}

/// The value of a link: the path of a soft link; of an external link its version and flags, the
/// file and the path; of another link what its creator stored.
std::vector<char> value_of(const onecast::Link& link) {
  std::vector<char> value;
  const auto append = [&](std::string_view text) {
    value.insert(value.end(), text.begin(), text.end());
    value.push_back('\0');
  };
  if (link.kind == onecast::LinkKind::external) {
    value.push_back(0);
    append(link.target_file);
  }
  if (link.kind == onecast::LinkKind::user_defined) {
    const auto* const bytes = reinterpret_cast<const char*>(link.value.data());
    value.assign(bytes, bytes + link.value.size());
  } else {
    append(link.target);
  }
  return value;
}

NotServed serve(Handle& on, const h5::Location& where, h5::LinkGet& args) {
  const LinkAt found = link_at(on, where);
  const onecast::Link& link = existing(found);
  switch (args.op) {
    case h5::LinkGet::info:
      // A program that asks whether the link exists gives no room.
      if (args.link != nullptr) *args.link = link_info(*found.group, link);
      return kDone;
    case h5::LinkGet::name:
      copy_text(link.name, args.get_name.text, args.get_name.size, args.get_name.length);
      return kDone;
    case h5::LinkGet::value: {
      if (link.kind == onecast::LinkKind::hard) return "a hard link has no value";
      if (link.kind == onecast::LinkKind::user_defined) return "a user-defined link";
      const auto value = value_of(link);
      if (args.get_value.bytes == nullptr) return kDone;
      const std::size_t size = std::min(value.size(), args.get_value.size);
      std::memcpy(args.get_value.bytes, value.data(), size);
      if (link.kind == onecast::LinkKind::soft && size > 0 && size < value.size())
        static_cast<char*>(args.get_value.bytes)[size - 1] = '\0';
      return kDone;
    }
  }
  return "unknown to Onecast";
}

h5::Status get(void* object, const h5::Location* where, h5::LinkGet* args, h5::Id transfer,
               void** request) {
  constexpr const char* kCalls[] = {"link get: info", "link get: name", "link get: value"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *where, *args); },
      [&](void* native) {
        return on.library.call.H5VLlink_get(native, where, on.library.native(), args, transfer,
                                            request);
      });
}

void remove(const Handle& on, const h5::Location& where) {
  const LinkAt found = link_at(on, where);
  if (!found.link) throw Failure("H5E_LINK_g", "H5E_NOTFOUND_g", "name doesn't exist");
  onecast::Group group = *found.group->group;
  const std::string name(found.link->name);
  group.remove(name, onecast::HeldObjects::kept);
  note_removed(*found.group->opening, joined(found.group->path, name));
}

NotServed serve(Handle& on, const h5::Location& where, h5::LinkSpecific& args, h5::Status& status) {
  switch (args.op) {
    case h5::LinkSpecific::exists:
      *args.exists_ = link_at(on, where).link.has_value();
      return kDone;
    case h5::LinkSpecific::iterate:
      status = args.each.recursive ? visit_links(on, where, args) : iterate_links(on, where, args);
      return kDone;
    case h5::LinkSpecific::remove:
      remove(on, where);
      return kDone;
  }
  return "unknown to Onecast";
}

h5::Status specific(void* object, const h5::Location* where, h5::LinkSpecific* args,
                    h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"link remove", "link exists", "link iterate"};
  Handle& on = handle(object);
  return answer_with_status(
      on, kCalls[args->op], [&](h5::Status& status) { return serve(on, *where, *args, status); },
      [&](void* native) {
        return on.library.call.H5VLlink_specific(native, where, on.library.native(), args, transfer,
                                                 request);
      },
      args->op == h5::LinkSpecific::remove ? Does::changes : Does::looks);
}

h5::Status optional(void* object, const h5::Location* where, h5::Optional* args, h5::Id transfer,
                    void** request) {
  Handle& on = handle(object);
  return by_native(on, "link: other", [&](void* native) {
    return on.library.call.H5VLlink_optional(native, where, on.library.native(), args, transfer,
                                             request);
  });
}

}  // namespace

const h5::LinkCalls kLinkCalls{kGuarded<create>,
                               kGuarded<between<&h5::Functions::H5VLlink_copy>>,
                               kGuarded<between<&h5::Functions::H5VLlink_move>>,
                               kGuarded<get>,
                               kGuarded<specific>,
                               kGuarded<optional>};

}  // namespace onecast_hdf5
