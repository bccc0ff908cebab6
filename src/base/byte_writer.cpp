#include "base/byte_writer.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace onecast {

void ByteWriter::zeros(std::size_t count) {
  if (count != 0) std::memset(take(count), 0, count);
}

void ByteWriter::overrun(std::size_t count) const {
  throw std::logic_error(fmt::format("ByteWriter: {} bytes asked for at {} of a window of {}",
                                     count, position_, window_.size()));
}

}  // namespace onecast
