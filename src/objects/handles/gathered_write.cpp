#include "onecast/objects/gathered_write.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/make_error.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/chunks/gathered_write.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"
#include "objects/values/store_values.hpp"

namespace onecast {

using namespace handles;

void write_gathered(Dataset& dataset, std::uint64_t first,
                    std::span<const std::span<const std::byte>> parts) {
  Node& node = ObjectAccess::node(dataset);
  require_writable(ObjectAccess::handle(dataset));
  require_there(node);
  const auto reject = [&](const std::string& what) {
    throw argument_error("{}: {}", node.where(), what);
  };
  const DatasetInfo& info = node.dataset();
  const Shape& shape = info.space.shape();
  if (shape.size() != 1) reject(fmt::format("has {} dimensions, not one", shape.size()));
  if (uses_heap(info.type)) reject("has values of variable length");
  std::uint64_t size = 0;
  for (const auto part : parts) size += part.size();
  const std::uint64_t count = size / info.type.size();
  if (size % info.type.size() != 0)
    reject(fmt::format("parts: {} bytes are no elements of {}", size, info.type.size()));
  if (first > shape[0] || count > shape[0] - first)
    reject(fmt::format("elements {} to {} of {}", first, first + count, shape[0]));
  if (count == 0) return;
  if (info.layout == Layout::chunked && info.filters.empty() &&
      write_parts_in_place(node, first, count, parts))
    return;
  std::vector<std::byte> joined;
  joined.reserve(static_cast<std::size_t>(size));
  for (const auto part : parts) joined.insert(joined.end(), part.begin(), part.end());
  dataset.write(joined, {.part = Hyperslab{{first}, {count}}, .memory_type = info.type});
}

}  // namespace onecast
