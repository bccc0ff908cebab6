// Datatype messages, up to the public type. The input is the message.
#include "fuzz/input.hpp"
#include "types/datatype_codec.hpp"

namespace onecast {

using namespace types;

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const FileContext file{"input.h5", 8, 8};
    const Datatype type = to_datatype(decode<DatatypeMessage>(bytes, Address{0}, file));
    static_cast<void>(type.describe());
    static_cast<void>(type == Datatype(type));
    const std::vector<std::byte> again = encode_datatype(type, file);
    static_cast<void>(to_datatype(decode<DatatypeMessage>(again, Address{0}, file)));
  });
}

}  // namespace onecast
