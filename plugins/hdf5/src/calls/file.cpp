#include <sys/stat.h>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "calls/open_file.hpp"
#include "handles/old_regions.hpp"
#include "values/lists.hpp"

namespace onecast_hdf5 {
namespace {

h5::Status reopen(Handle& on, h5::FileSpecific args, void** out, h5::Id transfer, void** request) {
  void* native = nullptr;
  args.file = &native;
  const h5::Status status =
      on.library.call.H5VLfile_specific(on.native(), on.library.native(), &args, transfer, request);
  if (status >= 0) {
    auto* const made = new Handle(on.library, h5::IdType::file, native);
    made->written = on.written;
    *out = made;
  }
  return status;
}

NotServed serve(Handle& on, const h5::FileSpecific& args) {
  switch (args.op) {
    case h5::FileSpecific::flush:
      on.opening->flush();
      return kDone;
    case h5::FileSpecific::reopen:
      *args.file =
          file_handle_of(on.opening->again(on.opening->name(), on.opening->shared_access()))
              .release();
      return kDone;
    case h5::FileSpecific::is_equal: {
      const Handle& other = handle(args.equal.other);
      *args.equal.same = other.is_served() && other.opening->is_same_file(*on.opening);
      return kDone;
    }
    default:
      return "only the native library does this";
  }
}

h5::Status refuse_removal(Library& library) {
  report_failure(library, "file remove",
                 Failure("H5E_FILE_g", "H5E_CANTDELETEFILE_g", "the file is open"));
  return -1;
}

/// Calls about a path, without an open file.
h5::Status about_path(Library& library, h5::FileSpecific args, h5::Id transfer, void** request) {
  const bool removes = args.op == h5::FileSpecific::remove;
  // Ranks ask together, whatever each has open.
  const bool is_parallel = library.call.H5Pget_driver(args.path.access) != library.plain_driver();
  if (!is_parallel && Opening::is_open(args.path.name)) {
    if (removes) return refuse_removal(library);
    *args.path.accessible = true;
    return 0;
  }
  const NativeAccess native(library, args.path.access);
  args.path.access = native.id();
  return library.call.H5VLfile_specific(nullptr, library.native(), &args, transfer, request);
}

}  // namespace

h5::Status file_specific(Library& library, void* object, h5::FileSpecific* args, h5::Id transfer,
                         void** request) {
  constexpr const char* kCalls[] = {"file flush", "file reopen", "file is accessible",
                                    "file remove", "file is equal"};
  if (args->op == h5::FileSpecific::is_accessible || args->op == h5::FileSpecific::remove)
    return about_path(library, *args, transfer, request);
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *args); },
      [&](void* native) {
        if (args->op == h5::FileSpecific::reopen)
          return reopen(on, *args, args->file, transfer, request);
        h5::FileSpecific passed = *args;
        if (args->op == h5::FileSpecific::is_equal) {
          if (handle(args->equal.other).is_served()) {
            *args->equal.same = false;
            return 0;
          }
          passed.equal.other = native_of(args->equal.other);
          if (passed.equal.other == nullptr) return -1;
        }
        return library.call.H5VLfile_specific(native, library.native(), &passed, transfer, request);
      });
}

namespace {

struct Ids {
  const Handle& file;
  bool only_local;
  std::vector<h5::Id> found;
};

h5::Status collect(h5::Id id, void* data) {
  auto& ids = *static_cast<Ids*>(data);
  const h5::Functions& call = ids.file.library.call;
  // The library has no object of a datatype that is in no file.
  if (call.H5Iget_type(id) == h5::IdType::datatype && call.H5Tcommitted(id) <= 0) return 0;
  const AskingForHandles asking;
  call.H5VLobject(id);
  const Handle* const asked = AskingForHandles::asked;
  if (asked == nullptr || !asked->is_served()) return 0;
  if (ids.only_local ? asked->opening == ids.file.opening
                     : asked->opening->is_same_file(*ids.file.opening))
    ids.found.push_back(id);
  return 0;
}

/// The ids of objects of a file that the program has open.
std::vector<h5::Id> ids_of(const Handle& file, unsigned kinds) {
  constexpr std::pair<unsigned, h5::IdType> kKinds[] = {
      {h5::kObjectFile, h5::IdType::file},
      {h5::kObjectDataset, h5::IdType::dataset},
      {h5::kObjectGroup, h5::IdType::group},
      {h5::kObjectDatatype, h5::IdType::datatype},
      {h5::kObjectAttribute, h5::IdType::attribute}};
  Ids ids{file, (kinds & h5::kObjectLocal) != 0, {}};
  for (const auto& [kind, type] : kKinds)
    if ((kinds & kind) != 0) file.library.call.H5Iiterate(type, collect, &ids);
  return std::move(ids.found);
}

NotServed serve(Handle& on, h5::FileGet& args) {
  const Opening& opening = *on.opening;
  switch (args.op) {
    case h5::FileGet::container_info:
      OldRegions::container_is_asked_for();
      // Native files of today have these values.
      *args.info = {
          .version = args.info->version, .features = 0, .token_size = 8, .blob_id_size = 12};
      return kDone;
    case h5::FileGet::access_list:
      args.id = on.library.call.H5Pcopy(opening.access_list());
      return kDone;
    case h5::FileGet::file_number:
      *args.number = opening.number();
      return kDone;
    case h5::FileGet::intent:
      *args.flags = opening.is_written() ? h5::kReadWrite : 0;
      return kDone;
    case h5::FileGet::creation_list:
      args.id = opening.creation_list() >= 0 ? on.library.call.H5Pcopy(opening.creation_list())
                                             : file_creation_list(on);
      return args.id < 0 ? "properties that only the native library tells" : kDone;
    case h5::FileGet::name:
      copy_text(opening.name(), args.get_name.text, args.get_name.size, args.get_name.length);
      return kDone;
    case h5::FileGet::object_count:
      *args.count.count = ids_of(on, args.count.kinds).size();
      return kDone;
    case h5::FileGet::object_ids: {
      const auto ids = ids_of(on, args.list.kinds);
      *args.list.count = std::min(ids.size(), args.list.most);
      std::copy_n(ids.begin(), *args.list.count, args.list.ids);
      return kDone;
    }
    default:
      return "only the native library does this";
  }
}

}  // namespace

h5::Status file_get(void* object, h5::FileGet* args, h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"file get: container info", "file get: access list",
                                    "file get: creation list",  "file get: number",
                                    "file get: intent",         "file get: name",
                                    "file get: object count",   "file get: object ids"};
  Handle& on = handle(object);
  if (on.is_of_nothing() && args->op == h5::FileGet::object_count) {
    *args->count.count = 0;
    return 0;
  }
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *args); },
      [&](void* native) {
        return on.library.call.H5VLfile_get(native, on.library.native(), args, transfer, request);
      });
}

h5::Status file_optional(void* object, h5::Optional* args, h5::Id transfer, void** request) {
  constexpr int kSize = 8;
  constexpr int kStartSwmr = 13;
  constexpr int kGrow = 22;
  constexpr int kSetBounds = 23;  // H5Fset_libver_bounds
  constexpr int kGetAtomicity = 26;
  constexpr int kSetAtomicity = 27;
  const bool needs_native = args->op == kStartSwmr || args->op == kGrow || args->op == kSetBounds;
  Handle& on = handle(object);
  return answer(
      on, args->op == h5::kAfterOpen ? "file: after open" : "file: other",
      [&]() -> NotServed {
        // Nothing is written that could be seen half written.
        if (args->op == h5::kAfterOpen || args->op == kSetAtomicity) return kDone;
        if (args->op == kGetAtomicity) {
          **static_cast<bool**>(args->args) = false;
          return kDone;
        }
        if (needs_native)
          throw NeedsNative{args->op == kStartSwmr ? "it starts writing beside readers"
                                                   : "another end of the file, or other versions"};
        if (args->op != kSize) return "only the native library does this";
        on.opening->flush_alone();
        struct stat found{};
        if (stat(on.opening->file().path().c_str(), &found) != 0) return "the file has moved";
        **static_cast<h5::Size**>(args->args) = static_cast<h5::Size>(found.st_size);
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLfile_optional(native, on.library.native(), args, transfer,
                                                 request);
      },
      needs_native ? Does::changes : Does::looks);
}

namespace {

/// Closes a file as its access list demands: with objects open, it stays open, is closed with them,
/// or is not closed.
void close_as_demanded(Handle& on) {
  const h5::CloseDegree degree = on.opening->close_degree();
  if (degree == h5::CloseDegree::weak || on.opening->file_handles > 1 || on.opening->handles == 1)
    return;
  if (degree == h5::CloseDegree::semi)
    throw Failure("H5E_FILE_g", "H5E_CANTCLOSEFILE_g",
                  "can't close file, there are objects still open");
  constexpr unsigned kObjects = h5::kObjectDataset | h5::kObjectGroup | h5::kObjectDatatype |
                                h5::kObjectAttribute | h5::kObjectLocal;
  for (const h5::Id id : ids_of(on, kObjects))
    while (on.library.call.H5Iis_valid(id) > 0 && on.library.call.H5Idec_ref(id) > 0) {
    }
}

}  // namespace

h5::Status file_close(void* object, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  if (on.is_served()) {
    try {
      close_as_demanded(on);
    } catch (...) {
      report_current_exception(on.library, "file close");
      return -1;
    }
  }
  return close_object(on, [&](Library& library, void* native) {
    return library.call.H5VLfile_close(native, library.native(), transfer, request);
  });
}

}  // namespace onecast_hdf5
