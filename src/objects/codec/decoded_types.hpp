#pragma once

#include "base/namespaces.hpp"
#include "objects/codec/decoded_messages.hpp"
#include "structures/shared_messages.hpp"

namespace onecast::codec {

/// The datatypes and dataspaces of a file, each decoded once. Any number of threads may look them
/// up at once.
class DecodedTypes {
 public:
  /// Returns what a Datatype or Dataspace message describes, itself or by sharing. The result does
  /// not move.
  const Datatype& datatype(const HeaderMessage& message, SharedMessages& shared,
                           const FileContext& file);
  const Dataspace& dataspace(const HeaderMessage& message, SharedMessages& shared,
                             const FileContext& file);

 private:
  DecodedMessages<Datatype> datatypes_;
  DecodedMessages<Dataspace> dataspaces_;
};

}  // namespace onecast::codec
