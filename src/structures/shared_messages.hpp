#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "format/objects/extension_messages.hpp"
#include "structures/heaps/fractal_heap.hpp"
#include "structures/object_header.hpp"

namespace onecast::structures {

/// Finds messages that are stored elsewhere: those of committed datatypes, and those in the heaps
/// of shared messages. Any number of threads may use it at once.
class SharedMessages {
 public:
  /// `table` comes from the superblock extension, if the file has one.
  SharedMessages(MetadataSource& source, const std::optional<SharedMessageTableMessage>& table)
      : source_(source), table_(table) {}

  /// The message that a shared `message` refers to, with the creation order of `message`; `message`
  /// itself if it is not shared.
  HeaderMessage resolve(const HeaderMessage& message);
  /// The message with this heap ID.
  ByteView in_heap(MessageType type, ByteView heap_id);
  /// The heap that holds shared messages of a type. Throws Error (format) if there is none.
  Address heap_of(MessageType type);

 private:
  MetadataSource& source_;
  std::optional<SharedMessageTableMessage> table_;
  Mutex mutex_;  ///< guards the next two members
  std::map<Address, FractalHeap> heaps_;
  /// Caches committed datatypes, since very many datasets may have the same one. The bytes are
  /// copies, because the header may be written anew while views of it are in use.
  struct Committed {
    Address address;
    std::vector<std::byte> bytes;
  };
  const Committed& committed(const HeaderMessage& message, Address object);
  std::map<std::pair<Address, MessageType>, Committed> committed_;
};

}  // namespace onecast::structures
