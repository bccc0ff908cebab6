#include <algorithm>
#include <onecast/objects/details.hpp>
#include <onecast/objects/structure_sizes.hpp>
#include <string_view>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "calls/visit.hpp"
#include "library/guarded.hpp"
#include "values/creation.hpp"
#include "values/lists.hpp"

namespace onecast_hdf5 {
namespace {

void* create(void* object, const h5::Location* where, const char* name, h5::Id link,
             h5::Id creation, h5::Id access, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return create_object(
      on, "group create", h5::IdType::group,
      [&] {
        const onecast::GroupOptions options = group_options_of(on, creation);
        return created_at(
            on, name, link,
            [&](onecast::Group root) { return root.create_anonymous_group(options); },
            [&](onecast::Group& group, const std::string& path) {
              return group.create_group(path, options);
            });
      },
      [&](void* native) {
        return on.library.call.H5VLgroup_create(native, where, on.library.native(), name, link,
                                                creation, access, transfer, request);
      });
}

void* open_group(void* object, const h5::Location* where, const char* name, h5::Id access,
                 h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return open(
      on, "group open", h5::IdType::group,
      [&] { return open_kind(h5::IdType::group, on, *where, name, access); },
      [&](void* native) {
        return on.library.call.H5VLgroup_open(native, where, on.library.native(), name, access,
                                              transfer, request);
      });
}

h5::GroupStorage storage_of(const onecast::Group& group) {
  switch (onecast::link_storage_of(group)) {
    case onecast::LinkStorage::symbol_table:
      return h5::GroupStorage::symbol_table;
    case onecast::LinkStorage::compact:
      return h5::GroupStorage::compact;
    case onecast::LinkStorage::dense:
      break;
  }
  return h5::GroupStorage::dense;
}

h5::GroupInfo info_of(const onecast::Group& group) {
  h5::GroupInfo info{};
  info.links = group.link_count();
  info.storage = storage_of(group);
  if (info.links > 0 && group.tracks_link_order())
    if (const auto last = group.nth_link(0, onecast::Order::creation_descending))
      info.max_creation_order = static_cast<std::int64_t>(last->creation_order.value_or(0)) + 1;
  return info;
}

NotServed serve(Handle& on, h5::GroupGet& args) {
  if (args.op == h5::GroupGet::creation_list) {
    if (!on.group) return "an object of another kind";
    args.id = group_creation_list(on);
    return args.id < 0 ? "properties that only the native library tells" : kDone;
  }
  const Located found(on, args.get_info.where);
  if (!found->group) return "an object of another kind";
  *args.get_info.info = info_of(*found->group);
  return kDone;
}

h5::Status get(void* object, h5::GroupGet* args, h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"group get: creation list", "group get: info"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *args); },
      [&](void* native) {
        return on.library.call.H5VLgroup_get(native, on.library.native(), args, transfer, request);
      });
}

/// Objects of a file in which another is mounted are no longer those of the file: the native
/// library has to have both open.
bool is_ready_to_mount(Handle& on, const char* call) {
  return !on.is_served() || is_handed_over(on, call, "files that are mounted");
}

h5::Status specific(void* object, h5::GroupSpecific* args, h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"group mount", "group unmount", "group flush", "group refresh"};
  Handle& on = handle(object);
  const char* const call = kCalls[args->op];
  if (args->op <= h5::GroupSpecific::unmount && !is_ready_to_mount(on, call)) return -1;
  if (args->op == h5::GroupSpecific::mount && !is_ready_to_mount(handle(args->child.file), call))
    return -1;
  h5::GroupSpecific passed = *args;
  return answer(
      on, call,
      [&]() -> NotServed {
        if (args->op == h5::GroupSpecific::flush) on.opening->flush();
        return kDone;
      },
      [&](void* native) {
        if (args->op == h5::GroupSpecific::mount) {
          passed.child.file = native_of(args->child.file);
          if (passed.child.file == nullptr) return -1;
        }
        return on.library.call.H5VLgroup_specific(native, on.library.native(), &passed, transfer,
                                                  request);
      });
}

enum Op : int { iterate_old, object_state };

struct StateOf {
  h5::Location where;
  bool follows;
  h5::ObjectState* state;
};

/// H5Gget_objinfo. In files that are written, the sizes of the object header stay 0.
h5::ObjectState state_of(const Handle& on, const StateOf& args) {
  h5::ObjectState state{};
  const bool is_object =
      args.where.type == h5::LocationType::name && std::string_view(args.where.by_name.name) == ".";
  if (!args.follows && !is_object) {
    const LinkAt found = link_at(on, args.where);
    if (!found.link) throw UseShadow{"a link that does not exist"};
    if (found.link->kind != onecast::LinkKind::hard) {
      constexpr int kSoft = 3;
      constexpr int kOther = 4;
      const bool is_soft = found.link->kind == onecast::LinkKind::soft;
      state.type = is_soft ? kSoft : kOther;
      if (is_soft) state.link_length = found.link->target.size() + 1;
      return state;
    }
  }
  const Located found(on, args.where);
  const auto details = onecast::details_of(found->object);
  const auto times = times_of(found->object);
  state.file_number[0] = found->opening->number();
  state.object_number[0] = found->object.reference().address.value();
  state.link_count = details.reference_count;
  state.type = static_cast<int>(object_type(found->object.kind()));
  state.modification_time = times ? times->change : 0;
  if (found->opening->is_written()) return state;  // the header is not in the file yet
  const auto header = onecast::sizes_of(found->object).header;
  state.header = {header.total, header.free, header.messages, header.blocks};
  return state;
}

h5::Status optional(void* object, h5::Optional* args, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return answer(
      on, args->op == object_state ? "group: object info of old programs" : "group: old iteration",
      [&]() -> NotServed {
        if (args->op != object_state) return "only the native library does this";
        const auto& asked = *static_cast<const StateOf*>(args->args);
        const h5::ObjectState state = state_of(on, asked);
        // A program that asks whether the object exists gives no room.
        if (asked.state != nullptr) *asked.state = state;
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLgroup_optional(native, on.library.native(), args, transfer,
                                                  request);
      });
}

h5::Status close(void* object, h5::Id transfer, void** request) {
  return close_object(handle(object), [&](Library& library, void* native) {
    return library.call.H5VLgroup_close(native, library.native(), transfer, request);
  });
}

}  // namespace

const h5::GroupCalls kGroupCalls{kGuarded<create>,   kGuarded<open_group>, kGuarded<get>,
                                 kGuarded<specific>, kGuarded<optional>,   kGuarded<close>};

}  // namespace onecast_hdf5
