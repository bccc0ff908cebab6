#include "onecast/space/dataspace.hpp"

#include <utility>

#include "base/make_error.hpp"

namespace onecast {

Dataspace::Dataspace(Shape shape)
    : kind_(shape.empty() ? Kind::scalar : Kind::simple), shape_(std::move(shape)) {}

Dataspace::Dataspace(Shape shape, Shape max_shape) : Dataspace(std::move(shape)) {
  if (!max_shape.empty() && max_shape.size() != shape_.size())
    throw argument_error("dataspace: max_shape has {} dimensions, shape has {}", max_shape.size(),
                         shape_.size());
  for (std::size_t i = 0; i < max_shape.size(); ++i)
    if (max_shape[i] < shape_[i])
      throw argument_error("dataspace: max_shape is {} in dimension {}, below shape, which is {}",
                           max_shape[i], i, shape_[i]);
  max_shape_ = std::move(max_shape);
}

Dataspace Dataspace::null() {
  Dataspace space;
  space.kind_ = Kind::null;
  return space;
}

std::uint64_t Dataspace::element_count() const {
  if (kind_ == Kind::null) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t n : shape_)
    if (n == 0) return 0;
  for (const std::uint64_t n : shape_)
    if (__builtin_mul_overflow(count, n, &count))
      throw Error(ErrorCode::invalid_argument, "dataspace: more than 2^64 elements");
  return count;
}

}  // namespace onecast
