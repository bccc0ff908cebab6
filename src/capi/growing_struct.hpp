#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "capi/handles.hpp"

/// Structs of the C API to which later versions may add members at the end. The caller's program
/// may know a shorter one than this library, which then has to keep to that size.
namespace onecast::capi {

inline void require_size(std::size_t given, std::size_t known, const std::string& where) {
  // A longer one is of a later version, and may ask for what this library does not have.
  if (given < sizeof(std::size_t) || given > known)
    reject(where + ": a size of " + std::to_string(given) + " bytes, not up to " +
           std::to_string(known));
}

/// `all` with as much of `given`, which begins with its size, as the caller knows.
template <class T>
T completed(T all, const T* given, const char* init) {
  if (given == nullptr) return all;
  require_size(given->size, sizeof(T), fmt::format("options not made by {}", init));
  std::memcpy(&all, given, given->size);
  return all;
}

/// A struct that begins with its size and was filled by hand: what the caller does not know is
/// zero.
template <class T>
T known_part(const T& given, const char* name) {
  T all = {};
  require_size(given.size, sizeof(T), name);
  std::memcpy(&all, &given, given.size);
  return all;
}

/// As much of `all` as the caller knows.
template <class T>
void give_struct(T* out, std::size_t size, const T& all, const char* name) {
  require_size(size, sizeof(T), name);
  std::memcpy(&required(out, name), &all, size);
}

}  // namespace onecast::capi
