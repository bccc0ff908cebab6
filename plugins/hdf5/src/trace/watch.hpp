#pragma once

#include "trace/trace.hpp"

namespace onecast_hdf5 {

/// Measures the time that a thread spends in callbacks of the connector, if calls are traced.
class Watch {
 public:
  Watch() {
    if (kIsTraced) enter();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    if (kIsTraced) leave();
  }

  /// While it exists, the thread is in a function of the program.
  class Outside {
   public:
    Outside() {
      if (kIsTraced) depth_ = pause();
    }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;
    ~Outside() {
      if (kIsTraced) go_on(depth_);
    }

   private:
    int depth_ = 0;
  };

  /// Returns the seconds of all threads so far.
  static double seconds();

 private:
  static void enter();
  static void leave();
  static int pause();
  static void go_on(int depth);
};

/// Calls a function of the program.
template <class Function, class... Args>
auto call_program(Function function, Args... args) {
  const Watch::Outside now;
  return function(args...);
}

}  // namespace onecast_hdf5
