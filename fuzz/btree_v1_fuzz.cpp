// Version 1 B-trees: groups with their local heap, and chunks of 1 to 4 dimensions.
#include "fuzz/input.hpp"
#include "structures/chunk_btree_v1.hpp"
#include "structures/group_btree_v1.hpp"

namespace onecast {
namespace {

void read_group(MetadataSource& source, Address tree, Address heap) {
  const SymbolTable table(source, tree, heap);
  std::string last;
  fuzz::expect_errors_only([&] {
    table.for_each([&](const SymbolTableEntry&, std::string_view name) { last = name; });
  });
  static_cast<void>(table.find(last));
}

void read_chunks(MetadataSource& source, Address tree, unsigned rank) {
  const ChunkBTreeV1 chunks(source, tree, rank);
  ChunkEntry last;
  last.offset.fill(0);
  fuzz::expect_errors_only([&] { chunks.for_each([&](const ChunkEntry& c) { last = c; }); });
  static_cast<void>(chunks.find(std::span(last.offset).first(rank)));
}

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::InputSource source(bytes);
  fuzz::for_each_place(bytes, "TREE", [&](Address tree) {
    for (unsigned rank = 1; rank <= 4; ++rank)
      fuzz::expect_errors_only([&] { read_chunks(source, tree, rank); });
    fuzz::for_each_place(bytes, "HEAP", [&](Address heap) {
      fuzz::expect_errors_only([&] { read_group(source, tree, heap); });
    });
  });
}

}  // namespace onecast
