#include "onecast/types/encode.hpp"
#include "types/datatype_codec.hpp"

namespace onecast {
namespace {

/// No file: addresses and lengths in types have 8 bytes.
const FileContext kNoFile{.name = "datatype"};

}  // namespace

std::vector<std::byte> encode(const Datatype& type) { return encode_datatype(type, kNoFile); }

Datatype decode_datatype(std::span<const std::byte> message) {
  return to_datatype(decode<DatatypeMessage>(message, Address(0), kNoFile));
}

}  // namespace onecast
