#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/namespaces.hpp"
#include "format/objects/data_layout_message.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::lifetime {

/// Throws an Error with this text about an argument.
using Reject = std::function<void(const std::string&)>;

/// Calls `reject` unless a dataset of `size` bytes can lie in the slots.
void check_slots(const std::vector<ExternalSlot>& slots, std::uint64_t size, const Reject& reject);
/// Calls `reject` unless a dataset of this space can consist of the mappings.
void check_mappings(const std::vector<VirtualMapping>& mappings, const Dataspace& space,
                    const Reject& reject);

/// Returns the External Data Files message of a new dataset; its file names become a new block.
/// @param beside set to the contents of the block, without its place
HeaderMessage external_data_files(FileState& file, const std::vector<ExternalSlot>& slots,
                                  ByteView& beside);
/// Returns the layout message of a new virtual dataset; its mappings become a new block.
DataLayoutMessage virtual_layout(FileState& file, const std::vector<VirtualMapping>& mappings,
                                 ByteView& beside);
/// Turns the block of a message that one rank knew into a block for all ranks, and enters its
/// address into the message, if the message is of one of these types. `beside` does not move.
void store_beside(FileState& file, HeaderMessage& message, ByteView beside);

}  // namespace onecast::lifetime
