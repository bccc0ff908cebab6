#pragma once

#include <algorithm>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::comm {

/// Calls each(segment) for bytes of any size, in segments that fit into one message.
template <class Span, class F>
void for_each_segment(Span bytes, F&& each) {
  while (!bytes.empty()) {
    const Span segment = bytes.first(std::min(bytes.size(), CommunicatorBackend::kSegment));
    each(segment);
    bytes = bytes.subspan(segment.size());
  }
}

}  // namespace onecast::comm
