#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "base/rare.hpp"
#include "format/objects/object_header.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// A header message at its place, still encoded.
struct HeaderMessage {
  MessageType type = MessageType::nil;
  std::uint8_t flags = 0;
  std::uint16_t creation_order = 0;
  Address address;  ///< the address of the data
  ByteView data;

  [[nodiscard]] bool is_shared() const { return (flags & message_flag::kShared) != 0; }
};

/// An object header with all its continuation blocks.
struct ObjectHeader {
  explicit ObjectHeader(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : messages(memory) {}

  ObjectHeaderProperties prefix;      ///< for version 2
  std::uint32_t reference_count = 1;  ///< for version 1; in version 2 it is a message
  std::uint8_t version = 2;
  FileRange first;  ///< the first block, with its prefix and checksum
  RareVector<FileRange> continuations;
  std::pmr::vector<HeaderMessage> messages;  ///< without NIL and continuation messages

  [[nodiscard]] std::size_t count(MessageType type) const {
    std::size_t n = 0;
    for (const HeaderMessage& m : messages) n += m.type == type ? 1 : 0;
    return n;
  }
  [[nodiscard]] const HeaderMessage* find(MessageType type) const {
    for (const HeaderMessage& m : messages)
      if (m.type == type) return &m;
    return nullptr;
  }
};

/// Reads a header of version 1 or 2, verifies checksums, and follows continuations, each block
/// once. Refuses messages of unknown type that forbid it, by number. Messages of the result are
/// allocated from `memory`.
ObjectHeader read_object_header(
    MetadataSource& source, Address address,
    std::pmr::memory_resource* memory = std::pmr::get_default_resource());

}  // namespace onecast::structures
