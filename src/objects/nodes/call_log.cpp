#include "objects/nodes/call_log.hpp"

#include "objects/memory/limits.hpp"
#include "objects/nodes/node.hpp"
#include "objects/nodes/open_file.hpp"

namespace onecast::nodes {

void CallLog::add(const char* what, Node& where, std::string_view name,
                  const CallArguments& arguments) {
  grow_by_call(where, name);
  if (!keeps()) return;
  Digest call(digest());
  call.add(std::string_view(what)).add(where.identity()).add(name);
  LoggedCall entry{what, &where, name, 0, {}};
  for (std::size_t i = 0; i < CallArguments::kCount; ++i) {
    const std::uint64_t digest = arguments.digests[i].value();
    call.add(digest);
    entry.arguments[i] = static_cast<std::uint32_t>(digest);
  }
  entry.digest = call.value();
  calls_.push_back(entry);
}

/// An existing object is decoded, and the flush copies each page that changes.
void CallLog::grow_by_call(const Node& where, std::string_view name) {
  constexpr std::uint64_t kOfOneCall = 256;
  grow(kOfOneCall + name.size());
  if (paused_ || where.is_new()) return;
  const bool in_pages = file_.has_allocator() && file_.allocator().is_paged();
  const std::uint64_t unit = in_pages ? file_.allocator().page_size() : where.header.first.size;
  if (changed_.insert(2 * where.address.value + 1).second) grow(kMemoryOfNewObject);
  if (unit != 0 && changed_.insert(where.address.value / unit * 2).second) grow(unit);
}

}  // namespace onecast::nodes
