#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/namespaces.hpp"
#include "format/objects/data_layout_message.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::storage {

/// Throws an Error that says this of an argument.
using Reject = std::function<void(const std::string&)>;

/// Can a dataset of so many bytes lie there?
void check_slots(const std::vector<ExternalSlot>& slots, std::uint64_t size, const Reject& reject);
/// Can a dataset of this space consist of them?
void check_mappings(const std::vector<VirtualMapping>& mappings, const Dataspace& space,
                    const Reject& reject);

/// The External Data Files message of a new dataset; its file names become a new block.
/// @param beside set: what is in it, without its place
HeaderMessage external_data_files(FileState& file, const std::vector<ExternalSlot>& slots,
                                  ByteView& beside);
/// The layout message of a new virtual dataset; its mappings become a new block.
DataLayoutMessage virtual_layout(FileState& file, const std::vector<VirtualMapping>& mappings,
                                 ByteView& beside);
/// What one rank knew becomes a block for all: the message, if it is one of these, says where.
/// `beside` stays where it is.
void place_beside(FileState& file, HeaderMessage& message, ByteView beside);

}  // namespace onecast::storage
