// Version 2 B-trees of any type: walked, and searched by whole records.
#include "fuzz/input.hpp"
#include "structures/btree_v2.hpp"

namespace onecast {

using namespace structures;

FUZZ_TARGET(bytes) {
  fuzz::InputSource source(bytes);
  fuzz::for_each_place(bytes, "BTHD", [&](Address header) {
    fuzz::expect_errors_only([&] {
      const BTreeV2 tree(source, header);
      ByteView last;
      fuzz::expect_errors_only([&] { tree.for_each([&](ByteView record) { last = record; }); });
      static_cast<void>(tree.find([&](ByteView record) {
        const auto order = std::lexicographical_compare_three_way(record.begin(), record.end(),
                                                                  last.begin(), last.end());
        return order < 0 ? -1 : order > 0 ? 1 : 0;
      }));
    });
  });
}

}  // namespace onecast
