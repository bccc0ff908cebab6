// Local heaps and global heap collections.
#include "fuzz/input.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/heaps/local_heap.hpp"

namespace onecast {

using namespace structures;

FUZZ_TARGET(bytes) {
  fuzz::InputSource source(bytes);
  fuzz::for_each_place(bytes, "HEAP", [&](Address address) {
    fuzz::expect_errors_only([&] {
      const LocalHeap heap(source, address);
      for (std::uint64_t offset = 0; offset < 64; offset += 8)
        fuzz::expect_errors_only([&] { static_cast<void>(heap.text(offset, "Link Name Offset")); });
    });
  });
  GlobalHeap heap(source);
  fuzz::for_each_place(bytes, "GCOL", [&](Address address) {
    for (std::uint32_t index = 0; index < 8; ++index) {
      fuzz::expect_errors_only([&] { heap.object({address, index}); });
      fuzz::expect_errors_only([&] { global_heap_object(source, address, index); });
    }
  });
}

}  // namespace onecast
