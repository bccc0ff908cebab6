#include "capi/returned_links.hpp"

#include <cstdint>
#include <string_view>

#include "capi/returned_memory.hpp"

namespace onecast::capi {

static_assert(static_cast<int>(LinkKind::user_defined) == ONECAST_LINK_USER_DEFINED);

onecast_link* returned_links(std::span<const Link> links) {
  std::size_t bytes = 0;
  for (const Link& link : links)
    bytes +=
        link.name.size() + link.target.size() + link.target_file.size() + link.value.size() + 4;
  ReturnedBlock block(links.size(), sizeof(onecast_link), bytes);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const bool external = link.kind == LinkKind::external;
    const std::string_view value(reinterpret_cast<const char*>(link.value.data()),
                                 link.value.size());
    block.entries<onecast_link>()[i] = {
        .name = block.put(link.name),
        .kind = static_cast<onecast_link_kind>(link.kind),
        .target = external || link.kind == LinkKind::soft ? block.put(link.target) : nullptr,
        .target_file = external ? block.put(link.target_file) : nullptr,
        .creation_order =
            link.creation_order ? static_cast<std::int64_t>(*link.creation_order) : -1,
        .is_utf8 = link.character_set == CharacterSet::utf8 ? 1 : 0,
        .link_class = link.link_class,
        .address = link.address.value_or(UINT64_MAX),
        .value = link.kind == LinkKind::user_defined ? block.put(value) : nullptr,
        .value_size = value.size()};
  }
  return static_cast<onecast_link*>(block.release());
}

}  // namespace onecast::capi
