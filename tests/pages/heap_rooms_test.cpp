// New values of the global heap take the space of old ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "pages/page_allocator.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/heaps/heap_packer.hpp"
#include "support/page_ledger.hpp"

namespace onecast::pages {
namespace {

using test::kPage;
using test::message_of;

using Value = std::vector<std::byte>;

/// A file in memory whose values are packed into collections.
class Values final : HeapPacker::Target {
 public:
  GlobalHeapId put(const Value& value) { return packer_.put(value); }
  void finish() { packer_.finish(); }

  void free(const GlobalHeapId& id) {
    const HeapCollection there = collection(id.collection);
    EXPECT_TRUE(there.has_indexes_of_places());
    const HeapCollection::Extent extent = there.extent(id.index);
    allocator.free_heap_room(
        {id.collection, there.size(), id.collection + extent.offset, extent.size});
  }

  [[nodiscard]] Value value(const GlobalHeapId& id) const {
    const ByteView bytes = collection(id.collection).object(id.index);
    return {bytes.begin(), bytes.end()};
  }

  /// Restores the state that a flush leaves and the next session finds.
  void reopen() {
    const auto stretches = allocator.free_stretches();
    allocator = PageAllocator(message_of(allocator), allocator.metadata_runs(), allocator.end());
    EXPECT_TRUE(allocator.take_over(stretches, {{Address{0}, 512}}));
  }

  PageAllocator allocator{kPage, 512};

 private:
  [[nodiscard]] HeapCollection collection(Address address) const {
    const ByteView all(bytes_);
    const ByteView start = all.subspan(address.value);
    return {start.first(heap_collection_size(start, address, file_)), address, file_};
  }

  std::optional<HeapRoom> reuse(std::uint64_t size) override { return allocator.heap_room(size); }
  Address begin(std::uint64_t size) override { return allocator.raw_data(size); }
  void complete(const HeapRoom& room, std::span<const std::byte> bytes,
                std::uint64_t used) override {
    bytes_.resize(std::max<std::size_t>(bytes_.size(), allocator.end()));
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(room.address.value));
    HeapRoom rest = room;
    if (room.is_collection()) {
      rest.size = rest.collection_size = bytes.size();
      allocator.free_raw_data(rest.end(), room.size - rest.size);
    }
    rest.address = rest.address + used;
    rest.size -= used;
    if (rest.size >= HeapRoom::kUnit) allocator.free_heap_room(rest);
  }

  FileContext file_;
  std::vector<std::byte> bytes_;
  HeapPacker packer_{file_, *this};
};

class HeapRoomsTest : public testing::Test {
 protected:
  Value some_value() {
    const std::size_t most = random_() % 50 == 0 ? 200'000 : 300;
    Value value(random_() % most);
    for (std::byte& b : value) b = static_cast<std::byte>(random_());
    return value;
  }

  struct Stored {
    GlobalHeapId id;
    Value value;
  };
  std::mt19937 random_{11};
  Values values_;
  std::vector<Stored> stored_;
};

TEST_F(HeapRoomsTest, ValuesStayWhileOthersComeAndGo) {
  std::uint64_t end = 0;
  for (int session = 0; session < 600; ++session) {
    for (int i = 0; i < 20 && stored_.size() > 150; ++i) {
      std::swap(stored_[random_() % stored_.size()], stored_.back());
      values_.free(stored_.back().id);
      stored_.pop_back();
    }
    for (int i = 0; i < 20; ++i) {
      Value value = some_value();
      const GlobalHeapId id = values_.put(value);
      stored_.push_back({id, std::move(value)});
    }
    values_.finish();
    if (session % 3 == 0) values_.reopen();
    for (const Stored& s : stored_) ASSERT_EQ(values_.value(s.id), s.value) << session;
    if (session == 200) end = values_.allocator.end();
  }
  EXPECT_LT(values_.allocator.end(), end + end / 2) << "the file does not grow for ever";
}

TEST_F(HeapRoomsTest, ACollectionWithoutValuesIsFreeForAnything) {
  for (const bool reopens : {false, true}) {
    for (int i = 0; i < 2000; ++i) stored_.push_back({values_.put(some_value()), {}});
    values_.finish();
    std::ranges::shuffle(stored_, random_);
    for (const Stored& s : stored_) values_.free(s.id);
    stored_.clear();
    if (reopens) values_.reopen();
    for (const FreeStretch& s : values_.allocator.free_stretches())
      EXPECT_FALSE(s.is_in_heap()) << s.address.value;
    const std::uint64_t end = values_.allocator.end();
    const Address large = values_.allocator.raw_data(end - 2 * kPage);
    EXPECT_EQ(values_.allocator.end(), end);
    values_.allocator.free_raw_data(large, end - 2 * kPage);
  }
}

TEST_F(HeapRoomsTest, WhatMayNotBeInAHeapIsNotTakenOver) {
  // Page 0 is metadata, pages 1 to 3 are raw data.
  PageListMessage m;
  m.page_size = kPage;
  const auto takes = [&](std::uint64_t address, std::uint64_t size, std::uint64_t collection) {
    PageAllocator a(m, {{1, 0}}, 4 * kPage);
    const auto s = FreeStretch::in_heap(Address{address}, size, Address{collection}, false);
    return a.take_over({{s}}, {{Address{3 * kPage}, 8}});
  };
  EXPECT_TRUE(takes(kPage + 16, 64, kPage));
  EXPECT_TRUE(takes(2 * kPage, kPage, kPage + 8));
  EXPECT_FALSE(takes(kPage + 16, 64, kPage - 8)) << "begins in metadata";
  EXPECT_FALSE(takes(600, 64, 552)) << "in metadata";
  EXPECT_FALSE(takes(3 * kPage - 16, 24, kPage)) << "in use";
  EXPECT_FALSE(takes(4 * kPage - 8, 16, 3 * kPage + 16)) << "beyond the end";
}

}  // namespace
}  // namespace onecast::pages
