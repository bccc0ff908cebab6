#include "filters/workspace.hpp"

#include "base/per_thread.hpp"

namespace onecast::filters {
namespace {

/// Several times the usual size of chunks; larger memory is freed.
constexpr std::size_t kKept = std::size_t{16} << 20U;

}  // namespace

Workspace& Workspace::mine() { return per_thread<Workspace>(); }

std::span<std::byte> Workspace::room(Buffer& buffer, std::size_t size) {
  if (buffer.size() < size) {
    buffer = Buffer();  // first, so that both are never held at once
    buffer = Buffer(size);
  }
  return buffer.span().first(size);
}

void Workspace::trim() {
  for (Buffer* buffer : {results_.data(), results_.data() + 1, &temporary_})
    if (buffer->size() > kKept) *buffer = Buffer();
}

}  // namespace onecast::filters
