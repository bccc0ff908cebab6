#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>

#include "gil.hpp"
#include "onecast/base/error.hpp"
#include "typed.hpp"

namespace onecast {
class Dataset;
class Object;
}  // namespace onecast

/// The role of this thread.
enum class Role : unsigned char {
  outside,         ///< neither of the following
  called_by_core,  ///< runs a Python function that the core waits for
  has_core,        ///< closes forgotten files: the thread holds the core's lock
};

inline Role& role() {
  static thread_local Role now = Role::outside;
  return now;
}

/// Gives this thread a role until the block ends.
class As {
 public:
  explicit As(Role now) : before_(std::exchange(role(), now)) {}
  As(const As&) = delete;
  As& operator=(const As&) = delete;
  ~As() { role() = before_; }

 private:
  Role before_;
};

/// Marks this thread while it runs a Python function that the core has called.
class CallFromCore {
 public:
  CallFromCore() { ++running(); }
  CallFromCore(const CallFromCore&) = delete;
  CallFromCore& operator=(const CallFromCore&) = delete;
  ~CallFromCore() { --running(); }

  /// Throws Error (state) in such a function, since the core would wait for itself.
  static void refuse_core() {
    if (role() == Role::called_by_core)
      throw onecast::Error(onecast::ErrorCode::state,
                           "a function that Onecast calls cannot use Onecast itself");
  }
  /// Counts these functions on all threads.
  static std::atomic<unsigned>& running() {
    static std::atomic<unsigned> count{0};
    return count;
  }

 private:
  As role_{Role::called_by_core};
};

/// The lock that all kinds of calls share. See fork.cpp.
inline std::shared_timed_mutex& core_mutex() {
  static constinit std::shared_timed_mutex shared;
  return shared;
}

/// Ends a call, with the GIL held, by closing forgotten files: see forgotten.cpp.
class Afterwards {
 public:
  Afterwards() = default;
  Afterwards(const Afterwards&) = delete;
  Afterwards& operator=(const Afterwards&) = delete;
  ~Afterwards() {
    if (is_wanted().load(std::memory_order_relaxed)) close_forgotten();
  }
  static std::atomic<bool>& is_wanted() {
    static std::atomic<bool> wanted{false};
    return wanted;
  }

 private:
  static void close_forgotten() noexcept;
};

/// Surrounds every call into the core: lets other Python threads run. Calls that read run
/// concurrently; all others run alone, since the core's objects do not allow changes by several
/// threads. The lock is waited for only without the GIL.
template <class Lock>
class Call {
 public:
  Call() : lock_(locked()) {}

 private:
  static Lock locked() {
    CallFromCore::refuse_core();
    return role() == Role::has_core ? Lock() : Lock(core_mutex());
  }

  Afterwards afterwards_;
  ReleasedGil released_;
  Lock lock_;
};

using CoreRead = Call<std::shared_lock<std::shared_timed_mutex>>;
using CoreCall = Call<std::unique_lock<std::shared_timed_mutex>>;
using core_read = nb::call_guard<CoreRead>;
using core_call = nb::call_guard<CoreCall>;

/// Returns what `work` does, done during a CoreRead, a CoreCall or without the GIL (ReleasedGil).
template <class Guard, class Work>
auto during(const Work& work) {
  const Guard guard;
  return work();
}

/// Makes `==` false for objects of other types.
inline const nb::sig kEquals("def __eq__(self, other: object, /) -> bool");

inline Extents tuple_of(std::span<const std::uint64_t> numbers) {
  nb::tuple tuple = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!tuple.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i),
                    PyLong_FromUnsignedLongLong(numbers[i]));
  return tuple;
}

void bind_errors(nb::module_& m);
void bind_forgotten(nb::module_& m);
void bind_types(nb::module_& m);
void bind_selection(nb::module_& m);
void bind_plain_types(nb::module_& m);
void bind_attributes(nb::class_<onecast::Object>& object);
void bind_objects(nb::module_& m);
void bind_members(nb::module_& m);
void bind_storage(nb::module_& m);
void bind_copy(nb::module_& m);
void bind_dimension_scales(nb::module_& m);
void bind_chunks(nb::class_<onecast::Dataset, onecast::Object>& dataset);
void bind_device_array(nb::module_& m);
void bind_dlpack(nb::module_& m);
void bind_dataset(nb::module_& m);
void bind_pending(nb::module_& m);
/// Binds reading and writing that continue while Python does something else.
void bind_async(nb::class_<onecast::Dataset, onecast::Object>& dataset);
void bind_file(nb::module_& m);
void bind_fork(nb::module_& m);
void bind_filters(nb::module_& m);
void bind_values(nb::module_& m);
void bind_new_values(nb::module_& m);
/// Binds the writing of elements of variable length.
void bind_new_elements(nb::class_<onecast::Dataset, onecast::Object>& dataset);
void bind_inspect(nb::module_& m);
void bind_mpi(nb::module_& m);
