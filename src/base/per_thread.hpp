#pragma once

namespace onecast {

/// This thread's T, created at the first call. `Tag` distinguishes objects of one type.
///
/// Files in static memory may be closed or destroyed after C++ has destroyed the thread_local
/// objects of the main thread; then a T is created again.
template <class T, class Tag = T>
T& per_thread() {
  static thread_local T* mine = nullptr;
  struct Owner {
    ~Owner() {
      delete mine;
      mine = nullptr;
    }
  };
  if (mine == nullptr) {
    mine = new T();
    static thread_local const Owner kOwner;
  }
  return *mine;
}

}  // namespace onecast
