#pragma once

#include <exception>

namespace onecast_hdf5 {

/// Why Onecast does not serve a call. Thrown by the functions that serve calls.
struct NotByOnecast : std::exception {
  explicit NotByOnecast(const char* why) : reason(why) {}
  [[nodiscard]] const char* what() const noexcept override { return reason; }
  const char* reason;
};

/// Thrown if only the shadow can do a call, or only it knows how the native library reports what is
/// wrong with it.
struct UseShadow : NotByOnecast {
  using NotByOnecast::NotByOnecast;
};

/// Thrown if a call needs what only the native library does with a file; the file is then handed
/// over.
struct NeedsNative : NotByOnecast {
  using NotByOnecast::NotByOnecast;
};

}  // namespace onecast_hdf5
