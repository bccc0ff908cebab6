#pragma once

#include <span>

#include "base/namespaces.hpp"
#include "collective/extent_list.hpp"
#include "objects/chunks/chunk_write.hpp"
#include "objects/elements/packing.hpp"
#include "objects/nodes/node.hpp"

/// Large transfers between memory of a device and a dataset, through two buffers of bounded size:
/// while the device copies a part, the file is read or written for another.
namespace onecast::any_layout {

/// Returns true if elements that are packed by parts go through such buffers.
bool goes_by_staging(Node& dataset, const Packing& packing);

/// Reads into memory of a device. Requires goes_by_staging(). Does not communicate.
void read_to_device(Node& dataset, const Packing& packing, std::span<std::byte> out);

/// Writes elements that are packed by parts, from memory of the process or of a device, to
/// contiguous or chunked storage. `known`: what extents_to_write() returns, if the caller has it.
/// Does not communicate.
void write_by_parts(Node& dataset, const Packing& packing, std::span<const std::byte> bytes,
                    Allocation allocation, const ExtentList* known = nullptr);

}  // namespace onecast::any_layout
