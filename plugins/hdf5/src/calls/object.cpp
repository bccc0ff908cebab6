#include <onecast/objects/structure_sizes.hpp>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "calls/visit.hpp"
#include "handles/written_files.hpp"
#include "library/guarded.hpp"

namespace onecast_hdf5 {
namespace {

void* open_object(void* object, const h5::Location* where, h5::IdType* type, h5::Id transfer,
                  void** request) {
  Handle& on = handle(object);
  return open(
      on, "object open", *type,
      [&] {
        auto found = Located(on, *where).take();
        *type = found->type;
        return found;
      },
      [&](void* native) {
        return on.library.call.H5VLobject_open(native, where, on.library.native(), type, transfer,
                                               request);
      });
}

onecast::CopyOptions copy_options(Library& library, h5::Id copying) {
  constexpr unsigned kShallow = 0x1;
  constexpr unsigned kExpandSoft = 0x2;
  constexpr unsigned kExpandExternal = 0x4;
  constexpr unsigned kExpandReferences = 0x8;
  constexpr unsigned kWithoutAttributes = 0x10;
  constexpr unsigned kMergeTypes = 0x20;
  unsigned flags = 0;
  library.call.H5Pget_copy_object(copying, &flags);
  return {.shallow = (flags & kShallow) != 0,
          .expand_soft = (flags & kExpandSoft) != 0,
          .expand_external = (flags & kExpandExternal) != 0,
          .expand_references = (flags & kExpandReferences) != 0,
          .without_attributes = (flags & kWithoutAttributes) != 0,
          .merge_committed_types = (flags & kMergeTypes) != 0};
}

NotServed serve_copy(Handle& from, const h5::Location& where, const char* name, Handle& to,
                     const char* name_to, h5::Id copying, h5::Id link) {
  if (!from.is_served()) throw NeedsNative{"copies from a file that the native library has open"};
  const auto options = copy_options(to.library, copying);
  const auto source = open_at(from, where, name, from.library.default_link_access());
  NewPlace place = new_place(to, name_to, link);
  place.group.copy(source->object, place.path, options);
  return kDone;
}

h5::Status copy(void* from, const h5::Location* where_from, const char* name_from, void* to,
                const h5::Location* where_to, const char* name_to, h5::Id copying, h5::Id link,
                h5::Id transfer, void** request) {
  Handle& on = handle(from);
  Handle& target = handle(to);
  const auto by_library = [&](void*) {
    void* const native_from = on.native();
    void* const native_to = target.native();
    if (native_from == nullptr || native_to == nullptr) return -1;
    return on.library.call.H5VLobject_copy(native_from, where_from, name_from, native_to, where_to,
                                           name_to, on.library.native(), copying, link, transfer,
                                           request);
  };
  return change(
      target, "object copy",
      [&] { return serve_copy(on, *where_from, name_from, target, name_to, copying, link); },
      by_library);
}

NotServed serve(Handle& on, const h5::Location& where, h5::ObjectGet& args) {
  switch (args.op) {
    case h5::ObjectGet::file:
      *args.opened_file = on.opening->shown_file();
      return kDone;
    case h5::ObjectGet::name: {
      const Located found(on, where);
      const bool is_unknown = found->path.empty() && !found->has_no_path;
      const std::string searched = is_unknown ? found->object.path() : std::string();
      copy_text(is_unknown           ? searched
                : found->has_no_path ? std::string_view()
                                     : found->path,
                args.get_name.text, args.get_name.size, args.get_name.length);
      return kDone;
    }
    case h5::ObjectGet::type:
      *args.kind = object_type(Located(on, where)->object.kind());
      return kDone;
    case h5::ObjectGet::info:
      *args.get_info.info = object_info(*Located(on, where), args.get_info.fields);
      return kDone;
  }
  return "unknown to Onecast";
}

h5::Status get(void* object, const h5::Location* where, h5::ObjectGet* args, h5::Id transfer,
               void** request) {
  constexpr const char* kCalls[] = {"object get: file", "object get: name", "object get: type",
                                    "object get: info"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *where, *args); },
      [&](void* native) {
        return on.library.call.H5VLobject_get(native, where, on.library.native(), args, transfer,
                                              request);
      });
}

/// True if there is an object at a path: a link that leads nowhere is none.
bool exists(const Handle& on, const h5::Location& where) {
  if (where.type != h5::LocationType::name) throw UseShadow{"an object without a name"};
  const std::string_view path = where.by_name.name;
  if (path == ".") return true;
  if (WrittenFiles::any_native())
    throw UseShadow{"a path that may lead to a file that is being written"};
  const onecast::Group base = on.group ? *on.group : on.opening->file().root();
  if (!on.group && !path.starts_with('/'))
    throw UseShadow{"a path from an object that is not a group"};
  require_unwritten_path(on, base, path);
  if (base.kind_of(path)) return true;
  if (!base.contains(path) && !link_at(on, where).link) return false;
  throw UseShadow{"a link that leads nowhere"};
}

NotServed serve(Handle& on, const h5::Location& where, h5::ObjectSpecific& args,
                h5::Status& status) {
  switch (args.op) {
    case h5::ObjectSpecific::exists:
      *args.exists_ = exists(on, where);
      return kDone;
    case h5::ObjectSpecific::lookup:
      *args.token = token_of(Located(on, where)->object);
      return kDone;
    case h5::ObjectSpecific::visit:
      status = visit_objects(on, where, args);
      return kDone;
    case h5::ObjectSpecific::flush:
      on.opening->flush();
      return kDone;
    case h5::ObjectSpecific::refresh:
      return kDone;
    case h5::ObjectSpecific::change_count: {
      onecast::Object object = Located(on, where)->object;
      object.change_link_count(args.change);
      return kDone;
    }
  }
  return "unknown to Onecast";
}

h5::Status specific(void* object, const h5::Location* where, h5::ObjectSpecific* args,
                    h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"object: change the link count",
                                    "object exists",
                                    "object lookup",
                                    "object visit",
                                    "object flush",
                                    "object refresh"};
  Handle& on = handle(object);
  return answer_with_status(
      on, kCalls[args->op], [&](h5::Status& status) { return serve(on, *where, *args, status); },
      [&](void* native) {
        return on.library.call.H5VLobject_specific(native, where, on.library.native(), args,
                                                   transfer, request);
      },
      args->op == h5::ObjectSpecific::change_count ? Does::changes : Does::looks);
}

enum Op : int { get_comment, set_comment, native_info_of = 5 };

struct CommentOf {
  std::size_t size;
  void* text;
  std::size_t* length;
};

struct NativeInfoOf {
  unsigned fields;
  h5::NativeInfo* info;
};

/// The header and the structures beside it; see H5Oget_native_info.
h5::NativeInfo native_info(const onecast::Object& object, unsigned fields) {
  const auto sizes = onecast::sizes_of(object);
  const auto& header = sizes.header;
  h5::NativeInfo info{};
  if ((fields & h5::kNativeHeader) != 0)
    info.header = {header.version,
                   header.messages,
                   header.blocks,
                   header.flags,
                   {header.total, header.structure, header.data, header.free},
                   {header.present, header.shared}};
  if ((fields & h5::kNativeSizes) != 0) {
    info.contents = {sizes.contents.index, sizes.contents.heap};
    info.attributes = {sizes.attributes.index, sizes.attributes.heap};
  }
  return info;
}

h5::Status optional(void* object, const h5::Location* where, h5::Optional* args, h5::Id transfer,
                    void** request) {
  Handle& on = handle(object);
  const char* const call = args->op == get_comment      ? "object: comment"
                           : args->op == set_comment    ? "object: set a comment"
                           : args->op == native_info_of ? "object: header and sizes"
                                                        : "object: other";
  return answer(
      on, call,
      [&]() -> NotServed {
        if (args->op == set_comment) {
          const auto* const text = *static_cast<const char**>(args->args);
          onecast::Object commented = Located(on, *where)->object;
          commented.set_comment(text == nullptr ? "" : text);
          return kDone;
        }
        // The shadow of a written file is opened after a flush.
        if (args->op == native_info_of && !on.opening->is_written()) {
          const auto& wanted = *static_cast<NativeInfoOf*>(args->args);
          *wanted.info = native_info(Located(on, *where)->object, wanted.fields);
          return kDone;
        }
        if (args->op != get_comment) return "only the native library does this";
        const auto& wanted = *static_cast<CommentOf*>(args->args);
        const Located found(on, *where);
        copy_text(found->object.comment().value_or(""), static_cast<char*>(wanted.text),
                  wanted.size, wanted.length);
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLobject_optional(native, where, on.library.native(), args,
                                                   transfer, request);
      },
      args->op == set_comment ? Does::changes : Does::looks);
}

}  // namespace

const h5::ObjectCalls kObjectCalls{kGuarded<open_object>, kGuarded<copy>, kGuarded<get>,
                                   kGuarded<specific>, kGuarded<optional>};

}  // namespace onecast_hdf5
