#include "objects/codec/decoded_types.hpp"

#include "objects/codec/datatype_codec.hpp"

namespace onecast::codec {

const Datatype& DecodedTypes::datatype(const HeaderMessage& message, SharedMessages& shared,
                                       const FileContext& file) {
  return datatypes_.get(message, [&] { return read_datatype(shared.resolve(message), file); });
}

const Dataspace& DecodedTypes::dataspace(const HeaderMessage& message, SharedMessages& shared,
                                         const FileContext& file) {
  return dataspaces_.get(message, [&] { return read_dataspace(shared.resolve(message), file); });
}

}  // namespace onecast::codec
