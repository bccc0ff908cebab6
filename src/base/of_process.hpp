#pragma once

namespace onecast {

/// The one object of its type in this process. It is never destroyed, because files may be used
/// while the process ends: those in static memory are closed after its destructor would run. It is
/// made before there are threads, because a process that is forked while a thread makes it would
/// wait for ever.
template <class T>
class OfProcess {
 public:
  static T& get() {
    static auto& only = *new T();
    static_cast<void>(&ready);
    return only;
  }

 private:
  // NOLINTNEXTLINE(bugprone-throwing-static-initialization): nothing works without memory.
  static inline const T& ready = get();
};

/// Returns the one object of its type in this process.
template <class T>
T& of_process() {
  return OfProcess<T>::get();
}

}  // namespace onecast
