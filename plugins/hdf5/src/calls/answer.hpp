#pragma once

#include <memory>
#include <onecast/base/error.hpp>

#include "handles/hand_over.hpp"
#include "handles/locate.hpp"
#include "handles/old_regions.hpp"
#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/elements.hpp"

namespace onecast_hdf5 {

/// The effect of a call on the file.
enum class Does : bool { looks, changes };

/// Tries to serve a call of an object, and traces it. Returns true if it is done; false: the native
/// object has to do it. `failed` is set if the call has failed, and the error stack says why. A
/// call that changes a file which Onecast writes is given to the native library only if the whole
/// file is handed over to it.
/// @param serve returns kDone, or why it cannot
template <class Serve>
bool is_done(Handle& on, const char* call, Does does, bool& failed, Serve serve) {
  if (!on.is_served()) return false;
  const bool changes = does == Does::changes;
  if (changes && !on.opening->is_written()) {
    on.opening->trace.shadow(call, "the file is open for reading");
    return false;
  }
  const char* reason = nullptr;
  const char* needs_native = nullptr;
  try {
    const OldRegions::Serving now;
    reason = serve();
  } catch (const UseShadow& shadow) {
    reason = shadow.reason;
  } catch (const NeedsNative& needs) {
    needs_native = needs.reason;
  } catch (const onecast::Error& error) {
    // The native library may know the feature, and knows how it reports a wrong argument.
    if (changes && error.code() == onecast::ErrorCode::unsupported)
      needs_native = "not supported by Onecast";
    else if (!changes && error.code() == onecast::ErrorCode::unsupported)
      reason = "not supported by Onecast";
    else if (!changes && error.code() == onecast::ErrorCode::invalid_argument)
      reason = "an argument that Onecast refuses";
    else
      failed = true;
    if (failed) report_current_exception(on.library, call);
  } catch (...) {
    failed = true;
    report_current_exception(on.library, call);
  }
  if (needs_native != nullptr) {
    failed = !is_handed_over(on, call, needs_native);
    return failed;
  }
  if (reason != nullptr && changes) {
    on.opening->trace.shadow(call, reason);
    failed = true;
    report_failure(on.library, call, Failure("H5E_ARGS_g", "H5E_BADVALUE_g", reason));
  }
  if (changes) on.opening->note_change();
  if (failed) return true;
  if (reason == nullptr)
    on.opening->trace.served(call);
  else
    on.opening->trace.shadow(call, reason);
  return reason == nullptr;
}

/// Answers a call: Onecast does if it can, else the native library with the native object, which is
/// the shadow of an object that Onecast serves.
template <class Serve, class Native>
h5::Status answer(Handle& on, const char* call, Serve serve, Native native,
                  Does does = Does::looks) {
  bool failed = false;
  if (is_done(on, call, does, failed, serve)) return failed ? -1 : 0;
  void* const object = on.native();
  return object == nullptr ? -1 : native(object);
}

/// Answers a call that changes the file: Onecast does in a file that it writes, else the native
/// library, which refuses to change the shadow.
template <class Serve, class Native>
h5::Status change(Handle& on, const char* call, Serve serve, Native native) {
  return answer(on, call, serve, native, Does::changes);
}

/// Answers a call in which the plug-in calls functions of the program. `serve` gets a reference to
/// the status that they return, which is then the result.
template <class Serve, class Native>
h5::Status answer_with_status(Handle& on, const char* call, Serve serve, Native native,
                              Does does = Does::looks) {
  h5::Status status = 0;
  const h5::Status answered = answer(on, call, [&] { return serve(status); }, native, does);
  return answered == 0 ? status : answered;
}

/// Opens an object: `serve` returns its handle, and throws UseShadow if it cannot; `native` returns
/// the native object, whose type `type_of_native` has then.
template <class Serve, class Native>
void* open(Handle& on, const char* call, const h5::IdType& type_of_native, Serve serve,
           Native native, Does does = Does::looks) {
  bool failed = false;
  std::unique_ptr<Handle> opened;
  if (is_done(on, call, does, failed, [&]() -> NotServed {
        opened = serve();
        return kDone;
      }))
    return failed ? nullptr : opened.release();
  void* const object = on.native();
  if (object == nullptr) return nullptr;
  void* found = native(object);
  if (found == nullptr) return nullptr;
  if (on.is_served() && on.opening->may_change()) {
    // An object of the shadow would not see the changes.
    close_native(on.library, type_of_native, found);
    if (!is_handed_over(on, call, "an object that only the native library opens")) return nullptr;
    found = native(on.native());
    if (found == nullptr) return nullptr;
  }
  auto* const made = new Handle(on.library, type_of_native, found);
  made->written = on.written;
  return made;
}

/// Creates an object: `serve` returns its handle.
template <class Serve, class Native>
void* create_object(Handle& on, const char* call, h5::IdType type, Serve serve, Native native) {
  return open(on, call, type, serve, native, Does::changes);
}

/// Has the native library do a call that Onecast never serves.
template <class Native>
h5::Status by_native(Handle& on, const char* call, Native native) {
  return answer(on, call, [] { return "only the native library does this"; }, native);
}

/// Makes the handle of an object that the program creates at a path, or without one.
/// @param link the program's list for the creation of the link
/// @param anonymous, named create the object in a group; `named` gets its path from there
template <class Anonymous, class Named>
std::unique_ptr<Handle> created_at(const Handle& from, const char* path, h5::Id link,
                                   Anonymous anonymous, Named named) {
  if (path == nullptr) {
    auto made = handle_of(from, anonymous(from.opening->file().root()));
    made->has_no_path = true;
    return made;
  }
  NewPlace place = new_place(from, path, link);
  auto made = handle_of(from, named(place.group, place.path));
  made->path = place.whole;
  return made;
}

/// An id of a handle, for a function of the program that the plug-in calls. It is closed at the end
/// without a change of the error stack, in which that function may have said why it stopped.
class NewId {
 public:
  explicit NewId(std::unique_ptr<Handle> handle)
      : library_(handle->library), id_(register_id(handle.release())) {
    if (id_ < 0) throw Failure("H5E_VOL_g", "H5E_CANTREGISTER_g", "unable to register an object");
  }
  NewId(const NewId&) = delete;
  NewId& operator=(const NewId&) = delete;
  ~NewId() {
    const ErrorStackKeeper keep(library_);
    library_.call.H5Idec_ref(id_);
  }
  [[nodiscard]] h5::Id get() const { return id_; }

 private:
  Library& library_;
  h5::Id id_;
};

/// Writes the changes of a file of which this is the last file handle, or the last handle. False if
/// that fails; the error stack then says why, and the handle is of no object any more.
bool flush_at_close(Handle& on);

/// Closes an object. If its file cannot be written, the call fails, and the object is closed all
/// the same: the library keeps the id, which the program can only close once more.
/// @param native closes a native object that is not a shadow
template <class Native>
h5::Status close_object(Handle& on, Native native) {
  if (!on.is_served() && !on.is_of_nothing() && native(on.library, on.native()) < 0) return -1;
  if (on.is_served() && !flush_at_close(on)) return -1;
  delete &on;
  return 0;
}

/// Makes an id of the type of a dataset or an attribute. A committed type keeps its name.
NotServed get_type(Handle& on, h5::Id& id);

/// The native object of an argument that may be missing.
inline void* native_of(void* object) {
  return object == nullptr ? nullptr : handle(object).native();
}

}  // namespace onecast_hdf5
