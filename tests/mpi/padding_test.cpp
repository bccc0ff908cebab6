// The bytes between the members of structs do not matter: they do not reach the file, and ranks may
// differ in them.
#include <algorithm>
#include <cstring>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

struct Padded {
  std::int8_t small;
  std::int64_t large;
  std::int16_t tail;
};
static_assert(sizeof(Padded) == 24);

const Datatype kPadded =
    Datatype::compound(sizeof(Padded), {{"small", 0, Datatype::of<std::int8_t>()},
                                        {"large", 8, Datatype::of<std::int64_t>()},
                                        {"tail", 16, Datatype::of<std::int16_t>()}});

class PaddingTest : public ParallelTest {
 protected:
  /// Returns elements with equal members, and `noise` between them.
  static std::vector<std::byte> elements(std::size_t count, int noise, int first = 0) {
    std::vector<std::byte> bytes(count * sizeof(Padded), static_cast<std::byte>(noise));
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* at = bytes.data() + i * sizeof(Padded);
      const auto value = static_cast<int>(i) + first;
      const auto small = static_cast<std::int8_t>(value);
      const auto large = static_cast<std::int64_t>(value);
      const auto tail = static_cast<std::int16_t>(value);
      std::memcpy(at, &small, sizeof small);
      std::memcpy(at + 8, &large, sizeof large);
      std::memcpy(at + 16, &tail, sizeof tail);
    }
    return bytes;
  }
  static std::span<const std::byte> view(const std::vector<std::byte>& bytes) { return bytes; }
  [[nodiscard]] int noise() const { return 0xA0 + rank(); }

  void write(const FileOptions& options) {
    const std::size_t many = 300;  // above compact_limit
    File file = File::create(path(), world_, options);
    Group root = file.root();
    const auto given = elements(many, noise());
    const auto one = elements(1, noise());
    const auto few = elements(5, noise());
    root.set_attribute("a", kPadded, Dataspace({5}), few);
    root.set_attribute("array", Datatype::array(kPadded, {5}), Dataspace(), few);
    NewValues values;
    const Datatype lists = Datatype::sequence(kPadded);
    std::vector<std::byte> list(lists.size());
    values.sequence(lists, few, list);
    root.set_attribute("list", lists, Dataspace(), list, values);
    root.create_dataset("created", {.type = kPadded, .space = Dataspace({many}), .data = given});
    root.create_dataset("compact", {.type = kPadded, .space = Dataspace({5}), .data = few});
    root.create_dataset(
        "arrays",
        {.type = Datatype::array(kPadded, {3}), .space = Dataspace({many / 3}), .data = given});
    for (const auto& [name, chunk] : {std::pair("placed", Shape{}), {"chunked", Shape{70}}}) {
      Dataset x = root.create_dataset(name, {.type = kPadded,
                                             .space = Dataspace({many}),
                                             .options = {.chunk = chunk, .fill_value = one}});
      Hyperslab mine = my_share(many - 100);
      x.write_all(
          view(given).subspan(mine.start[0] * sizeof(Padded), mine.count[0] * sizeof(Padded)),
          mine);
      x.write_equal(view(elements(50, noise(), 250)), Hyperslab{{250}, {50}});
      if (rank() == 0) x.write(view(elements(20, noise(), 200)), Hyperslab{{200}, {20}});
    }
    // The values are a part of a larger array.
    Dataset part = root.create_dataset("part", {kPadded, Dataspace({5})});
    part.write_all(view(elements(15, noise())),
                   {.memory = MemoryLayout({5, 3}, Hyperslab{{0, 1}, {5, 1}})});
    file.close();
    barrier();
  }
};

TEST_F(PaddingTest, IsNeitherComparedNorWritten) {
  for (const Sharing sharing : {Sharing::automatic, Sharing::verify}) {
    write({.sharing = sharing, .page_size = 4096});
    const std::string bytes = contents(path());
    for (int r = 0; r < size(); ++r)
      EXPECT_EQ(bytes.find(std::string(4, static_cast<char>(0xA0 + r))), std::string::npos)
          << "noise of rank " << r;
    const File file = File::open(path());
    const Dataset x = file.root().open_dataset("created");
    std::vector<std::byte> found(300 * sizeof(Padded));
    x.read(found);
    EXPECT_EQ(found, elements(300, 0));
    std::vector<std::byte> chunked(300 * sizeof(Padded));
    file.root().open_dataset("chunked").read(chunked);
    file.root().open_dataset("placed").read(found);
    EXPECT_EQ(found, chunked);
    std::vector<std::byte> part(5 * sizeof(Padded));
    file.root().open_dataset("part").read(part);
    const auto all = elements(15, 0);
    EXPECT_TRUE(
        std::equal(part.begin(), part.begin() + sizeof(Padded), all.begin() + sizeof(Padded)));
    barrier();
  }
}

}  // namespace
}  // namespace onecast::test
