#pragma once

#include <vector>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::format {
struct DataspaceSelection;
}  // namespace onecast::format

namespace onecast::codec {

/// The selection, of an array of `rank` dimensions, that is encoded at the reader's position, as in
/// region references and the mappings of virtual datasets. A count or block that is unlimited there
/// is Dataspace::kUnlimited. Whether it lies in the array is not checked here. Throws Error:
/// format, or unsupported for what consists of too many pieces.
Selection decode_selection(ByteReader& in, std::size_t rank);

/// The same from the start of `bytes`, which lie at `where` in the file.
Selection decode_selection(ByteView bytes, Address where, const FileContext& file,
                           std::size_t rank);

/// The same of a record that was decoded; `in` is for errors.
Selection to_selection(DataspaceSelection record, ByteReader& in);

/// In the oldest version that can express it, without making it much longer.
DataspaceSelection to_record(const Selection& selection);
/// Its bytes.
std::vector<std::byte> encode_selection(const Selection& selection);

}  // namespace onecast::codec
