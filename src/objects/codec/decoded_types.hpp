#pragma once

#include <optional>

#include "base/namespaces.hpp"
#include "objects/codec/decoded_messages.hpp"
#include "objects/memory/arena.hpp"
#include "structures/shared_messages.hpp"

namespace onecast::codec {

/// The datatypes and dataspaces of a file, each decoded once. Any number of threads may look them
/// up at once.
class DecodedTypes {
 public:
  /// What a Datatype or Dataspace message means, or what it shares. It stays where it is.
  const Datatype& datatype(const HeaderMessage& message, SharedMessages& shared,
                           const FileContext& file);
  const Dataspace& dataspace(const HeaderMessage& message, SharedMessages& shared,
                             const FileContext& file);
  /// A Datatype message's bytes, in the arena; made once for many objects of one type in a row.
  /// @param for_old_readers without the class of complex numbers
  ByteView encoded(const Datatype& type, bool for_old_readers, const FileContext& file,
                   Arena& arena);
  /// What the arena had is gone.
  void forget_encoded() { last_encoded_.reset(); }

 private:
  DecodedMessages<Datatype> datatypes_;
  DecodedMessages<Dataspace> dataspaces_;
  std::optional<Datatype> last_encoded_;
  ByteView last_encoding_;
};

}  // namespace onecast::codec
