// Conversions between decoded types. The input is two Datatype messages, and then values of the
// first.
#include <vector>

#include "fuzz/input.hpp"
#include "types/conversion.hpp"
#include "types/datatype_codec.hpp"

namespace onecast {

using namespace types;

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const FileContext file{"input.h5", 8, 8};
    ByteReader in(bytes, Address{0}, file);
    const Datatype from = to_datatype(decode<DatatypeMessage>(in));
    const Datatype to = to_datatype(decode<DatatypeMessage>(in));
    constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
    const Conversion conversion(from, to, "fuzz");
    const std::size_t count = in.remaining() / from.size();
    if (count == 0 || count > kMostBytes / to.size()) return;
    const ByteView values = in.bytes(count * from.size(), "Values");
    std::vector<std::byte> out(count * to.size());
    conversion.run(values, out);
    // The bytes between the members of compounds may differ.
    const bool number =
        to.type_class() == TypeClass::integer || to.type_class() == TypeClass::floating;
    if (!number || !conversion.works_in_place()) return;
    std::vector<std::byte> same(out.size());
    std::copy(values.begin(), values.end(),
              same.end() - static_cast<std::ptrdiff_t>(values.size()));
    conversion.run(std::span(same).last(values.size()), same);
    if (same != out) __builtin_trap();
  });
}

}  // namespace onecast
