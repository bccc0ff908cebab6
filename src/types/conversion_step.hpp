#pragma once

#include <cstddef>

#include "base/namespaces.hpp"

namespace onecast::types {

/// One step of a conversion, for elements at given strides.
class ConversionStep {
 public:
  ConversionStep() = default;
  ConversionStep(const ConversionStep&) = delete;
  ConversionStep& operator=(const ConversionStep&) = delete;
  virtual ~ConversionStep() = default;

  virtual void run(const std::byte* in, std::size_t in_stride, std::byte* out,
                   std::size_t out_stride, std::size_t count) const = 0;
};

}  // namespace onecast::types
