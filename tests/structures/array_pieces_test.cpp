// Arrays of chunks are written piece by piece, and read back by their readers.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "structures/chunks/extensible_array_pieces.hpp"
#include "structures/chunks/fixed_array_pieces.hpp"
#include "structures/memory_file.hpp"

namespace onecast::structures {
namespace {

constexpr std::uint64_t kFirst = 64;

/// A file that contains only an array.
class ArrayFile {
 public:
  ElementWriter writer(std::uint8_t size_size) {
    return {size_size, [this](std::uint64_t n) {
              const auto found = elements_.find(n);
              return found == elements_.end() ? ChunkElement() : found->second;
            }};
  }

  void set(ChunkArrayPieces& array, std::uint64_t number, std::uint64_t address) {
    ChunkElement& element = elements_[number];
    element.address = Address{address};
    element.chunk_size = address % 100;
    element.filter_mask = static_cast<std::uint32_t>(address % 3);
    array.change(number);
  }

  /// Writes what has changed, and returns its number of bytes.
  std::uint64_t flush(ChunkArrayPieces& array, bool succeeds = true) {
    std::uint64_t end = bytes_.size();
    const auto addresses = array.allocate([&](std::uint64_t size) {
      const Address address{end};
      end += size;
      return address;
    });
    std::vector<std::byte> next = bytes_;
    next.resize(end);
    std::uint64_t written = 0;
    for (std::size_t i = 0; i < array.count(); ++i) {
      if (array.touched(i) == 0) continue;
      written += array.size(i);
      array.encode(i, std::span(next).subspan(addresses[i].value, array.size(i)), addresses,
                   context_);
    }
    if (!succeeds) return written;
    array.note_places(addresses);
    bytes_ = std::move(next);
    header_ = addresses.front();
    return written;
  }

  template <class Array>
  void expect_read(bool filtered, std::uint64_t up_to) {
    MemoryFile file(bytes_);
    Array array(file, header_, filtered);
    std::uint64_t found = 0;
    for (std::uint64_t n = 0; n < up_to;) {
      const ElementStretch stretch = array.stretch(n);
      for (; n < std::min(stretch.first + stretch.count, up_to); ++n) {
        if (stretch.elements.empty()) continue;
        const ChunkElement element = array.reader().element(stretch, n, file.file());
        if (!element.address.is_defined()) continue;
        ++found;
        const ChunkElement& expected = elements_.at(n);
        ASSERT_EQ(element.address, expected.address) << n;
        if (!filtered) continue;
        ASSERT_EQ(element.chunk_size, expected.chunk_size) << n;
        ASSERT_EQ(element.filter_mask, expected.filter_mask) << n;
      }
    }
    EXPECT_EQ(found, elements_.size());
    // No piece lies over another one, and all of the file is used.
    std::map<std::uint64_t, std::uint64_t> blocks;
    array.for_each_block([&](Address a, std::uint64_t size) { blocks[a.value] = size; });
    std::uint64_t end = kFirst;
    for (const auto& [address, size] : blocks) {
      EXPECT_EQ(address, end);
      end = address + size;
    }
    EXPECT_EQ(end, bytes_.size());
  }

  /// Opens the array in the file, as another session does to change it.
  template <class P, class Array>
  std::unique_ptr<P> opened(std::uint8_t size_size) {
    MemoryFile file(bytes_);
    Array stored(file, header_, size_size != 0);
    return std::make_unique<P>(stored, writer(size_size), context_);
  }

  [[nodiscard]] const FileContext& context() const { return context_; }

 private:
  FileContext context_;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(kFirst);
  std::map<std::uint64_t, ChunkElement> elements_;
  Address header_;
};

ExtensibleArrayHeader library_parameters(std::uint8_t page_bits) {
  ExtensibleArrayHeader header;
  header.max_bits = 32;
  header.index_elements = 4;
  header.min_elements = 16;
  header.min_pointers = 4;
  header.page_bits = page_bits;
  return header;
}

class ArrayPieces : public testing::TestWithParam<std::uint8_t> {};
INSTANTIATE_TEST_SUITE_P(SizesOfSizes, ArrayPieces, testing::Values(0, 3, 8));

TEST_P(ArrayPieces, FixedArraysAreReadBack) {
  for (const std::uint64_t entries : {1U, 5U, 1024U, 1025U, 5000U}) {
    SCOPED_TRACE(entries);
    ArrayFile file;
    FixedArrayPieces array(entries, 10, file.writer(GetParam()), file.context());
    std::mt19937 random(1);
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 20; ++i) file.set(array, random() % entries, 1000 + random() % 1000);
      file.flush(array);
      file.expect_read<FixedArray>(GetParam() != 0, entries);
    }
  }
}

TEST_P(ArrayPieces, ExtensibleArraysAreReadBack) {
  for (const std::uint8_t page_bits : std::initializer_list<std::uint8_t>{7, 10}) {
    ArrayFile file;
    ExtensibleArrayPieces array(library_parameters(page_bits), file.writer(GetParam()),
                                file.context());
    std::mt19937 random(2);
    for (const std::uint64_t most : {4U, 30U, 1000U, 50'000U}) {
      SCOPED_TRACE(most);
      for (int i = 0; i < 20; ++i) file.set(array, random() % most, 1000 + random() % 1000);
      file.flush(array);
      file.expect_read<ExtensibleArray>(GetParam() != 0, 60'000);
    }
  }
}

TEST_P(ArrayPieces, FixedArraysOfTheFileChangeInPlace) {
  for (const std::uint64_t entries : {1U, 5U, 1024U, 1025U, 50'000U}) {
    SCOPED_TRACE(entries);
    ArrayFile file;
    auto array =
        std::make_unique<FixedArrayPieces>(entries, 10, file.writer(GetParam()), file.context());
    std::mt19937 random(3);
    for (int round = 0; round < 8; ++round) {
      for (int i = 0; i < 20; ++i) file.set(*array, random() % entries, 1000 + random() % 1000);
      file.flush(*array);
      file.expect_read<FixedArray>(GetParam() != 0, entries);
      array = file.opened<FixedArrayPieces, FixedArray>(GetParam());
    }
    EXPECT_EQ(file.flush(*array), 0U);
  }
}

TEST_P(ArrayPieces, ExtensibleArraysOfTheFileChangeInPlace) {
  for (const std::uint8_t page_bits : std::initializer_list<std::uint8_t>{7, 10}) {
    ArrayFile file;
    auto array = std::make_unique<ExtensibleArrayPieces>(library_parameters(page_bits),
                                                         file.writer(GetParam()), file.context());
    std::mt19937 random(4);
    for (const std::uint64_t most : {4U, 30U, 1000U, 1000U, 50'000U, 50'000U, 400U}) {
      SCOPED_TRACE(most);
      for (int i = 0; i < 20; ++i) file.set(*array, random() % most, 1000 + random() % 1000);
      file.flush(*array);
      file.expect_read<ExtensibleArray>(GetParam() != 0, 60'000);
      array = file.opened<ExtensibleArrayPieces, ExtensibleArray>(GetParam());
    }
    EXPECT_EQ(file.flush(*array), 0U);
  }
}

TEST_P(ArrayPieces, OnlyWhatHasChangedIsWrittenAgain) {
  ArrayFile file;
  ExtensibleArrayPieces array(library_parameters(7), file.writer(GetParam()), file.context());
  for (std::uint64_t n = 0; n < 60'000; ++n) file.set(array, n, 5000 + n);
  EXPECT_GT(file.flush(array), 60'000U * 8);
  EXPECT_EQ(file.flush(array), 0U);
  file.set(array, 59'999, 7);
  EXPECT_LE(file.flush(array), 128U * ElementWriter::entry_size(GetParam(), file.context()) + 4);
  file.expect_read<ExtensibleArray>(GetParam() != 0, 60'000);
}

TEST_P(ArrayPieces, AFlushThatFailedIsMadeAgain) {
  ArrayFile file;
  ExtensibleArrayPieces array(library_parameters(7), file.writer(GetParam()), file.context());
  file.set(array, 3, 77);
  file.flush(array, false);
  file.set(array, 20'000, 78);
  file.flush(array);
  file.set(array, 40'000, 79);
  file.flush(array, false);
  file.set(array, 50, 80);
  file.flush(array);
  file.expect_read<ExtensibleArray>(GetParam() != 0, 60'000);
}

}  // namespace
}  // namespace onecast::structures
