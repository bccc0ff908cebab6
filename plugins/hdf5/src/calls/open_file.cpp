#include "calls/open_file.hpp"

#include <pthread.h>

#include <mutex>
#include <optional>

#include "calls/calls.hpp"
#include "handles/locate.hpp"
#include "handles/written_files.hpp"
#include "library/connector_text.hpp"
#include "library/parallel.hpp"
#include "values/file_lists.hpp"

namespace onecast_hdf5 {

std::unique_ptr<Handle> file_handle_of(const std::shared_ptr<Opening>& opening) {
  auto made = std::make_unique<Handle>(opening, h5::IdType::file);
  made->group = opening->file().root();
  made->object = *made->group;
  made->path.assign(1, '/');
  return made;
}

namespace {

/// Why the native library has to open a file; null: Onecast can.
const char* needs_native(Library& library, const char* name, unsigned flags, h5::Id access,
                         bool is_parallel, bool serves_writing) {
  const h5::Functions& call = library.call;
  if ((flags & h5::kReadWrite) != 0) {
    if (!serves_writing) return "it is opened for writing";
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
  if (WrittenFiles::is_native(name) || WrittenFiles::is_of_other_library(name, library))
    return "this program has it open for writing";
  return nullptr;
}

Asked asked_for(Library& library, h5::Id access, const ConnectorText& text, const Ranks* ranks) {
  Asked asked;
  onecast::FileOptions& options = asked.options;
  // Datasets have the layout that the program asks for.
  options.compact_limit = 0;
  bool locks = true;
  bool ignores_disabled = false;
  if (ranks != nullptr) {
    // The native library with MPI does not lock either.
    options.locking = onecast::FileLocking::off;
    options.hints = ranks->hints;
  } else if (library.call.H5Pget_file_locking(access, &locks, &ignores_disabled) >= 0) {
    if (!locks)
      options.locking = onecast::FileLocking::off;
    else if (ignores_disabled)
      options.locking = onecast::FileLocking::best_effort;
  }
  text.set(asked);
  return asked;
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

/// Lets one thread at a time open a file: of two libraries that open it at once, to write it or to
/// read what the other one writes, the second sees what the first has done. A forked process gets
/// it unlocked.
std::mutex& opening_files() {
  static std::mutex mutex;
  static const int kRegistered =
      pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
  static_cast<void>(kRegistered);
  return mutex;
}

/// A file that is created or opened, on one process or on all ranks of a communicator.
class NewOpening {
 public:
  /// @param creation the list with which the file is created; -1: it is opened
  NewOpening(Library& library, const char* name, unsigned flags, h5::Id access,
             h5::Id creation = h5::kNoId)
      : library_(library),
        name_(name),
        flags_(creation >= 0 ? flags | h5::kReadWrite : flags),
        access_(access),
        creation_(creation),
        text_(library, access),
        ranks_(ranks_of(library, access)) {
    if (!ranks_ && library.call.H5Pget_driver(access) == library.plain_driver() &&
        text_.is_on_world(name))
      ranks_ = ranks_of_world();
    // Ranks may open files in threads, and in another order.
    if (!ranks_) alone_ = std::unique_lock(opening_files());
    asked_ = asked_for(library, access, text_, ranks_ ? &*ranks_ : nullptr);
    if (creates() && Opening::is_open(name) && asked_.options.problem.empty())
      asked_.options.problem = (flags_ & h5::kExclusive) != 0
                                   ? "file exists"
                                   : "unable to truncate a file which is already open";
    reason_ =
        needs_native(library, name, flags_, access, ranks_.has_value(), asked_.serves_writing);
    if (reason_ == nullptr && creates()) reason_ = cannot_create(library, creation, access);
    if (!asked_.options.problem.empty())
      opener_ = Opener::nobody;
    else if (reason_ != nullptr)
      opener_ = Opener::native;
  }

  /// Opens the file, unless the native library has to: null, and reason() says why. Throws an error
  /// with which the native library must not open the file.
  Handle* open() {
    if (opener_ == Opener::native) {
      if (!ranks_) return nullptr;
      // Ranks that want the native library for different reasons get an error here.
      asked_.options.problem = reason_;
      if (is_on_world())
        asked_.options.problem.insert(0, "comm=world: the HDF5 library alone serves this: ");
    }
    try {
      return opened();
    } catch (const onecast::Error& error) {
      if (is_on_world()) fail_for_ranks(error);
      if (opener_ == Opener::nobody || error.code() == onecast::ErrorCode::diverged) throw;
      // The native library opens what Onecast does not know, and says what the system refuses, and
      // that a file is not HDF5. It gets no file that is damaged.
      if (!creates() && error.code() == onecast::ErrorCode::format &&
          is_hdf5(library_, name_, access_, library_.default_transfer()))
        throw Failure("H5E_FILE_g", "H5E_NOTHDF5_g", error.what());
      if (reason_ == nullptr)
        reason_ = creates() ? "Onecast cannot create it" : "Onecast cannot open it";
    }
    return nullptr;
  }
  [[nodiscard]] const char* reason() const { return reason_; }

 private:
  enum class Opener : std::uint8_t {
    onecast,
    native,  ///< for a reason
    nobody,  ///< what the user or the program asks for is wrong: all ranks get the error
  };

  [[nodiscard]] bool is_on_world() const { return ranks_ && ranks_->are_world; }
  [[nodiscard]] bool creates() const { return creation_ >= 0; }
  [[nodiscard]] bool writes() const { return (flags_ & h5::kReadWrite) != 0; }

  /// The native library has no other ranks. Programs look for the errno in its words.
  [[noreturn]] void fail_for_ranks(const onecast::Error& error) const {
    const int number = error.system_errno();
    throw Failure("H5E_FILE_g", creates() ? "H5E_CANTCREATE_g" : "H5E_CANTOPENFILE_g",
                  number == 0 ? error.what()
                              : std::string("unable to open file: name = '") + name_ +
                                    "', errno = " + std::to_string(number) + ", error message = '" +
                                    error.what() + "'");
  }

  /// All openings of a file that may change lock it alike, as in the native library.
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

  onecast::File file() {
    onecast::FileOptions& options = asked_.options;
    if (creates()) {
      set_creation_options(library_, creation_, access_, options);
      options.exclusive = (flags_ & h5::kExclusive) != 0;
      return ranks_ ? onecast::File::create(name_, ranks_->communicator, options)
                    : onecast::File::create(name_, options);
    }
    if (writes()) set_writing_options(library_, access_, options);
    const auto access = writes() ? onecast::Access::read_write : onecast::Access::read_only;
    return ranks_ ? onecast::File::open(name_, access, ranks_->communicator, options)
                  : onecast::File::open(name_, access, options);
  }

  Handle* opened() {
    if (!ranks_ && !creates()) require_equal_locks();
    if (!ranks_ && !writes())
      if (const auto known = Opening::like(library_, name_, asked_.options))
        return file_handle_of(known->again(name_, library_.call.H5Pcopy(access_))).release();
    const Processes by = !ranks_                     ? Processes::one
                         : asked_.transfers_together ? Processes::ranks_together
                                                     : Processes::ranks;
    const Manner how{by, asked_.options};
    auto opening = Opening::make(library_, file(), name_, library_.call.H5Pcopy(access_), how);
    if (writes()) opening->own_file(creation_);
    return file_handle_of(opening).release();
  }

  Library& library_;
  const char* name_;
  unsigned flags_;
  h5::Id access_;
  h5::Id creation_;
  ConnectorText text_;
  std::optional<Ranks> ranks_;
  std::unique_lock<std::mutex> alone_;
  Asked asked_;
  Opener opener_ = Opener::onecast;
  const char* reason_ = nullptr;  ///< why the native library has to open the file
};

}  // namespace

void* file_create(Library& library, const char* name, unsigned flags, h5::Id creation,
                  h5::Id access, h5::Id transfer, void** request) {
  try {
    NewOpening opening(library, name, flags, access, creation);
    if (Handle* const made = opening.open()) return made;
    trace_native_file(name, opening.reason());
    Opening::open_shadows_of(library, name);
  } catch (...) {
    report_current_exception(library, "file create");
    return nullptr;
  }
  const NativeAccess native(library, access);
  void* const object =
      library.call.H5VLfile_create(name, flags, creation, native.id(), transfer, request);
  if (object == nullptr) return nullptr;
  auto* const made = new Handle(library, h5::IdType::file, object);
  made->written = WrittenFiles::add(name, nullptr);
  return made;
}

void* file_open(Library& library, const char* name, unsigned flags, h5::Id access, h5::Id transfer,
                void** request) {
  const bool writes = (flags & h5::kReadWrite) != 0;
  try {
    NewOpening opening(library, name, flags, access);
    if (Handle* const made = opening.open()) return made;
    trace_native_file(name, opening.reason());
    if (writes) Opening::open_shadows_of(library, name);
  } catch (...) {
    report_current_exception(library, "file open");
    return nullptr;
  }
  const NativeAccess native(library, access);
  void* const object = library.call.H5VLfile_open(name, flags, native.id(), transfer, request);
  if (object == nullptr) return nullptr;
  auto* const made = new Handle(library, h5::IdType::file, object);
  if (writes) made->written = WrittenFiles::add(name, nullptr);
  return made;
}

}  // namespace onecast_hdf5
