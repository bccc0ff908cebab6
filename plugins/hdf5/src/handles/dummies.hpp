#pragma once

#include "library/library.hpp"

namespace onecast_hdf5 {

/// While it exists, the library makes or opens native objects for the plug-in on this thread. It
/// may then look at ids of ours, but not deeply.
class Making {
 public:
  Making() { ++depth; }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
  ~Making() { --depth; }
  static bool is_going_on() { return depth > 0; }

 private:
  static thread_local int depth;
};

/// Native objects of files in memory. The library casts what the connector gives for an object of
/// a native file to the structure of its own object: it then gets one of these. They hold no data,
/// and serve only to be looked at.
struct Dummies {
  explicit Dummies(Library& library);

  /// Take and return a native file, one for each opened file: by these the library tells files
  /// apart. They have no ids, so the library finds the ids of the program for them. Such a file
  /// can be closed only if it is open for reading.
  void* take_file();
  void give_back(void* taken);
  /// Makes a type a native committed type, and returns its id; -1 if that fails.
  [[nodiscard]] h5::Id new_type(h5::Id type) const;

  Library& library;
  void* group = nullptr;
  void* dataset = nullptr;
  void* attribute = nullptr;
  /// Objects are this while Making::is_going_on().
  static void* while_making();

 private:
  h5::Id file_ = h5::kNoId;
  h5::Id for_reading_ = h5::kNoId;
};

}  // namespace onecast_hdf5
