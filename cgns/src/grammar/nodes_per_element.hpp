#pragma once

// Made by tools/cgns_tables.py from cgns/enums.toml: change that.

#include <array>

namespace onecast::cgns {

/// The nodes of an element, by ElementType_t; 0 if their number varies.
inline constexpr std::array<int, 57> kNodesPerElement{
    0,  0,  1,  2,  3,  3,  6,  4,  8,  9,  4,  10, 5,  14, 6,  15, 18, 8,  20,
    27, 0,  13, 0,  0,  4,  9,  10, 12, 16, 16, 20, 21, 29, 30, 24, 38, 40, 32,
    56, 64, 5,  12, 15, 16, 25, 22, 34, 35, 29, 50, 55, 33, 66, 75, 44, 98, 125};

}  // namespace onecast::cgns
