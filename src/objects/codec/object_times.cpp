#include "objects/codec/object_times.hpp"

#include "format/objects/object_messages.hpp"
#include "objects/codec/message_codec.hpp"

namespace onecast::codec {

std::optional<ObjectTimes> times_of(const ObjectHeader& header, const FileContext& file) {
  if (header.version == 2 && (header.prefix.flags & header_flag::kTimes) != 0)
    return ObjectTimes{header.prefix.access_time, header.prefix.modification_time,
                       header.prefix.change_time, header.prefix.birth_time};
  if (const HeaderMessage* m = header.find(MessageType::modification_time))
    return ObjectTimes{
        .change = decode<ModificationTimeMessage>(m->data, m->address, file).seconds_after_epoch};
  if (const HeaderMessage* m = header.find(MessageType::old_modification_time))
    if (const auto time =
            decode<OldModificationTimeMessage>(m->data, m->address, file).seconds_after_epoch())
      return ObjectTimes{.change = *time};
  return std::nullopt;
}

void set_times(ObjectHeaderProperties& properties, const ObjectTimes& times) {
  const auto stored = [&](std::int64_t time) {
    return static_cast<std::uint32_t>(time != 0 ? time : times.change);
  };
  properties.access_time = stored(times.access);
  properties.modification_time = stored(times.modification);
  properties.change_time = stored(times.change);
  properties.birth_time = stored(times.birth);
}

}  // namespace onecast::codec
