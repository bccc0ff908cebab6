#pragma once

#include <utility>

namespace onecast_hdf5 {

/// Recognizes the calls for region references of HDF5 before 1.12 (H5Rcreate, H5Rget_region,
/// H5Rdereference). They ask about the container of a file, and then, before any other call, for
/// the native file: they read the heap of that file, or write to it, without the connector.
class OldRegions {
 public:
  static void container_is_asked_for() { step = depth == 1 ? Step::asks : Step::none; }
  static void call_begins() { step = Step::none; }
  static void call_ends() { step = step == Step::asks ? Step::asked : Step::none; }
  /// True if the native object that the library asks for now is the file of such a call.
  static bool wants_object() { return std::exchange(step, Step::none) == Step::asked; }

  /// While it exists, a call is being served. Conversions ask for the container, too.
  class Serving {
   public:
    Serving() { ++depth; }
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;
    ~Serving() { --depth; }
  };

 private:
  enum class Step : unsigned char { none, asks, asked };
  static inline thread_local Step step = Step::none;
  static inline thread_local int depth = 0;
};

}  // namespace onecast_hdf5
