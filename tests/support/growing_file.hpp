#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "onecast/onecast.hpp"

/// A file whose datasets grow, one for each kind of index, for tests of writers and followers. Each
/// element is the number of its row.
namespace onecast::test {

inline File create_growing(File file) {
  Group root = file.root();
  const Dataspace one_way({0}, {Dataspace::kUnlimited});
  const Dataspace two_ways({0, 2}, {Dataspace::kUnlimited, Dataspace::kUnlimited});
  const Datatype number = Datatype::of<int>();
  root.create_dataset("flat", {.type = number, .space = one_way, .options = {.chunk = {4}}});
  root.create_dataset("packed", {.type = number,
                                 .space = one_way,
                                 .options = {.chunk = {4}, .filters = {Filter::deflate(1)}}});
  root.create_dataset("grid", {.type = number, .space = two_ways, .options = {.chunk = {2, 2}}});
  root.open_dataset("flat").set_attribute("rows", 0);
  root.create_group("g");
  file.flush();
  return file;
}

inline std::vector<int> elements_of(int rows, int width) {
  std::vector<int> elements;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < width; ++column) elements.push_back(row);
  return elements;
}

/// Writes all rows, as the last chunk may have been there before.
inline void grow_to(const File& file, int rows) {
  const auto length = static_cast<std::uint64_t>(rows);
  for (const char* name : {"flat", "packed", "grid"}) {
    Dataset dataset = file.root().open_dataset(name);
    const bool is_grid = dataset.dataspace().shape().size() == 2;
    dataset.resize(is_grid ? Shape{length, 2} : Shape{length});
    dataset.write(elements_of(rows, is_grid ? 2 : 1));
  }
  file.root().open_dataset("flat").set_attribute("rows", rows);
}

inline int rows_of(const File& file, const char* name) {
  return static_cast<int>(file.root().open_dataset(name).dataspace().shape()[0]);
}

/// Expects each dataset to have `before` or `after` rows.
inline void expect_between(const File& file, int before, int after) {
  for (const char* name : {"flat", "packed", "grid"}) {
    const int rows = rows_of(file, name);
    EXPECT_TRUE(rows == before || rows == after) << name << " has " << rows << " rows";
    const auto found = file.root().open_dataset(name).read<int>();
    EXPECT_EQ(found, elements_of(rows, static_cast<int>(found.size()) / std::max(rows, 1))) << name;
  }
  const int rows = file.root().open_dataset("flat").attribute("rows").read<int>().at(0);
  EXPECT_TRUE(rows == before || rows == after) << rows;
}

inline void expect_grown_to(const File& file, int rows) { expect_between(file, rows, rows); }

}  // namespace onecast::test
