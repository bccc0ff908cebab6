#include "capi/returned_links.hpp"

#include <cstdint>

#include "capi/returned_memory.hpp"

namespace onecast::capi {

static_assert(static_cast<int>(LinkKind::user_defined) == ONECAST_LINK_USER_DEFINED);

onecast_link* returned_links(std::span<const Link> links) {
  std::size_t bytes = 0;
  for (const Link& link : links)
    bytes += link.name.size() + link.target.size() + link.target_file.size() + 3;
  ReturnedBlock block(links.size(), sizeof(onecast_link), bytes);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const bool external = link.kind == LinkKind::external;
    block.entries<onecast_link>()[i] = {
        block.put(link.name), static_cast<onecast_link_kind>(link.kind),
        external || link.kind == LinkKind::soft ? block.put(link.target) : nullptr,
        external ? block.put(link.target_file) : nullptr,
        link.creation_order ? static_cast<std::int64_t>(*link.creation_order) : -1};
  }
  return static_cast<onecast_link*>(block.release());
}

}  // namespace onecast::capi
