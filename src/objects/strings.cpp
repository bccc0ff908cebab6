#include "objects/strings.hpp"

#include <fmt/format.h>

#include "format/infra/global_heap.hpp"
#include "objects/datatype_codec.hpp"
#include "onecast/base/error.hpp"
#include "structures/global_heap.hpp"

namespace onecast {

std::vector<std::string> decode_strings(MetadataSource& source, const Datatype& type, ByteView values,
                                        const std::string& where) {
  std::vector<std::string> strings;
  const std::size_t size = type.size();
  if (type.type_class() == TypeClass::string) {
    for (std::size_t i = 0; i + size <= values.size(); i += size)
      strings.push_back(unpad(values.subspan(i, size), type.padding()));
    return strings;
  }
  if (type.type_class() != TypeClass::variable_string)
    throw Error(ErrorCode::invalid_argument, fmt::format("{}: is {}, not strings", where, type.describe()));
  if (size < VariableLengthReference::size(source.file()))
    throw Error(ErrorCode::format, fmt::format("{}: variable-length elements of {} bytes", where, size));
  GlobalHeap heap(source);
  for (std::size_t i = 0; i + size <= values.size(); i += size) {
    const auto ref = decode<VariableLengthReference>(values.subspan(i, size), {}, source.file());
    // A string that was never written has no place in the heap.
    if (ref.length == 0 || ref.id.collection.value == 0 || !ref.id.collection.is_defined()) {
      strings.emplace_back();
      continue;
    }
    const ByteView bytes = heap.object(ref.id);
    if (ref.length > bytes.size())
      throw Error(ErrorCode::format, fmt::format("{}: element {}: {} bytes in a heap object of {}", where,
                                                 i / size, ref.length, bytes.size()));
    strings.push_back(unpad(bytes.first(ref.length), StringPadding::null_terminated));
  }
  return strings;
}

}  // namespace onecast
