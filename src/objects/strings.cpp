#include "objects/strings.hpp"

#include <fmt/format.h>

#include "format/infra/global_heap.hpp"
#include "objects/datatype_codec.hpp"
#include "objects/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

std::vector<std::string> decode_strings(FileState& file, const Datatype& type, ByteView values,
                                        const std::string& where) {
  const FileContext& context = file.store->file();
  std::vector<std::string> strings;
  const std::size_t size = type.size();
  if (type.type_class() == TypeClass::string) {
    for (std::size_t i = 0; i + size <= values.size(); i += size)
      strings.push_back(unpad(values.subspan(i, size), type.padding()));
    return strings;
  }
  if (type.type_class() != TypeClass::variable_string)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: is {}, not strings", where, type.describe()));
  if (size < VariableLengthReference::size(context))
    throw Error(ErrorCode::format,
                fmt::format("{}: variable-length elements of {} bytes", where, size));
  // One value often lies in the collection of the one before; too many must not stay in memory.
  constexpr std::size_t kMostCollections = 64;
  if (file.heap->collections() > kMostCollections) file.heap.emplace(*file.store);
  constexpr std::uint64_t kMostShared = std::uint64_t{256} << 20U;
  std::uint64_t left = file.file_end + kMostShared;
  for (std::size_t i = 0; i + size <= values.size(); i += size) {
    const auto ref = decode<VariableLengthReference>(values.subspan(i, size), {}, context);
    // A string that was never written has no place in the heap.
    if (ref.length == 0 || ref.id.collection.value == 0 || !ref.id.collection.is_defined()) {
      strings.emplace_back();
      continue;
    }
    const ByteView bytes = file.heap->object(ref.id);
    if (ref.length > bytes.size())
      throw Error(ErrorCode::format, fmt::format("{}: element {}: {} bytes in a heap object of {}",
                                                 where, i / size, ref.length, bytes.size()));
    if (ref.length > left)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: not supported: strings that share objects of the heap, "
                              "{} bytes longer than the file",
                              where, kMostShared));
    left -= ref.length;
    strings.push_back(unpad(bytes.first(ref.length), StringPadding::null_terminated));
  }
  return strings;
}

}  // namespace onecast
