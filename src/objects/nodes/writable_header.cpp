#include "objects/nodes/writable_header.hpp"

#include <fmt/format.h>

#include "format/objects/message_records.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/codec/object_times.hpp"
#include "onecast/base/error.hpp"

namespace onecast::nodes {
namespace {

/// Obeys "Header Message Flags": an unknown message may forbid changes of its object.
void heed_unknown(HeaderMessage& m, const std::function<std::string()>& where) {
  if ((m.flags & message_flag::kFailIfUnknownAndWritable) != 0)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{}: not supported: changing an object with a message of type {}, which "
                    "must be understood",
                    where(), static_cast<unsigned>(m.type)));
  if ((m.flags & message_flag::kMarkIfUnknown) != 0) m.flags |= message_flag::kWasUnknown;
}

/// Returns true for messages of links and attributes, which the node has in tables.
bool stands_elsewhere(const HeaderMessage& m) {
  switch (m.type) {
    case MessageType::link:
    case MessageType::link_info:
    case MessageType::symbol_table:
    case MessageType::attribute:
    case MessageType::attribute_info:
      return true;
    default:
      return false;
  }
}

/// Moves the time into the prefix, where a version 2 header has its times.
void move_times(ObjectHeader& header, const FileContext& file) {
  const std::optional<ObjectTimes> times = times_of(header, file);
  if (!times) return;
  header.prefix.flags |= header_flag::kTimes;
  set_times(header.prefix, *times);
  std::erase_if(header.messages, [](const HeaderMessage& m) {
    return m.type == MessageType::modification_time || m.type == MessageType::old_modification_time;
  });
}

}  // namespace

void make_writable(ObjectHeader& header, const std::function<std::string()>& where,
                   const FileContext& file, Arena& arena) {
  for (HeaderMessage& m : header.messages)
    if (!is_understood(m.type)) heed_unknown(m, where);
  const bool was_symbol_table = header.find(MessageType::symbol_table) != nullptr;
  std::erase_if(header.messages, stands_elsewhere);
  for (HeaderMessage& m : header.messages) {
    m.data = arena.keep(m.data);
    // The layout of a dataset with early allocation is constant. Here the index may be removed, and
    // then the HDF5 library must be able to enter another one.
    if (m.type == MessageType::data_layout)
      m.flags = static_cast<std::uint8_t>(m.flags & ~message_flag::kConstant);
  }
  if (was_symbol_table && header.find(MessageType::group_info) == nullptr)
    header.messages.push_back(group_info_message(GroupOptions().dense_links, file, arena));
  if (header.version == 2) return;

  header.prefix = {};
  header.prefix.flags = ObjectHeaderPrefixV2::chunk0_size_flags(header.first.size);
  move_times(header, file);
  header.version = 2;
  if (header.reference_count != 1)
    keep_reference_count(header, header.reference_count, file, arena);
}

void keep_reference_count(ObjectHeader& header, std::uint32_t count, const FileContext& file,
                          Arena& arena) {
  std::erase_if(header.messages,
                [](const HeaderMessage& m) { return m.type == MessageType::reference_count; });
  if (count == 1) return;
  const ReferenceCountMessage message{count};
  header.messages.push_back(
      {MessageType::reference_count, 0, 0, {}, encode_kept(message, file, arena)});
}

}  // namespace onecast::nodes
