#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "capi/handles.hpp"

/// Structs of the C API to which later versions may add members at the end. The caller may have
/// been compiled with a shorter struct; the library then reads and writes only that size.
namespace onecast::capi {

inline void require_size(std::size_t given, std::size_t known, const std::string& where) {
  // A longer struct is from a later version and may have options that this library does not know.
  if (given < sizeof(std::size_t) || given > known)
    reject(where + ": a size of " + std::to_string(given) + " bytes, not up to " +
           std::to_string(known));
}

/// Returns `all`, with its first given->size bytes replaced by those of `given`.
template <class T>
T completed(T all, const T* given, const char* init) {
  if (given == nullptr) return all;
  require_size(given->size, sizeof(T), fmt::format("options not made by {}", init));
  std::memcpy(&all, given, given->size);
  return all;
}

/// Returns a struct that begins with its size and that the caller filled; members that the caller
/// does not know are zero.
template <class T>
T known_part(const T& given, const char* name) {
  T all = {};
  require_size(given.size, sizeof(T), name);
  std::memcpy(&all, &given, given.size);
  return all;
}

/// Copies the members of `all` that the caller knows.
template <class T>
void give_struct(T* out, std::size_t size, const T& all, const char* name) {
  require_size(size, sizeof(T), name);
  std::memcpy(&required(out, name), &all, size);
}

/// Gives options with their default values, of the size that the caller knows.
template <class T>
void give_options(T* options, std::size_t size, T defaults) {
  defaults.size = size;
  give_struct(options, size, defaults, "options");
}

}  // namespace onecast::capi
