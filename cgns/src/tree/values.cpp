#include "tree/values.hpp"

#include <limits>

#include "nodes/hdf5_type.hpp"
#include "onecast/types/convert.hpp"

namespace onecast::cgns {

namespace {

/// The largest value that is read whole. The limit keeps a damaged file from filling the memory.
constexpr std::uint64_t kLargestSmallValue = std::uint64_t{1} << 30U;

}  // namespace

std::vector<std::byte> read_value(Node& node, ValueType type) {
  const auto data = node.data();
  if (!data) return {};
  if (!converts(node.type(), type))
    throw Failure(node.path() + " is of type " + std::string(text_of(node.type())) + ", not " +
                  std::string(text_of(type)));
  const std::uint64_t count = data->element_count();
  if (count > kLargestSmallValue / size_of(type))
    throw failure(node.path(), " is too large: ", count, " elements");
  std::vector<std::byte> out(count * size_of(type));
  if (node.brought)
    convert(data->datatype(), *node.brought, hdf5_type(type), out);
  else
    data->read(out, TransferRequest{.memory_type = hdf5_type(type)});
  return out;
}

namespace detail {

std::vector<std::int32_t> narrowed(Node& node, const std::vector<std::int64_t>& wide) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(wide.size());
  for (const std::int64_t number : wide) {
    if (number < std::numeric_limits<std::int32_t>::min() ||
        number > std::numeric_limits<std::int32_t>::max())
      throw failure(node.path(), ": ", number, " does not fit 32 bits");
    numbers.push_back(static_cast<std::int32_t>(number));
  }
  return numbers;
}

}  // namespace detail

std::string read_text(Node& node) {
  const auto bytes = read_value(node, ValueType::C1);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace onecast::cgns
