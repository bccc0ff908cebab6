#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"
#include "types/conversion_step.hpp"
#include "types/number_kernels.hpp"

namespace onecast::types {

using Step = std::unique_ptr<const ConversionStep>;

/// Copies the bytes, in the same or the reverse order.
class CopyStep final : public ConversionStep {
 public:
  explicit CopyStep(std::size_t size, bool swap = false) : size_(size), swap_(swap) {}
  void run(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
           std::size_t count) const override {
    copy_elements(in, in_stride, out, out_stride, size_, count, swap_);
  }

 private:
  std::size_t size_;
  bool swap_;
};

/// Converts between numbers that the processor supports, block by block.
class NativeStep final : public ConversionStep {
 public:
  NativeStep(NumberKernel kernel, std::size_t from_size, bool swap_from, std::size_t to_size,
             bool swap_to)
      : kernel_(kernel),
        from_size_(from_size),
        to_size_(to_size),
        swap_from_(swap_from),
        swap_to_(swap_to) {}
  void run(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
           std::size_t count) const override;

 private:
  NumberKernel kernel_;
  std::size_t from_size_, to_size_;
  bool swap_from_, swap_to_;
};

/// Converts between any two numbers, one by one.
class ScalarStep final : public ConversionStep {
 public:
  ScalarStep(Datatype from, Datatype to) : from_(std::move(from)), to_(std::move(to)) {}
  void run(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
           std::size_t count) const override;

 private:
  Datatype from_, to_;
};

class StringStep final : public ConversionStep {
 public:
  StringStep(Datatype from, Datatype to) : from_(std::move(from)), to_(std::move(to)) {}
  void run(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
           std::size_t count) const override;

 private:
  Datatype from_, to_;
};

/// Converts `length` elements for each element.
class ArrayStep final : public ConversionStep {
 public:
  ArrayStep(Step base, std::size_t from_size, std::size_t to_size, std::size_t length)
      : base_(std::move(base)), from_size_(from_size), to_size_(to_size), length_(length) {}
  void run(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
           std::size_t count) const override;

 private:
  Step base_;
  std::size_t from_size_, to_size_, length_;
};

class CompoundStep final : public ConversionStep {
 public:
  struct Member {
    std::size_t from_offset, to_offset;
    Step step;
  };
  explicit CompoundStep(std::vector<Member> members) : members_(std::move(members)) {}
  void run(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
           std::size_t count) const override;

 private:
  std::vector<Member> members_;
};

}  // namespace onecast::types
