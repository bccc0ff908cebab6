#pragma once

#include <memory>
#include <onecast/base/error.hpp>

#include "handles/locate.hpp"
#include "handles/opening.hpp"
#include "library/errors.hpp"
#include "values/elements.hpp"

namespace onecast_hdf5 {

/// Tries to serve a call of an object, and traces it. Returns true if it is done; false: the native
/// object has to do it. `failed` is set if the call has failed, and the error stack says why.
/// @param serve returns kDone, or why it cannot
template <class Serve>
bool is_done(Handle& on, const char* call, bool& failed, Serve serve) {
  if (!on.is_served()) return false;
  const char* reason = nullptr;
  try {
    reason = serve();
  } catch (const UseShadow& shadow) {
    reason = shadow.reason;
  } catch (const onecast::Error& error) {
    // The native library may know the feature, and knows how it reports a wrong argument.
    if (error.code() == onecast::ErrorCode::unsupported)
      reason = "not supported by Onecast";
    else if (error.code() == onecast::ErrorCode::invalid_argument)
      reason = "an argument that Onecast refuses";
    else
      failed = true;
    if (failed) report_current_exception(on.library, call);
  } catch (...) {
    failed = true;
    report_current_exception(on.library, call);
  }
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
h5::Status answer(Handle& on, const char* call, Serve serve, Native native) {
  bool failed = false;
  if (is_done(on, call, failed, serve)) return failed ? -1 : 0;
  void* const object = on.native();
  return object == nullptr ? -1 : native(object);
}

/// Answers a call in which the plug-in calls functions of the program. `serve` gets a reference to
/// the status that they return, which is then the result.
template <class Serve, class Native>
h5::Status answer_with_status(Handle& on, const char* call, Serve serve, Native native) {
  h5::Status status = 0;
  const h5::Status answered = answer(on, call, [&] { return serve(status); }, native);
  return answered == 0 ? status : answered;
}

/// Opens an object: `serve` returns its handle, and throws UseShadow if it cannot; `native` returns
/// the native object, whose type `type_of_native` has then.
template <class Serve, class Native>
void* open(Handle& on, const char* call, const h5::IdType& type_of_native, Serve serve,
           Native native) {
  bool failed = false;
  std::unique_ptr<Handle> opened;
  if (is_done(on, call, failed, [&]() -> NotServed {
        opened = serve();
        return kDone;
      }))
    return failed ? nullptr : opened.release();
  void* const object = on.native();
  if (object == nullptr) return nullptr;
  void* const found = native(object);
  if (found == nullptr) return nullptr;
  auto* const made = new Handle(on.library, type_of_native, found);
  made->written = on.written;
  return made;
}

/// Creates an object by the native library, since the file is open for reading.
template <class Native>
void* create_by_native(Handle& on, const char* call, h5::IdType type, Native native) {
  const auto refuse = []() -> std::unique_ptr<Handle> {
    throw UseShadow{"the file is open for reading"};
  };
  return open(on, call, type, refuse, native);
}

/// For calls that Onecast never serves: the native library does them.
template <class Native>
h5::Status by_native(Handle& on, const char* call, Native native) {
  return answer(on, call, [] { return "only the native library does this"; }, native);
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

/// Closes an object.
/// @param native closes a native object that is not a shadow
template <class Native>
h5::Status close_object(Handle& on, Native native) {
  if (!on.is_served() && native(on.library, on.native()) < 0) return -1;
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
