// Version 1 B-trees of groups with their local heap. Those of chunks: chunk_index_fuzz.cpp.
#include "fuzz/input.hpp"
#include "structures/group_btree_v1.hpp"

namespace onecast {

using namespace structures;

namespace {

void read_group(MetadataSource& source, Address tree, Address heap) {
  const SymbolTable table(source, tree, heap);
  std::string last;
  fuzz::expect_errors_only([&] {
    table.for_each([&](const SymbolTableEntry&, std::string_view name) { last = name; });
  });
  static_cast<void>(table.find(last));
}

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::InputSource source(bytes);
  fuzz::for_each_place(bytes, "TREE", [&](Address tree) {
    fuzz::for_each_place(bytes, "HEAP", [&](Address heap) {
      fuzz::expect_errors_only([&] { read_group(source, tree, heap); });
    });
  });
}

}  // namespace onecast
