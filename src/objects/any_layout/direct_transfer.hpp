#pragma once

#include <span>

#include "base/namespaces.hpp"
#include "collective/extent_list.hpp"
#include "objects/elements/packing.hpp"
#include "objects/nodes/node.hpp"

/// Transfers between memory of a device and a dataset by cuFile, as the option `device_io` of the
/// file wants it. The last two functions return false, and note why for File::explain, if the data
/// has to be staged; if the option wants nothing else than this way, they throw. Require that
/// elements are moved by parts. Do not communicate.
namespace onecast::any_layout {

/// Notes for File::explain why a transfer that goes another way is staged, if it is one with memory
/// of a device. Throws Error (unsupported) if the option wants nothing else than cuFile.
void note_other_way(Node& dataset, const Packing& packing);

bool read_directly(Node& dataset, const Packing& packing, std::span<std::byte> out);
/// After a return of false, or an exception, any of the elements may be new. `known`: what
/// extents_to_write() returns, if the caller has it.
bool write_directly(Node& dataset, const Packing& packing, std::span<const std::byte> bytes,
                    const ExtentList* known);

}  // namespace onecast::any_layout
