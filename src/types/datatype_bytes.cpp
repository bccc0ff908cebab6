#include "onecast/types/encode.hpp"
#include "types/datatype_codec.hpp"

namespace onecast {

using namespace types;

namespace {

/// Without a file, addresses and lengths have 8 bytes.
FileContext no_file() { return {.name = "datatype"}; }

}  // namespace

std::vector<std::byte> encode(const Datatype& type) { return encode_datatype(type, no_file()); }

Datatype decode_datatype(std::span<const std::byte> message) {
  return to_datatype(decode<DatatypeMessage>(message, Address(0), no_file()));
}

}  // namespace onecast
