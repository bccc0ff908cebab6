// Object headers of both versions with their continuations; their links and attributes.
#include "fuzz/input.hpp"
#include "structures/object_contents.hpp"

namespace onecast {

using namespace structures;

FUZZ_TARGET(bytes) {
  fuzz::InputSource source(bytes);
  fuzz::for_each_header(bytes, [&](Address address) {
    fuzz::expect_errors_only([&] {
      const ObjectHeader header = read_object_header(source, address);
      fuzz::expect_errors_only([&] {
        SharedMessages shared(source, {});
        for_each_attribute(source, shared, header, [](const StoredAttribute&) {});
      });
      if (is_group(header)) read_links(source, header, [](const LinkMessage&) {});
    });
  });
}

}  // namespace onecast
