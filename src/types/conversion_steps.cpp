#include "types/conversion_steps.hpp"

#include <algorithm>
#include <cstring>

#include "types/scalar.hpp"
#include "types/string_padding.hpp"

namespace onecast::types {

void NativeStep::run(const std::byte* in, std::size_t in_stride, std::byte* out,
                     std::size_t out_stride, std::size_t count) const {
  // Buffers for elements that are not adjacent or not in the machine's byte order.
  constexpr std::size_t kBlock = 512;
  constexpr std::size_t kLargest = sizeof(long double);
  alignas(64) std::byte from[kBlock * kLargest];
  alignas(64) std::byte to[kBlock * kLargest];
  const bool direct_in = !swap_from_ && in_stride == from_size_;
  const bool direct_out = !swap_to_ && out_stride == to_size_;
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t n = std::min(kBlock, count - done);
    const std::byte* source = in + done * in_stride;
    std::byte* target = out + done * out_stride;
    if (!direct_in) copy_elements(source, in_stride, from, from_size_, from_size_, n, swap_from_);
    kernel_(direct_in ? source : from, direct_out ? target : to, n);
    if (!direct_out) copy_elements(to, to_size_, target, out_stride, to_size_, n, swap_to_);
  }
}

void ScalarStep::run(const std::byte* in, std::size_t in_stride, std::byte* out,
                     std::size_t out_stride, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i)
    store_scalar(to_, load_scalar(from_, in + i * in_stride), out + i * out_stride);
}

void StringStep::run(const std::byte* in, std::size_t in_stride, std::byte* out,
                     std::size_t out_stride, std::size_t count) const {
  const std::size_t size = to_.size();
  const bool terminated = to_.padding() == StringPadding::null_terminated;
  const int pad = to_.padding() == StringPadding::space_padded ? ' ' : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* text = in + i * in_stride;
    std::byte* target = out + i * out_stride;
    const std::size_t length = std::min(unpadded_size({text, from_.size()}, from_.padding()),
                                        terminated ? size - 1 : size);
    std::memmove(target, text, length);
    std::memset(target + length, pad, size - length);
  }
}

void ArrayStep::run(const std::byte* in, std::size_t in_stride, std::byte* out,
                    std::size_t out_stride, std::size_t count) const {
  if (in_stride == length_ * from_size_ && out_stride == length_ * to_size_)
    return base_->run(in, from_size_, out, to_size_, count * length_);
  for (std::size_t i = 0; i < count; ++i)
    base_->run(in + i * in_stride, from_size_, out + i * out_stride, to_size_, length_);
}

void CompoundStep::run(const std::byte* in, std::size_t in_stride, std::byte* out,
                       std::size_t out_stride, std::size_t count) const {
  for (const Member& m : members_)
    m.step->run(in + m.from_offset, in_stride, out + m.to_offset, out_stride, count);
}

}  // namespace onecast::types
