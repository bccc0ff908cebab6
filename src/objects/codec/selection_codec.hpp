#pragma once

#include <vector>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::format {
struct DataspaceSelection;
}  // namespace onecast::format

namespace onecast::codec {

/// Decodes a selection of an array of `rank` dimensions at the reader's position, as in region
/// references and the mappings of virtual datasets. An unlimited count or block becomes
/// Dataspace::kUnlimited. Does not check that the selection lies in the array. Throws Error:
/// format, or unsupported if it consists of too many pieces.
Selection decode_selection(ByteReader& in, std::size_t rank);

/// Decodes a selection from the start of `bytes`, which lie at `where` in the file.
Selection decode_selection(ByteView bytes, Address where, const FileContext& file,
                           std::size_t rank);

/// Converts a record that was decoded; `in` is for errors.
Selection to_selection(DataspaceSelection record, ByteReader& in);

/// Returns the record in the oldest version that can express the selection without making it much
/// longer.
DataspaceSelection to_record(const Selection& selection);
/// Returns the bytes of that record.
std::vector<std::byte> encode_selection(const Selection& selection);

}  // namespace onecast::codec
