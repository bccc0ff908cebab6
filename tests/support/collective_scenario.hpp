#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "collective/extent_list.hpp"
#include "support/pattern.hpp"

namespace onecast::test {

using namespace collective;

/// Extents of every rank, which depend only on the seed.
class Scenario {
 public:
  enum class Shape { blocks, interleaved, scattered, overlapping };

  Scenario(int ranks, unsigned seed, Shape shape) : random_(seed) {
    for (int r = 0; r < ranks; ++r)
      lists_.push_back(upto(5) == 0 ? ExtentList() : make(shape, r, ranks));
    if (shape != Shape::scattered) return;
    // The pieces of the whole are dealt at random.
    std::vector<ExtentListBuilder> builders(static_cast<std::size_t>(ranks));
    for (std::uint64_t at = upto(100), pieces = upto(60); pieces-- > 0; at += upto(30)) {
      const std::uint64_t length = upto(9) == 0 ? 1 + upto(700) : 1 + upto(40);
      builders[static_cast<std::size_t>(upto(static_cast<std::uint64_t>(ranks) - 1))].add(at,
                                                                                          length);
      at += length;
    }
    for (std::size_t r = 0; r < builders.size(); ++r) lists_[r] = builders[r].take();
  }

  [[nodiscard]] const ExtentList& of(int rank) const {
    return lists_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] const std::vector<ExtentList>& all() const { return lists_; }
  [[nodiscard]] std::vector<std::byte> data(int rank) const {
    return pattern(static_cast<std::size_t>(of(rank).buffer_size()),
                   static_cast<std::size_t>(rank) * 53 + 1);
  }
  [[nodiscard]] std::uint64_t end() const {
    std::uint64_t end = 0;
    for (const ExtentList& list : lists_) end = std::max(end, list.end());
    return end;
  }

  /// Returns the result of one process that writes to `before` for one rank after the other.
  [[nodiscard]] std::vector<std::byte> written(std::vector<std::byte> before) const {
    if (before.size() < end()) before.resize(static_cast<std::size_t>(end()));
    for (std::size_t r = 0; r < lists_.size(); ++r) {
      const auto bytes = data(static_cast<int>(r));
      lists_[r].for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(position), length,
                    before.begin() + static_cast<std::ptrdiff_t>(offset));
      });
    }
    return before;
  }
  /// Returns what a rank gets if it reads `file` into a buffer of 0xAA.
  [[nodiscard]] std::vector<std::byte> read(int rank, const std::vector<std::byte>& file) const {
    std::vector<std::byte> out(static_cast<std::size_t>(of(rank).buffer_size()), std::byte{0xAA});
    of(rank).for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
      for (std::uint64_t i = 0; i < length; ++i)
        out[static_cast<std::size_t>(position + i)] =
            offset + i < file.size() ? file[static_cast<std::size_t>(offset + i)] : std::byte{0};
    });
    return out;
  }

 private:
  std::uint64_t upto(std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(0, most)(random_);
  }

  ExtentList make(Shape shape, int rank, int ranks) {
    ExtentListBuilder builder;
    const auto r = static_cast<std::uint64_t>(rank);
    const auto n = static_cast<std::uint64_t>(ranks);
    switch (shape) {
      case Shape::blocks: {
        const std::uint64_t before = upto(20);
        builder.add(r * 500 + before, 1 + upto(480 - before));
        break;
      }
      case Shape::interleaved:
        for (std::uint64_t i = 0, count = upto(40); i < count; ++i) {
          // Some buffers have gaps.
          if (rank % 2 == 0)
            builder.add(7 + (i * n + r) * 24, 24);
          else
            builder.add(7 + (i * n + r) * 24, 24, i * 30);
        }
        break;
      case Shape::scattered:
        break;
      case Shape::overlapping:
        for (std::uint64_t at = upto(300), pieces = upto(8); pieces-- > 0; at += upto(90)) {
          const std::uint64_t length = 1 + upto(200);
          builder.add(at, length);
          at += length;
        }
        break;
    }
    return builder.take();
  }

  std::mt19937 random_;
  std::vector<ExtentList> lists_;
};

inline constexpr Scenario::Shape kShapes[] = {Scenario::Shape::blocks, Scenario::Shape::interleaved,
                                              Scenario::Shape::scattered,
                                              Scenario::Shape::overlapping};

}  // namespace onecast::test
