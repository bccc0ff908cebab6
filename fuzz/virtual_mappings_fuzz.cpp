// Mapping lists of virtual datasets. The input is: number of elements of the dataset (16 bits, in
// both dimensions), the list as it lies in the global heap.
#include "format/infra/virtual_dataset_block.hpp"
#include "fuzz/input.hpp"
#include "objects/codec/selection_codec.hpp"
#include "objects/codec/source_name.hpp"
#include "space/corresponding.hpp"

namespace onecast {

using namespace codec;

namespace {

/// What a read does with one mapping whose source is as large as the dataset.
void read(const Shape& shape, const Selection& source, const Selection& mapped) {
  const BoundSelection wanted(shape, Hyperslab{{1, 0}, {2, 1}, {}, {1, shape[1]}}, "wanted");
  const BoundSelection from(shape, source.clipped(shape), "source");
  const BoundSelection to(shape, mapped.clipped(shape), "mapped");
  std::uint64_t left = 1000;
  std::vector<Interval> numbers;
  for_each_common_run(wanted, to, shape, [&](const CommonRun& run) {
    if (run.second + run.count > to.element_count()) __builtin_trap();
    if (run.second + run.count <= from.element_count())
      numbers.push_back({run.second, run.second + run.count});
    return --left != 0;
  });
  const BoundSelection found(shape, elements_at(from, shape, numbers), "found");
  std::uint64_t count = 0;
  for (const Interval& i : numbers) count += i.end - i.first;
  if (found.element_count() != count) __builtin_trap();
  if (from.element_count() == to.element_count() && left != 0)
    if (const auto product = corresponding_product(wanted, to, from))
      if (BoundSelection(shape, *product, "product").element_count() != count) __builtin_trap();
}

}  // namespace

FUZZ_TARGET(bytes) {
  const FileContext file{"input.h5", 8, 8};
  VirtualDatasetBlock block;
  Shape shape;
  fuzz::expect_errors_only([&] {
    ByteReader in(bytes, Address{0}, file);
    for (int d = 0; d < 2; ++d) shape.push_back(in.uint(2, "extent") + 4);
    ByteReader list = in.sub(in.remaining(), "list");
    block = decode<VirtualDatasetBlock>(list);
  });
  ByteReader in({}, Address{0}, file);
  for (const VirtualMappingEntry& entry : block.entries) {
    for (const std::string_view text : {entry.file_name, entry.dataset_name})
      if (const auto name = SourceName::parse(text)) static_cast<void>(name->of_block(7));
    fuzz::expect_errors_only(
        [&] { read(shape, to_selection(entry.source, in), to_selection(entry.mapped, in)); });
  }
}

}  // namespace onecast
