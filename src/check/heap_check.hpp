#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "format/objects/extension_messages.hpp"
#include "structures/heaps/fractal_heap.hpp"

namespace onecast::check {

/// Checks all blocks of a fractal heap, its free space and its huge objects. Returns null if its
/// header is damaged, or already belongs to another object.
std::unique_ptr<FractalHeap> check_fractal_heap(CheckContext& context, Address header);

/// Returns the number of bytes that the manager says are free.
std::uint64_t check_free_space(CheckContext& context, Address header);

/// The bytes of an object of the global heap. Adds a finding if the page list says that it is
/// unused. Throws Error (format) if there is no such object.
ByteView value_in_use(CheckContext& context, const GlobalHeapId& id);
/// Checks that the free stretches of the page list in visited collections are whole objects.
void check_unused_values(CheckContext& context);

/// Checks the table of shared messages, its indexes and heaps.
void check_shared_messages(CheckContext& context, const SharedMessageTableMessage& message);

}  // namespace onecast::check
