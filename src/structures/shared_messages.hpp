#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "format/objects/extension_messages.hpp"
#include "structures/heaps/fractal_heap.hpp"
#include "structures/object_header.hpp"

namespace onecast::structures {

/// Finds what stands elsewhere: the messages of committed datatypes, and those in the heaps of
/// shared messages. Any number of threads may ask at once.
class SharedMessages {
 public:
  /// `table`: from the superblock extension, if the file has one.
  SharedMessages(MetadataSource& source, const std::optional<SharedMessageTableMessage>& table)
      : source_(source), table_(table) {}

  /// The message that a shared one stands for; itself if it is not shared. Keeps its creation
  /// order.
  HeaderMessage resolve(const HeaderMessage& message);
  /// The message of this ID.
  ByteView in_heap(MessageType type, ByteView heap_id);
  /// The heap that holds shared messages of a type. Throws Error (format) if there is none.
  Address heap_of(MessageType type);

 private:
  MetadataSource& source_;
  std::optional<SharedMessageTableMessage> table_;
  Mutex mutex_;  ///< of the next two
  std::map<Address, FractalHeap> heaps_;
  /// Very many datasets may have the same committed datatype. The bytes are copies: its header may
  /// be written anew while views of it are in use.
  struct Committed {
    Address address;
    std::vector<std::byte> bytes;
  };
  const Committed& committed(const HeaderMessage& message, Address object);
  std::map<std::pair<Address, MessageType>, Committed> committed_;
};

}  // namespace onecast::structures
