#include "objects/codec/decoded_types.hpp"

#include "objects/codec/datatype_codec.hpp"
#include "types/complex_numbers.hpp"

namespace onecast::codec {

const Datatype& DecodedTypes::datatype(const HeaderMessage& message, SharedMessages& shared,
                                       const FileContext& file) {
  return datatypes_.get(message, [&] { return read_datatype(shared.resolve(message), file); });
}

const Dataspace& DecodedTypes::dataspace(const HeaderMessage& message, SharedMessages& shared,
                                         const FileContext& file) {
  return dataspaces_.get(message, [&] { return read_dataspace(shared.resolve(message), file); });
}

ByteView DecodedTypes::encoded(const Datatype& type, bool for_old_readers, const FileContext& file,
                               Arena& arena) {
  if (!last_encoded_ || *last_encoded_ != type) {
    last_encoding_ =
        encode_datatype(for_old_readers ? without_complex_class(type) : type, file, arena);
    last_encoded_ = type;
  }
  return last_encoding_;
}

}  // namespace onecast::codec
