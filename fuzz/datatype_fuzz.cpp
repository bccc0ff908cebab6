// Datatype messages, up to the public type. The input is the message.
#include "fuzz/input.hpp"
#include "objects/datatype_codec.hpp"

namespace onecast {

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const FileContext file{"input.h5", 8, 8};
    const Datatype type = to_datatype(decode<DatatypeMessage>(bytes, Address{0}, file));
    static_cast<void>(type.describe());
    static_cast<void>(type == Datatype(type));
    const DatatypeMessage message = to_message(type);
    std::vector<std::byte> again(encoded_size(file, message));
    ByteWriter out(again);
    encode(out, file, message);
  });
}

}  // namespace onecast
