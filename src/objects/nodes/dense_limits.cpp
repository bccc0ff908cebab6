#include "objects/nodes/dense_limits.hpp"

#include <fmt/format.h>

#include "format/objects/group_messages.hpp"
#include "objects/nodes/open_file.hpp"
#include "onecast/base/error.hpp"

namespace onecast::nodes {
namespace {

void require_sound(const DenseLimits& limits, const char* option,
                   const std::function<std::string()>& where) {
  if (limits.min_dense <= limits.max_compact && limits.max_compact <= UINT16_MAX) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{}: {}: 0 <= min_dense <= max_compact <= {} expected, max_compact is "
                          "{}, min_dense {}",
                          where(), option, UINT16_MAX, limits.max_compact, limits.min_dense));
}

}  // namespace

DenseLimits limits_of_links(Node& group) {
  const HeaderMessage* message = group.header.find(MessageType::group_info);
  if (message == nullptr) return {};
  // Most new groups share this message.
  const DenseLimits common = GroupOptions().dense_links;
  if (message->data.data() == group.home().group_info(common).data.data()) return common;
  const auto info =
      decode<GroupInfoMessage>(message->data, message->address, group.home().store().file());
  return {info.max_compact_links, info.min_dense_links};
}

void require_sound(const GroupOptions& options, const std::function<std::string()>& where) {
  require_sound(options.dense_links, "dense_links", where);
  require_sound(options.dense_attributes, "dense_attributes", where);
}

}  // namespace onecast::nodes
