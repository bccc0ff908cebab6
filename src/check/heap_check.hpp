#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "format/objects/extension_messages.hpp"
#include "structures/heaps/fractal_heap.hpp"

namespace onecast::check {

/// Looks at all blocks of a fractal heap, its free space and its huge objects. Null if its header
/// is damaged, or belongs to another object already.
std::unique_ptr<FractalHeap> check_fractal_heap(CheckContext& context, Address header);

/// Returns the bytes that it says are free.
std::uint64_t check_free_space(CheckContext& context, Address header);

/// The bytes of an object of the global heap. The log hears of it if the page list says that nobody
/// uses them. Throws Error (format) if there is no such object.
ByteView value_in_use(CheckContext& context, const GlobalHeapId& id);
/// What the page list says to be free in collections that were looked at is whole objects.
void check_unused_values(CheckContext& context);

/// The table of shared messages, its indexes and heaps.
void check_shared_messages(CheckContext& context, const SharedMessageTableMessage& message);

}  // namespace onecast::check
