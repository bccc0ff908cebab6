// Dense storage that changes in place is read back by its readers after every change.
#include "structures/dense_edit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "format/infra/free_space.hpp"
#include "structures/dense.hpp"
#include "structures/memory_file.hpp"

namespace onecast::structures {
namespace {

using Kind = DenseEdit::Kind;
using Bytes = std::vector<std::byte>;

template <class M>
Bytes encoded_message(const M& message) {
  Bytes bytes(encoded_size(kFile, message));
  ByteWriter out(bytes);
  encode(out, kFile, message);
  return bytes;
}

Bytes link_message(const std::string& name, std::uint64_t order, std::uint64_t target) {
  LinkMessage message;
  message.name = name;
  message.creation_order = order;
  message.object_header = {target};
  message.flags = LinkMessage::flags_for(name.size(), LinkType::hard, CharacterSet::ascii, true);
  return encoded_message(message);
}

Bytes attribute_message(const std::string& name, std::size_t size, unsigned value) {
  static constexpr std::uint8_t kUint8[] = {0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0};
  Bytes space(12);
  ByteWriter dimension(space);
  dimension.uint(0x01000102, 4);
  dimension.uint(size, 8);
  const Bytes data(size, static_cast<std::byte>(value));
  AttributeMessage message;
  message.name = name;
  message.datatype = std::as_bytes(std::span(kUint8));
  message.dataspace = space;
  message.data = data;
  return encoded_message(message);
}

struct Stored {
  std::uint64_t order;
  Bytes message;
};

/// A file that contains only dense storage, and its expected contents.
class EditedFile {
 public:
  EditedFile(Kind kind, const std::map<std::string, Stored>& first) : kind_(kind) {
    std::vector<const std::pair<const std::string, Stored>*> objects;
    for (const auto& object : first) objects.push_back(&object);
    std::ranges::sort(objects, {}, [](const auto* object) { return object->second.order; });
    const auto describe = [&](std::size_t i) { return of(objects[i]->first, objects[i]->second); };
    const DensePieces pieces(kind, objects.size(), describe, true, kFile,
                             [&](std::size_t i, std::span<std::byte> out) {
                               std::ranges::copy(objects[i]->second.message, out.begin());
                             });
    const auto addresses = pieces.allocate([&](std::uint64_t size) { return take(size); });
    for (std::size_t i = 0; i < pieces.count(); ++i)
      pieces.encode(i, std::span(bytes_).subspan(addresses[i].value, pieces.size(i)), addresses,
                    kFile);
    place_ = {addresses[DensePieces::heap_piece()], addresses[pieces.name_index_piece()],
              addresses[*pieces.creation_order_index_piece()]};
    now = first;
  }

  /// The changes relative to `now`.
  struct Change {
    std::vector<std::string> gone;
    std::map<std::string, Stored> added;
    std::map<std::string, Stored> changed;
  };

  void apply(const Change& change, bool succeeds = true) {
    MemoryFile file(bytes_);
    const std::map<std::uint64_t, std::uint64_t> before = blocks_;
    DenseEdit edit(kind_, place_, file, [&](std::uint64_t size) { return take(size); });
    std::vector<const Bytes*> messages;
    for (const std::string& name : change.gone) edit.remove(of(name, now.at(name)));
    for (const auto& [name, object] : change.changed) {
      edit.change(of(name, object));
      messages.push_back(&object.message);
    }
    for (const auto& [name, object] : change.added) {
      edit.add(of(name, object));
      messages.push_back(&object.message);
    }
    edit.lay_out();
    std::vector<std::pair<Address, std::size_t>> planned;
    edit.blocks().for_each_touched(
        [&](Address a, ByteView bytes) { planned.emplace_back(a, bytes.size()); });
    edit.encode([&](std::size_t i, std::span<std::byte> out) {
      ASSERT_EQ(out.size(), messages[i]->size());
      std::ranges::copy(*messages[i], out.begin());
    });
    is_wasteful = edit.is_wasteful();
    touched = touched_bytes = 0;
    Bytes next = bytes_;
    edit.blocks().for_each_touched([&](Address a, ByteView bytes) {
      ASSERT_EQ(planned[touched], std::pair(a, bytes.size()));
      ++touched;
      touched_bytes += bytes.size();
      std::ranges::copy(bytes, next.begin() + static_cast<std::ptrdiff_t>(a.value));
    });
    if (!succeeds) {
      blocks_ = before;
      return;
    }
    bytes_ = std::move(next);
    for (const auto& [address, size] : edit.blocks().released()) {
      const auto block = blocks_.find(address.value);
      ASSERT_NE(block, blocks_.end()) << "released twice";
      ASSERT_EQ(block->second, size);
      blocks_.erase(block);
      std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(address.value), size,
                  std::byte{0xdd});
    }
    for (const std::string& name : change.gone) now.erase(name);
    for (const auto& [name, object] : change.changed) now[name] = object;
    for (const auto& [name, object] : change.added) now[name] = object;
  }

  void expect_sound() const {
    MemoryFile file(bytes_);
    if (kind_ == Kind::links)
      expect_sound_as<DenseLinks, LinkMessage>(file);
    else
      expect_sound_as<DenseAttributes, AttributeMessage>(file);
  }

  [[nodiscard]] std::uint64_t size_in_use() const {
    std::uint64_t sum = 0;
    for (const auto& [address, size] : blocks_) sum += size;
    return sum;
  }
  [[nodiscard]] std::uint64_t size_of_messages() const {
    std::uint64_t sum = 0;
    for (const auto& [name, object] : now) sum += object.message.size();
    return sum;
  }
  [[nodiscard]] const DensePlace& place() const { return place_; }
  Bytes& bytes() { return bytes_; }
  Address take(std::uint64_t size) {
    const Address address{bytes_.size()};
    bytes_.resize(bytes_.size() + size, std::byte{0xee});
    blocks_[address.value] = size;
    return address;
  }

  std::map<std::string, Stored> now;
  std::size_t touched = 0;          ///< the number of pieces written by the last change
  std::uint64_t touched_bytes = 0;  ///< the number of bytes of these pieces
  bool is_wasteful = false;

 private:
  static DenseObject of(const std::string& name, const Stored& object) {
    return {name, object.order, object.message.size(), 0};
  }

  /// Other writers merge nodes at the merge threshold, and split full ones.
  static void expect_filled(const BTreeV2& tree, const BTreeV2::Node& node) {
    BTreeV2Shape shape(tree.header().node_size, tree.header().record_size, 8);
    ASSERT_TRUE(shape.reach(node.level));
    const std::uint64_t most = shape.level(node.level).max_records;
    const bool is_root = node.address == tree.header().root_node;
    ASSERT_GE(tree.record_count(node), is_root ? 1 : most * 40 / 100);
    ASSERT_LE(tree.record_count(node), most);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const BTreeV2::Node child = tree.child(node, i);
      expect_filled(tree, child);
      if (node.level < 2) continue;
      std::uint64_t total = tree.record_count(child);
      for (const auto& pointer : child.children)
        total += child.level == 1 ? pointer.record_count : pointer.total_record_count;
      ASSERT_EQ(node.children[i].total_record_count, total);
    }
  }

  template <class D, class M>
  void expect_sound_as(MemoryFile& file) const {
    for (const Address index : {place_.name_index, place_.creation_order_index}) {
      const BTreeV2 tree(file, index);
      if (const auto root = tree.root()) expect_filled(tree, *root);
    }
    D dense(file, place_.heap, place_.name_index, place_.creation_order_index);
    ASSERT_EQ(dense.count(), now.size());
    std::size_t seen = 0;
    std::set<std::uint64_t> orders;
    dense.for_each_by_hash([&](ByteView message) {
      ++seen;
      const auto& wanted = now.at(std::string(decode<M>(message, {}, kFile).name));
      ASSERT_TRUE(std::ranges::equal(message, wanted.message));
      orders.insert(wanted.order);
    });
    ASSERT_EQ(seen, now.size());
    auto order = orders.begin();
    ASSERT_TRUE(dense.for_each_by_creation_order([&](ByteView message) {
      const auto& wanted = now.at(std::string(decode<M>(message, {}, kFile).name));
      ASSERT_EQ(wanted.order, *order++);
    }));
    for (const auto& [name, object] : now) {
      const auto found = dense.find(name);
      ASSERT_TRUE(found && std::ranges::equal(*found, object.message)) << name;
    }
    ASSERT_FALSE(dense.find("not there"));
    const FractalHeap heap(file, place_.heap);
    ASSERT_EQ(heap.header().managed_object_count + heap.header().huge_object_count, now.size());
  }

  Kind kind_;
  Bytes bytes_ = Bytes(64);
  std::map<std::uint64_t, std::uint64_t> blocks_;  ///< the blocks in use: size by address
  DensePlace place_;
};

/// Random links with names of all lengths, or attributes of all sizes.
class Program {
 public:
  Program(Kind kind, unsigned seed) : kind_(kind), random_(seed) {}

  std::map<std::string, Stored> objects(std::size_t count) {
    std::map<std::string, Stored> made;
    for (std::size_t i = 0; i < count; ++i) add_to(made);
    return made;
  }
  void add_to(std::map<std::string, Stored>& to) {
    const std::uint64_t order = next_++;
    std::string name = fmt::format("link{:06}", order);
    if (random_() % 10 == 0) name += std::string(random_() % 300, 'y');
    // Their hashes are equal.
    if (order == 7) name = "link040300";
    if (order == 23) name = "link087139";
    to[name] = {order, message(name, order)};
  }
  Bytes message(const std::string& name, std::uint64_t order) {
    if (kind_ == Kind::links) return link_message(name, order, 8 * order);
    const std::size_t sizes[] = {1, 8, 100, 1000, 4000, 5000, 70'000};
    const auto which = std::min<std::size_t>(random_() % 40, random_() % 7);
    return attribute_message(name, sizes[which], static_cast<unsigned>(order));
  }
  EditedFile::Change change(const EditedFile& file, std::size_t gone, std::size_t added) {
    EditedFile::Change made;
    std::vector<std::string> names;
    for (const auto& [name, object] : file.now) names.push_back(name);
    std::ranges::shuffle(names, random_);
    names.resize(std::min(gone, names.size()));
    made.gone = names;
    for (std::size_t i = 0; i < added; ++i) add_to(made.added);
    // A removed name is added again.
    if (!names.empty() && added != 0) {
      const std::uint64_t order = next_++;
      made.added[names.front()] = {order, message(names.front(), order)};
    }
    return made;
  }
  std::mt19937& random() { return random_; }

 private:
  Kind kind_;
  std::mt19937 random_;
  std::uint64_t next_ = 0;
};

class DenseEdits : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, DenseEdits, testing::Values(Kind::links, Kind::attributes),
                         [](const auto& kind) {
                           return kind.param == Kind::links ? "Links" : "Attributes";
                         });

TEST_P(DenseEdits, AreReadBack) {
  for (const std::size_t first : {1U, 9U, 700U}) {
    Program program(GetParam(), 3);
    EditedFile file(GetParam(), program.objects(first));
    for (int round = 0; round < 60; ++round) {
      // It grows, and then shrinks until it is empty.
      const bool grows = round < 30;
      const std::size_t many = program.random()() % 60;
      file.apply(program.change(file, grows ? many / 3 : 2 * many, grows ? 3 * many : many / 4));
      ASSERT_NO_FATAL_FAILURE(file.expect_sound()) << first << " at first, round " << round;
    }
    file.apply(program.change(file, file.now.size(), 0));
    file.expect_sound();
    EXPECT_TRUE(file.now.empty());
    file.apply(program.change(file, 0, 500));
    file.expect_sound();
  }
}

TEST_P(DenseEdits, GrowOneByOne) {
  Program program(GetParam(), 5);
  EditedFile file(GetParam(), program.objects(1));
  std::uint64_t most = 0;
  const int rounds = GetParam() == Kind::links ? 2000 : 200;
  for (int i = 0; i < rounds; ++i) {
    file.apply(program.change(file, 0, 1));
    if (GetParam() == Kind::links) most = std::max<std::uint64_t>(most, file.touched);
    if (i % 500 == 0) {
      ASSERT_NO_FATAL_FAILURE(file.expect_sound());
    }
  }
  file.expect_sound();
  // A change writes a heap block and what leads to it, and two paths of nodes, some of which are
  // redistributed.
  EXPECT_LE(most, 20U);
  EXPECT_LE(file.size_in_use(), 2 * file.size_of_messages() + 130U * file.now.size());
}

TEST_P(DenseEdits, TouchWhatChanges) {
  for (const std::size_t count : {1000U, 30'000U}) {
    std::map<std::string, Stored> many;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = fmt::format("name{:06}", i);
      many[name] = {
          i, GetParam() == Kind::links ? link_message(name, i, 8) : attribute_message(name, 20, 1)};
    }
    EditedFile file(GetParam(), many);
    const std::string name = "another";
    EditedFile::Change one;
    one.added[name] = {count, GetParam() == Kind::links ? link_message(name, count, 8)
                                                        : attribute_message(name, 20, 1)};
    file.apply(one);
    file.expect_sound();
    EXPECT_LE(file.touched, 20U) << count;
    EXPECT_LE(file.touched_bytes, 8000U) << count;
    EditedFile::Change back;
    back.gone = {name};
    file.apply(back);
    file.expect_sound();
    EXPECT_LE(file.touched, 16U) << count;
  }
}

TEST_P(DenseEdits, OfBytesStayWhereTheyAre) {
  Program program(GetParam(), 9);
  EditedFile file(GetParam(), program.objects(300));
  for (int round = 0; round < 20; ++round) {
    EditedFile::Change change;
    for (const auto& [name, object] : file.now) {
      if (program.random()() % 30 != 0) continue;
      Stored other = object;
      other.message[other.message.size() - 1] = static_cast<std::byte>(round);
      change.changed[name] = other;
    }
    const std::uint64_t before = file.size_in_use();
    file.apply(change);
    EXPECT_EQ(file.size_in_use(), before);
    ASSERT_NO_FATAL_FAILURE(file.expect_sound());
  }
}

TEST_P(DenseEdits, ThatFailedAreMadeAgain) {
  Program program(GetParam(), 11);
  EditedFile file(GetParam(), program.objects(100));
  for (int round = 0; round < 20; ++round) {
    const auto change = program.change(file, 10, 15);
    file.apply(change, false);
    ASSERT_NO_FATAL_FAILURE(file.expect_sound());
    file.apply(change);
    ASSERT_NO_FATAL_FAILURE(file.expect_sound());
  }
}

TEST_P(DenseEdits, TellWhenLittleOfTheHeapIsLeft) {
  Program program(GetParam(), 13);
  EditedFile file(GetParam(), program.objects(1000));
  file.apply(program.change(file, 100, 0));
  EXPECT_FALSE(file.is_wasteful);
  file.apply(program.change(file, 800, 0));
  EXPECT_TRUE(file.is_wasteful);
}

TEST(DenseEditOfOthers, DropsTheFreeSpaceManager) {
  Program program(Kind::links, 15);
  EditedFile file(Kind::links, program.objects(200));
  FreeSpaceHeader manager;
  manager.client = FreeSpaceClient::fractal_heap;
  const Address list = file.take(100);
  const Address address = file.take(FreeSpaceHeader::size(kFile));
  manager.section_list = list;
  manager.section_list_allocated = 100;
  const auto write = [&](Address at, const auto& record) {
    const Bytes bytes = encoded_message(record);
    std::ranges::copy(bytes, file.bytes().begin() + static_cast<std::ptrdiff_t>(at.value));
  };
  write(address, manager);
  MemoryFile before(file.bytes());
  FractalHeapHeader header = FractalHeap(before, file.place().heap).header();
  header.free_space_manager = address;
  write(file.place().heap, header);

  file.apply(program.change(file, 5, 5));
  file.expect_sound();
  MemoryFile after(file.bytes());
  EXPECT_FALSE(FractalHeap(after, file.place().heap).header().free_space_manager.is_defined());
  EXPECT_EQ(std::to_integer<int>(file.bytes()[list.value]), 0xdd);
}

TEST(DenseEditOfOthers, DoesNotWriteWhereItDoesNotKnowWhatIsUsed) {
  Program program(Kind::links, 17);
  EditedFile file(Kind::links, program.objects(10));
  MemoryFile before(file.bytes());
  FractalHeap heap(before, file.place().heap);
  const FractalHeap::DirectBlock block = heap.direct_block(0);
  // The note at the end is gone, as if another program had written the block.
  auto bytes = std::span(file.bytes()).subspan(block.address.value, block.bytes.size());
  std::ranges::fill(bytes.last(8), std::byte{0});
  ByteWriter field(bytes.subspan(block.prefix - 4, 4));
  field.zeros(4);
  const std::uint32_t checksum = lookup3(bytes);
  ByteWriter(bytes.subspan(block.prefix - 4, 4)).uint(checksum, 4);

  file.apply(program.change(file, 0, 1));
  file.expect_sound();
  MemoryFile after(file.bytes());
  EXPECT_EQ(FractalHeap(after, file.place().heap).header().allocated_managed_space,
            heap.header().allocated_managed_space + 512);
}

TEST(DenseEditOfOthers, SaysWhereItCannot) {
  // Nodes of one record cannot be merged.
  Bytes bytes;
  const auto add = [&](const Pieces& pieces) {
    const auto addresses = pieces.allocate([&](std::uint64_t size) {
      const Address address{bytes.size()};
      bytes.resize(bytes.size() + size);
      return address;
    });
    for (std::size_t i = 0; i < pieces.count(); ++i)
      pieces.encode(i, std::span(bytes).subspan(addresses[i].value, pieces.size(i)), addresses,
                    kFile);
    return addresses.front();
  };
  const Address heap = add(FractalHeapPieces(kLinkHeap, {}, kFile, {}));
  const Address index = add(BTreeV2Pieces({LinkNameRecord::kType, LinkNameRecord::kSize, 0, 50},
                                          kFile, [](std::uint64_t, std::span<std::byte>) {}));
  MemoryFile file(bytes);
  try {
    const DenseEdit edit(Kind::links, {heap, index, {}}, file, {});
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
  }
}

}  // namespace
}  // namespace onecast::structures
