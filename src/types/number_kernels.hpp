#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

/// Numbers that the processor supports, or converts with a few instructions.
enum class NativeKind : std::uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f32,
  f64,
  long_double,
  f16,       ///< for reading only, as f32
  bfloat16,  ///< for reading only, as f32
};

struct NativeNumber {
  NativeKind kind;
  bool swapped;  ///< in the byte order that is not the machine's
};

/// The native number that `type` is, if it is one.
std::optional<NativeNumber> native_number(const Datatype& type);

/// Copies elements, and reverses the bytes of each if `swap`. in_stride and out_stride are the
/// bytes from one element to the next.
void copy_elements(const std::byte* in, std::size_t in_stride, std::byte* out,
                   std::size_t out_stride, std::size_t size, std::size_t count, bool swap);

/// Converts adjacent native elements. Values out of range become the nearest value, or infinity for
/// floats; NaN becomes the integer 0; fractions are truncated.
using NumberKernel = void (*)(const std::byte* in, std::byte* out, std::size_t count);
/// Null if `to` is f16 or bfloat16.
NumberKernel number_kernel(NativeKind from, NativeKind to);

}  // namespace onecast::types
