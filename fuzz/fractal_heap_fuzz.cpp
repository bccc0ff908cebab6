// Fractal heaps: objects of heap IDs that lie anywhere in the input, and of the records of indexes.
#include "fuzz/input.hpp"
#include "structures/dense.hpp"

namespace onecast {

using namespace structures;

namespace {

template <class D>
void read_dense(MetadataSource& source, Address heap, Address index) {
  D dense(source, heap, index, {});
  dense.for_each_by_hash([](ByteView) {});
  static_cast<void>(dense.find("a"));
}

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::InputSource source(bytes);
  fuzz::for_each_place(bytes, "FRHP", [&](Address address) {
    fuzz::expect_errors_only([&] {
      FractalHeap heap(source, address);
      const std::size_t length = heap.header().heap_id_length;
      for (std::size_t at = 0; at + length <= std::min<std::size_t>(bytes.size(), 512); at += 4)
        fuzz::expect_errors_only([&] { heap.object(bytes.subspan(at, length)); });
    });
    fuzz::for_each_place(bytes, "BTHD", [&](Address index) {
      fuzz::expect_errors_only([&] { read_dense<DenseLinks>(source, address, index); });
      fuzz::expect_errors_only([&] { read_dense<DenseAttributes>(source, address, index); });
    });
  });
}

}  // namespace onecast
