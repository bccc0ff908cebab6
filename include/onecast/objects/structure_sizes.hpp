#pragma once

#include <cstdint>
#include <vector>

#include "onecast/objects/file.hpp"
#include "onecast/objects/object.hpp"

/// The space that the structures of a file take, for tools that report it. All functions throw
/// Error as Object does, and describe the file as it is without changes since the last flush.
/// @independent
namespace onecast {

/// The header of an object. Sizes are in bytes.
struct HeaderSizes {
  unsigned version = 0;
  unsigned flags = 0;     ///< of a version 2 header; of version 1: as if the object had times
  unsigned messages = 0;  ///< including those without data and those that lead to other blocks
  unsigned blocks = 0;
  std::uint64_t total = 0;
  std::uint64_t structure = 0;  ///< what is neither data of messages nor free
  std::uint64_t data = 0;       ///< the data of messages
  std::uint64_t free = 0;
  std::uint64_t present = 0;  ///< bit n: there is a message of type n; 24: of an unknown type
  std::uint64_t shared = 0;   ///< bit n: a message of type n is stored elsewhere
};

/// Structures that lie outside of a header. Sizes are in bytes.
struct SizesBeside {
  std::uint64_t index = 0;
  std::uint64_t heap = 0;
};

struct ObjectSizes {
  HeaderSizes header{};
  /// The links of a group; the chunks of a dataset, without their data, or its table of external
  /// files.
  SizesBeside contents{};
  SizesBeside attributes{};
};

/// Throws Error (state) for an object that is not in the file yet.
ObjectSizes sizes_of(const Object& object);

/// The numbers in the superblock of a file and in its extension.
struct SuperblockDetails {
  unsigned version = 0;
  unsigned size_of_offsets = 8;
  unsigned size_of_lengths = 8;
  unsigned group_leaf_k = 4;
  unsigned group_internal_k = 16;
  unsigned chunk_internal_k = 32;
  std::vector<unsigned> extension_messages{};  ///< the types of the messages in the extension
};
SuperblockDetails superblock_of(const File& file);

/// Throws Error (io), with errno ENOENT or ESTALE, if the path of the file does not lead to it any
/// more: another program would then open another file. @independent
void require_path(const File& file);

}  // namespace onecast
