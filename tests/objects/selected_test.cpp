// Reads and writes of any selections, with any layout in memory

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "objects/description.hpp"
#include "support/bitmap.hpp"
#include "support/file_name.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::Bitmap;
using test::thrown_by;
using Elements = std::vector<std::uint64_t>;

using test::kName;

/// A selection and its elements, in its order.
struct Choice {
  Selection selection;
  Elements elements;
};

Choice random_choice(const Shape& shape, std::mt19937& random) {
  if (random() % 6 == 0)
    return {{}, Bitmap(shape, {Shape(shape.size()), shape, {}, {}}).elements()};
  if (random() % 4 != 0) {
    const test::RandomSet set(shape, random, static_cast<int>(random() % 3));
    return {set.selection, set.bitmap.elements()};
  }
  Elements elements(random() % 8), coordinates;
  for (std::uint64_t& e : elements) {
    e = random() % Dataspace(shape).element_count();
    for (const std::uint64_t at : test::coordinates_of(shape, e)) coordinates.push_back(at);
  }
  return {Selection::points(shape.size(), coordinates), elements};
}

/// Returns a choice of exactly this many elements: points of another array, or a part of one
/// dimension.
Choice memory_for(std::size_t count, Shape& shape, std::mt19937& random) {
  if (random() % 2 == 0 || count == 0) {
    shape = {3, count + 2};
    Hyperslab part{{1, 1}, {1, count}};
    return {part, Bitmap(shape, part).elements()};
  }
  shape = {2, 2 * count};
  Elements elements(4 * count);
  std::iota(elements.begin(), elements.end(), 0U);
  std::shuffle(elements.begin(), elements.end(), random);
  elements.resize(count);
  Elements coordinates;
  for (const std::uint64_t e : elements)
    for (const std::uint64_t at : test::coordinates_of(shape, e)) coordinates.push_back(at);
  return {Selection::points(2, coordinates), elements};
}

class SelectedTest : public testing::TestWithParam<Layout> {
 protected:
  test::SoundDisk disk_;
};

TEST_P(SelectedTest, AgreesWithAnArrayInMemory) {
  std::mt19937 random(11);
  File file = disk_.create(kName);
  DatasetOptions options;
  options.layout = GetParam();
  for (int round = 0; round < 400; ++round) {
    const Shape shape = test::random_shape(random, 3, 6);
    std::vector<int> model(Dataspace(shape).element_count());
    std::iota(model.begin(), model.end(), 1000);
    Dataset data = file.root().create_dataset("d" + std::to_string(round),
                                              {.type = Datatype::of<int>(),
                                               .space = shape,
                                               .data = std::as_bytes(std::span(model)),
                                               .options = options});
    const Choice part = random_choice(shape, random);
    Shape memory_shape;
    const Choice memory = memory_for(part.elements.size(), memory_shape, random);
    const MemoryLayout layout(memory_shape, memory.selection);

    std::vector<int> packed(part.elements.size());
    data.read(std::as_writable_bytes(std::span(packed)), part.selection);
    std::vector<double> spread(Dataspace(memory_shape).element_count(), -1.0);
    std::vector<double> expected = spread;
    if (round % 2 == 0) {
      data.read(spread, {.part = part.selection, .memory = layout});
    } else {
      data.read_all(spread, {.part = part.selection, .memory = layout});
    }
    for (std::size_t i = 0; i < part.elements.size(); ++i) {
      EXPECT_EQ(packed[i], model[part.elements[i]]);
      expected[memory.elements[i]] = model[part.elements[i]];
    }
    EXPECT_EQ(spread, expected);

    // Written values have this layout in memory, too. Of equal points the last one counts.
    std::iota(spread.begin(), spread.end(), 1.0);
    if (round % 2 == 0) {
      data.write(spread, {.part = part.selection, .memory = layout});
    } else {
      data.write_all(spread, {.part = part.selection, .memory = layout});
    }
    for (std::size_t i = 0; i < part.elements.size(); ++i)
      model[part.elements[i]] = static_cast<int>(spread[memory.elements[i]]);
    EXPECT_EQ(data.read<int>(), model);
    std::iota(packed.begin(), packed.end(), 7);
    data.write(packed, part.selection);
    for (std::size_t i = 0; i < packed.size(); ++i) model[part.elements[i]] = packed[i];
    EXPECT_EQ(data.read<int>(), model);
    if (HasFailure()) return;
  }
  file.close();
}

TEST_P(SelectedTest, MemoryMustTakeAsManyElements) {
  File file = disk_.create(kName);
  DatasetOptions options;
  options.layout = GetParam();
  Dataset data = file.root().create_dataset(
      "d", {.type = Datatype::of<int>(), .space = Shape{4, 5}, .options = options});
  std::vector<int> memory(12);
  const auto bytes = std::as_writable_bytes(std::span(memory));
  const Hyperslab row{{1, 0}, {1, 4}};
  EXPECT_NO_THROW(data.read(bytes, {.part = row, .memory = MemoryLayout({3, 4}, row)}));
  const std::pair<MemoryLayout, const char*> wrong[] = {
      {MemoryLayout({3, 4}), "4 elements are selected, 12 in memory"},
      {MemoryLayout({3, 4}, Hyperslab{{0, 0}, {1, 3}}), "4 elements are selected, 3 in"},
      {MemoryLayout({3, 3}, Hyperslab{{0, 0}, {2, 2}}), "9 elements of 4 bytes expected"},
      {MemoryLayout({3, 4}, Hyperslab{{0, 1}, {1, 4}}), "memory: selection: dimension 1"},
  };
  for (const auto& [layout, text] : wrong)
    for (const Error& error :
         {thrown_by([&] { data.read(bytes, {.part = row, .memory = layout}); }),
          thrown_by([&] { data.read_all(bytes, {.part = row, .memory = layout}); }),
          thrown_by([&] { data.write(bytes, {.part = row, .memory = layout}); }),
          thrown_by([&] { data.write_all(bytes, {.part = row, .memory = layout}); })}) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  file.close();
}

INSTANTIATE_TEST_SUITE_P(Layouts, SelectedTest,
                         testing::Values(Layout::compact, Layout::contiguous),
                         [](const auto& layout) {
                           return layout.param == Layout::compact ? "Compact" : "Contiguous";
                         });

}  // namespace
}  // namespace onecast
