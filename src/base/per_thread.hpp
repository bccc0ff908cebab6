#pragma once

namespace onecast {

/// This thread's T, made when it is first asked for. `Tag` tells several of one type apart.
///
/// Files in static memory may be closed, or destroyed, after C++ has destroyed what is thread_local
/// in the main thread: then a T is made once more.
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
