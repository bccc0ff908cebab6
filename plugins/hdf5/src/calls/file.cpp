#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "handles/native_files.hpp"
#include "library/connector_text.hpp"
#include "library/parallel.hpp"
#include "values/file_lists.hpp"

namespace onecast_hdf5 {
namespace {

/// A copy of the program's list with which the native library opens a file itself.
class NativeAccess {
 public:
  NativeAccess(Library& library, h5::Id access)
      : library_(library), id_(library.call.H5Pcopy(access)) {
    library.call.H5Pset_vol(id_, library.native(), nullptr);
  }
  NativeAccess(const NativeAccess&) = delete;
  NativeAccess& operator=(const NativeAccess&) = delete;
  ~NativeAccess() {
    const ErrorStackKeeper keep(library_);
    library_.call.H5Pclose(id_);
  }
  [[nodiscard]] h5::Id id() const { return id_; }

 private:
  Library& library_;
  h5::Id id_;
};

/// True if files that are created or opened for writing are served, too.
bool serves_writing() {
  const char* const value = std::getenv("ONECAST_HDF5_WRITING");
  return value != nullptr && std::string_view(value) == "onecast";
}

/// Why the native library has to open a file; null: Onecast can.
const char* needs_native(Library& library, const char* name, unsigned flags, h5::Id access,
                         bool is_parallel) {
  const h5::Functions& call = library.call;
  if ((flags & h5::kReadWrite) != 0) {
    if (is_parallel || !serves_writing()) return "it is opened for writing";
    if (const char* const reason = cannot_write(library, access)) return reason;
  }
  if ((flags & (h5::kSwmrRead | h5::kSwmrWrite)) != 0) return "another program may be writing it";
  if (!is_parallel && call.H5Pget_driver(access) != library.plain_driver())
    return "it is opened with a driver of its own";
  std::size_t page_buffer = 0;
  unsigned metadata = 0;
  unsigned raw_data = 0;
  if (call.H5Pget_page_buffer_size(access, &page_buffer, &metadata, &raw_data) >= 0 &&
      page_buffer > 0)
    return "it is opened with a page buffer";
  bool evicts = false;
  if (call.H5Pget_evict_on_close(access, &evicts) >= 0 && evicts)
    return "it is opened with eviction on close";
  if (NativeFiles::is_written(name)) return "this program has it open for writing";
  return nullptr;
}

onecast::FileOptions options_for(Library& library, h5::Id access, const Ranks* ranks) {
  onecast::FileOptions options;
  // Datasets have the layout that the program asks for.
  options.compact_limit = 0;
  bool locks = true;
  bool ignores_disabled = false;
  if (ranks != nullptr) {
    // As the native library with MPI.
    options.locking = onecast::FileLocking::off;
    options.hints = ranks->hints;
  } else if (library.call.H5Pget_file_locking(access, &locks, &ignores_disabled) >= 0) {
    if (!locks)
      options.locking = onecast::FileLocking::off;
    else if (ignores_disabled)
      options.locking = onecast::FileLocking::best_effort;
  }
  set_options_of_text(library, access, options);
  return options;
}

std::unique_ptr<Handle> handle_of(const std::shared_ptr<Opening>& opening) {
  auto made = std::make_unique<Handle>(opening, h5::IdType::file);
  made->group = opening->file().root();
  made->object = *made->group;
  made->path.assign(1, '/');
  return made;
}

/// True if a file has the signature of HDF5.
bool is_hdf5(Library& library, const char* name, h5::Id access, h5::Id transfer) {
  const Silence silence(library);
  const NativeAccess native(library, access);
  bool found = false;
  h5::FileSpecific args{.op = h5::FileSpecific::is_accessible, .path = {name, native.id(), &found}};
  return library.call.H5VLfile_specific(nullptr, library.native(), &args, transfer, nullptr) >= 0 &&
         found;
}

/// An opening of a file, on one process or on all ranks of a communicator.
class NewOpening {
 public:
  NewOpening(Library& library, const char* name, unsigned flags, h5::Id access)
      : library_(library),
        name_(name),
        access_(access),
        writes_((flags & h5::kReadWrite) != 0),
        ranks_(ranks_of(library, access)),
        options_(options_for(library, access, ranks_ ? &*ranks_ : nullptr)),
        is_wrong_(!options_.problem.empty()),
        reason_(needs_native(library, name, flags, access, ranks_.has_value())) {}

  /// Opens the file, unless the native library has to: null, and reason() says why. Throws an error
  /// with which the native library must not open the file.
  Handle* open() {
    if (reason_ != nullptr && !ranks_ && !is_wrong_) return nullptr;
    // Ranks that want the native library for different reasons get an error here.
    if (reason_ != nullptr && !is_wrong_) options_.problem = reason_;
    try {
      return opened();
    } catch (const onecast::Error& error) {
      if (is_wrong_ || error.code() == onecast::ErrorCode::diverged) throw;
      // The native library opens what Onecast does not know, and says what the system refuses, and
      // that a file is not HDF5. It gets no file that is damaged.
      if (error.code() == onecast::ErrorCode::format &&
          is_hdf5(library_, name_, access_, library_.default_transfer()))
        throw Failure("H5E_FILE_g", "H5E_NOTHDF5_g", error.what());
      if (reason_ == nullptr) reason_ = "Onecast cannot open it";
    }
    return nullptr;
  }
  [[nodiscard]] const char* reason() const { return reason_; }

 private:
  /// As the native library: all openings of a file that may change lock it alike.
  void require_equal_locks() {
    const auto other = Opening::writer_of(library_, name_);
    if (other == nullptr) return;
    const h5::Functions& call = library_.call;
    bool locks[2] = {};
    bool ignores[2] = {};
    call.H5Pget_file_locking(access_, &locks[0], &ignores[0]);
    call.H5Pget_file_locking(other->access_list(), &locks[1], &ignores[1]);
    if (locks[0] != locks[1] || ignores[0] != ignores[1])
      throw Failure("H5E_FILE_g", "H5E_CANTOPENFILE_g", "file locking flag values don't match");
  }

  Handle* opened() {
    require_equal_locks();
    const bool writes = writes_ && !ranks_;
    const auto access = writes ? onecast::Access::read_write : onecast::Access::read_only;
    if (writes) set_writing_options(library_, access_, options_);
    auto file = ranks_ ? onecast::File::open(name_, access, ranks_->communicator, options_)
                       : onecast::File::open(name_, access, options_);
    auto opening = Opening::make(library_, std::move(file), name_, library_.call.H5Pcopy(access_));
    if (writes) opening->own_file(h5::kNoId);
    return handle_of(opening).release();
  }

  Library& library_;
  const char* name_;
  h5::Id access_;
  bool writes_;
  std::optional<Ranks> ranks_;
  onecast::FileOptions options_;
  bool is_wrong_;  ///< the options
  const char* reason_;
};

/// Creates a file by Onecast. Null if the native library has to; `reason` then says why.
Handle* created(Library& library, const char* name, unsigned flags, h5::Id creation, h5::Id access,
                const char*& reason) {
  reason = needs_native(library, name, flags | h5::kReadWrite, access, /*is_parallel=*/false);
  if (reason == nullptr) reason = cannot_create(library, creation, access);
  if (reason != nullptr) return nullptr;
  if (Opening::is_open(name))
    throw Failure("H5E_FILE_g", "H5E_CANTOPENFILE_g",
                  "unable to create a file which is already open");
  auto options = options_for(library, access, nullptr);
  set_creation_options(library, creation, access, options);
  options.exclusive = (flags & h5::kExclusive) != 0;
  if (!options.problem.empty())
    throw onecast::Error(onecast::ErrorCode::invalid_argument, options.problem);
  try {
    auto file = onecast::File::create(name, options);
    auto opening = Opening::make(library, std::move(file), name, library.call.H5Pcopy(access));
    opening->own_file(creation);
    return handle_of(opening).release();
  } catch (const onecast::Error&) {
    // The native library says what the system refuses.
    reason = "Onecast cannot create it";
    return nullptr;
  }
}

}  // namespace

void* file_create(Library& library, const char* name, unsigned flags, h5::Id creation,
                  h5::Id access, h5::Id transfer, void** request) {
  const char* reason = "it is created";
  if (serves_writing()) {
    try {
      if (Handle* const made = created(library, name, flags, creation, access, reason)) return made;
    } catch (...) {
      report_current_exception(library, "file create");
      return nullptr;
    }
  }
  trace_native_file(name, reason);
  Opening::open_shadows_of(library, name);
  const NativeAccess native(library, access);
  void* const object =
      library.call.H5VLfile_create(name, flags, creation, native.id(), transfer, request);
  if (object == nullptr) return nullptr;
  auto* const made = new Handle(library, h5::IdType::file, object);
  made->written = NativeFiles::add(name);
  return made;
}

void* file_open(Library& library, const char* name, unsigned flags, h5::Id access, h5::Id transfer,
                void** request) {
  const char* reason = nullptr;
  try {
    NewOpening opening(library, name, flags, access);
    if (Handle* const made = opening.open()) return made;
    reason = opening.reason();
  } catch (...) {
    report_current_exception(library, "file open");
    return nullptr;
  }
  trace_native_file(name, reason);
  const bool writes = (flags & h5::kReadWrite) != 0;
  if (writes) Opening::open_shadows_of(library, name);
  const NativeAccess native(library, access);
  void* const object = library.call.H5VLfile_open(name, flags, native.id(), transfer, request);
  if (object == nullptr) return nullptr;
  auto* const made = new Handle(library, h5::IdType::file, object);
  if (writes) made->written = NativeFiles::add(name);
  return made;
}

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
      *args.file = handle_of(on.opening->again()).release();
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

/// Calls about a path, without an open file.
h5::Status about_path(Library& library, h5::FileSpecific args, h5::Id transfer, void** request) {
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
  const AskingForHandles asking;
  ids.file.library.call.H5VLobject(id);
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
      // As native files of today.
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
      if (opening.creation_list() < 0) return "only the native library does this";
      args.id = on.library.call.H5Pcopy(opening.creation_list());
      return kDone;
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
  constexpr int kGetAtomicity = 26;
  constexpr int kSetAtomicity = 27;
  constexpr int kAfterOpen = 28;
  Handle& on = handle(object);
  return answer(
      on, args->op == kAfterOpen ? "file: after open" : "file: other",
      [&]() -> NotServed {
        // Nothing is written that could be seen half written.
        if (args->op == kAfterOpen || args->op == kSetAtomicity) return kDone;
        if (args->op == kGetAtomicity) {
          **static_cast<bool**>(args->args) = false;
          return kDone;
        }
        if (args->op == kStartSwmr || args->op == kGrow)
          return "this needs a file that the native library has open: "
                 "set ONECAST_HDF5_WRITING=native";
        if (args->op != kSize) return "only the native library does this";
        on.opening->flush();
        struct stat found{};
        if (stat(on.opening->file().path().c_str(), &found) != 0) return "the file has moved";
        **static_cast<h5::Size**>(args->args) = static_cast<h5::Size>(found.st_size);
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLfile_optional(native, on.library.native(), args, transfer,
                                                 request);
      },
      args->op == kStartSwmr || args->op == kGrow ? Does::changes : Does::looks);
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
