// Chunks in stored form are compared with h5py's direct chunks, and moved from file to file.
#include "onecast/objects/stored_chunks.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <thread>

#include "onecast/onecast.hpp"
#include "support/python.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

using Values = std::vector<std::int32_t>;

class StoredChunksTest : public testing::Test {
 protected:
  /// Creates a dataset of 5 x 6 in chunks of 2 x 4, which extend beyond two edges.
  static Dataset create(File& file, const std::string& name, std::vector<Filter> filters,
                        Shape max_shape = {}) {
    return file.root().create_dataset(
        name, {.type = Datatype::of<std::int32_t>(),
               .space = Dataspace({5, 6}, std::move(max_shape)),
               .options = {.chunk = {2, 4}, .filters = std::move(filters)}});
  }
  static Values count_up() {
    Values values(30);
    std::iota(values.begin(), values.end(), 0);
    return values;
  }
  static ErrorCode code_of(const std::function<void()>& call) { return thrown_by(call).code(); }

  SoundDirectory folder_;
};

TEST_F(StoredChunksTest, MoveFromDatasetToDataset) {
  for (const auto& filters : std::vector<std::vector<Filter>>{
           {}, {Filter::deflate(4)}, {Filter::shuffle(), Filter::deflate(1), Filter::fletcher32()}})
    for (const Profile profile : {Profile::compatible, Profile::latest}) {
      File file = File::create(folder_ / "a.h5", {.profile = profile});
      Dataset from = create(file, "from", filters, {Dataspace::kUnlimited, 6});
      Dataset to = create(file, "to", filters, {Dataspace::kUnlimited, Dataspace::kUnlimited});
      EXPECT_TRUE(stored_chunks(from).empty());
      EXPECT_FALSE(find_stored_chunk(from, {0, 0}).has_value());
      from.write(count_up());
      for (const bool flushed : {false, true}) {
        if (flushed) file.flush();
        const auto chunks = stored_chunks(from);
        ASSERT_EQ(chunks.size(), 6U);
        EXPECT_EQ(chunks[5].start, (Shape{4, 4}));
        for (const StoredChunk& c : chunks) {
          const StoredBytes stored = read_stored_chunk(from, c.start);
          if (flushed) {
            EXPECT_EQ(stored.bytes.size(), c.size);
            EXPECT_TRUE(c.address.has_value());
          }
          write_stored_chunk(to, c.start, stored.bytes, stored.filter_mask);
          EXPECT_EQ(read_stored_chunk(to, c.start).bytes.size(), stored.bytes.size());
        }
        EXPECT_EQ(to.read<std::int32_t>(), count_up());
      }
      file.close();
      EXPECT_EQ(File::open(folder_ / "a.h5").root().open_dataset("to").read<std::int32_t>(),
                count_up());
    }
}

TEST_F(StoredChunksTest, AsH5pyHasThem) {
  ONECAST_NEEDS_H5PY();
  File file = File::create(folder_ / "a.h5");
  Dataset x = create(file, "x", {Filter::shuffle(), Filter::deflate(4)});
  x.write(count_up());
  // Neither filter was applied to this chunk.
  const Values eight{1, 2, 3, 4, 5, 6, 7, 8};
  write_stored_chunk(x, {0, 0}, std::as_bytes(std::span(eight)), 3);
  file.close();
  const std::string script = folder_ / "check.py";
  std::ofstream(script) << R"(
import sys, h5py
with h5py.File(sys.argv[1], "r+") as f:
    x = f["x"]
    assert x[0, :4].tolist() == [1, 2, 3, 4] and x[1, :4].tolist() == [5, 6, 7, 8], x[:]
    assert x[4, 5] == 29
    mask, data = x.id.read_direct_chunk((0, 0))
    assert mask == 3 and len(data) == 32
    with open(sys.argv[2], "wb") as out:
        out.write(x.id.read_direct_chunk((2, 4))[1])
    x.id.write_direct_chunk((4, 0), bytes(range(32)), 3)
)";
  const std::string bytes = folder_ / "chunk";
  const auto run = run_python(script + " " + (folder_ / "a.h5") + " " + bytes);
  ASSERT_EQ(run.status, 0) << run.text;
  const File again = File::open(folder_ / "a.h5");
  const Dataset read = again.root().open_dataset("x");
  std::ifstream in(bytes, std::ios::binary);
  const std::string expected((std::istreambuf_iterator<char>(in)), {});
  const auto found = read_stored_chunk(read, {2, 4}).bytes;
  EXPECT_EQ(expected, std::string(reinterpret_cast<const char*>(found.data()), found.size()));
  EXPECT_EQ(read_stored_chunk(read, {4, 0}).filter_mask, 3U);
  EXPECT_EQ(read_stored_chunk(read, {4, 0}).bytes[31], std::byte{31});
}

TEST_F(StoredChunksTest, AreDecodedWithoutTheirFile) {
  for (const auto& filters : std::vector<std::vector<Filter>>{
           {}, {Filter::zstd()}, {Filter::shuffle(), Filter::lz4(), Filter::fletcher32()}}) {
    File file = File::create(folder_ / "a.h5");
    Dataset x = create(file, "x", filters);
    x.write(count_up());
    file.flush();
    const StoredBytes last = read_stored_chunk(x, {4, 4});  // extends beyond two edges
    StoredBytes first = read_stored_chunk(x, {0, 0});
    const ChunkDecoder decoder(x);
    file.close();
    ASSERT_EQ(decoder.chunk_bytes(), 32U);
    Values out(8);
    const auto decode = [&](const Shape& start, const StoredBytes& stored) {
      decoder.decode(start, stored, std::as_writable_bytes(std::span(out)));
    };
    std::thread([&] { decode({0, 0}, first); }).join();
    EXPECT_EQ(out, (Values{0, 1, 2, 3, 6, 7, 8, 9}));
    decode({4, 4}, last);
    EXPECT_EQ(out, (Values{28, 29, 0, 0, 0, 0, 0, 0}));

    first.bytes.pop_back();
    EXPECT_EQ(code_of([&] { decode({0, 0}, first); }), ErrorCode::format);
    EXPECT_EQ(code_of([&] { decode({0, 1}, last); }), ErrorCode::invalid_argument);
    out.pop_back();
    EXPECT_EQ(code_of([&] { decode({4, 4}, last); }), ErrorCode::invalid_argument);
  }
}

TEST_F(StoredChunksTest, NeighboursAreReadTogether) {
  for (const auto& filters :
       std::vector<std::vector<Filter>>{{}, {Filter::zstd()}, {Filter::deflate(4)}}) {
    File file = File::create(folder_ / "a.h5");
    Dataset x = create(file, "x", filters);
    x.write(count_up());
    const auto expect_all = [&](const Dataset& from) {
      std::vector<std::byte> out(3);
      const auto loaded = read_stored_chunks(from, from.rows(1, 5), out, 2);
      const auto known = stored_chunks(from);
      ASSERT_EQ(loaded.size(), known.size());
      for (std::size_t i = 0; i < known.size(); ++i) {
        EXPECT_EQ(loaded[i].start, known[i].start);
        EXPECT_GE(loaded[i].at, i == 0 ? 2 : loaded[i - 1].at + loaded[i - 1].size);
        const auto [bytes, mask] = read_stored_chunk(from, known[i].start);
        const auto found = std::span(out).subspan(loaded[i].at, loaded[i].size);
        EXPECT_TRUE(std::ranges::equal(found, bytes));
        EXPECT_EQ(loaded[i].filter_mask, mask);
      }
      std::vector<std::byte> room(room_for_stored_chunks(from, from.rows(1, 5)));
      const auto placed = read_stored_chunks(from, from.rows(1, 5), std::span(room));
      ASSERT_EQ(placed.size(), loaded.size());
      for (std::size_t i = 0; i < placed.size(); ++i) {
        EXPECT_EQ(placed[i].start, loaded[i].start);
        EXPECT_EQ(placed[i].filter_mask, loaded[i].filter_mask);
        EXPECT_EQ(placed[i].at % 16, 0U);
        EXPECT_TRUE(std::ranges::equal(std::span(room).subspan(placed[i].at, placed[i].size),
                                       std::span(out).subspan(loaded[i].at, loaded[i].size)));
      }
      EXPECT_EQ(placed.back().at + placed.back().size, room.size());
      std::vector<std::byte> made;
      EXPECT_EQ(read_stored_chunks(from, from.rows(1, 5),
                                   [&](std::size_t size) {
                                     EXPECT_TRUE(made.empty());
                                     made.resize(size);
                                     return std::span(made);
                                   })
                    .size(),
                placed.size());
      EXPECT_EQ(made, room);
      const auto last = read_stored_chunk(from, placed.back().start, std::span(room));
      EXPECT_EQ(last.size, placed.back().size);
      room.resize(last.size - 1);
      EXPECT_EQ(
          code_of([&] { static_cast<void>(read_stored_chunk(from, last.start, std::span(room))); }),
          ErrorCode::invalid_argument);
      EXPECT_EQ(code_of([&] {
                  static_cast<void>(read_stored_chunks(from, from.rows(1, 5), std::span(room)));
                }),
                ErrorCode::invalid_argument);
      EXPECT_EQ(read_stored_chunks(from, from.rows(0, 1), out).size(), 2U);
      EXPECT_TRUE(read_stored_chunks(from, Selection::none(), out).empty());
    };
    expect_all(x);  // some chunks may be in memory
    file.close();
    const File again = File::open(folder_ / "a.h5");
    const Dataset read = again.root().open_dataset("x");
    std::vector<std::byte> out;
    const std::uint64_t before = again.io_stats().reads;
    static_cast<void>(read_stored_chunks(read, read.rows(0, 5), out));
    EXPECT_LE(again.io_stats().reads - before, 2U);  // one is for the index
    expect_all(read);
  }
  File file = File::create(folder_ / "a.h5");
  Dataset part = create(file, "x", {Filter::zstd()});
  part.write(Values(12), part.rows(0, 2));
  std::vector<std::byte> out;
  EXPECT_EQ(code_of([&] { static_cast<void>(read_stored_chunks(part, part.rows(0, 5), out)); }),
            ErrorCode::not_found);
  file.close();
}

TEST_F(StoredChunksTest, AShrunkChunkHasNothingOld) {
  File file = File::create(folder_ / "a.h5");
  Dataset x = create(file, "x", {Filter::deflate(4)}, {5, 6});
  x.write(count_up());
  file.flush();
  x.resize({5, 2});
  x.resize({5, 6});
  Dataset y = create(file, "y", {Filter::deflate(4)});
  for (const StoredChunk& c : stored_chunks(x)) {
    const StoredBytes stored = read_stored_chunk(x, c.start);
    write_stored_chunk(y, c.start, stored.bytes, stored.filter_mask);
  }
  EXPECT_EQ(y.read<std::int32_t>(), x.read<std::int32_t>());
  EXPECT_EQ(y.read<std::int32_t>(y.rows(0, 1)), (Values{0, 1, 0, 0, 0, 0}));
}

TEST_F(StoredChunksTest, WhatIsNoChunkIsRefused) {
  File file = File::create(folder_ / "a.h5");
  Dataset x = create(file, "x", {Filter::deflate(4)});
  Dataset plain = create(file, "plain", {});
  Dataset contiguous = file.root().create_dataset("c", {2000}, Values(2000));
  const std::vector<std::byte> some(32);
  const auto refused = ErrorCode::invalid_argument;
  EXPECT_EQ(code_of([&] { write_stored_chunk(x, {0, 1}, some); }), refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(x, {6, 0}, some); }), refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(x, {0}, some); }), refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(x, {0, 0}, {}); }), refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(x, {0, 0}, some, 2); }), refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(x, {0, 0}, std::vector<std::byte>(32 * 256)); }),
            refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(x, {0, 0}, std::span(some).first(31), 1); }), refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(plain, {0, 0}, some, 1); }), refused);
  EXPECT_EQ(code_of([&] { write_stored_chunk(plain, {0, 0}, std::span(some).first(31)); }),
            refused);
  EXPECT_EQ(code_of([&] { static_cast<void>(stored_chunks(contiguous)); }), refused);
  EXPECT_EQ(code_of([&] { static_cast<void>(ChunkDecoder(contiguous)); }), refused);
  EXPECT_EQ(code_of([&] { static_cast<void>(read_stored_chunk(x, {0, 0})); }),
            ErrorCode::not_found);
  EXPECT_TRUE(stored_chunks(x).empty());
  file.close();
  const File read = File::open(folder_ / "a.h5");
  Dataset closed = read.root().open_dataset("x");
  EXPECT_EQ(code_of([&] { write_stored_chunk(closed, {0, 0}, some); }), ErrorCode::state);
}

TEST_F(StoredChunksTest, TimeOfFillingIsKept) {
  ONECAST_NEEDS_H5PY();
  File file = File::create(folder_ / "a.h5");
  const auto create = [&](const char* name, FillTime time) {
    file.root().create_dataset(name, {.type = Datatype::of<float>(),
                                      .space = Dataspace({4}),
                                      .options = {.chunk = {2}, .fill_time = time}});
  };
  create("alloc", FillTime::on_allocation);
  create("never", FillTime::never);
  create("ifset", FillTime::if_set);
  EXPECT_EQ(code_of([&] {
              file.root().create_dataset("texts",
                                         {.type = Datatype::variable_string(),
                                          .space = Dataspace({4}),
                                          .options = {.chunk = {2}, .fill_time = FillTime::never}});
            }),
            ErrorCode::invalid_argument);
  file.close();
  const std::string script = folder_ / "check.py";
  std::ofstream(script) << R"(
import sys, h5py
from h5py import h5d
with h5py.File(sys.argv[1]) as f:
    found = [f[n].id.get_create_plist().get_fill_time() for n in ("alloc", "never", "ifset")]
    assert found == [h5d.FILL_TIME_ALLOC, h5d.FILL_TIME_NEVER, h5d.FILL_TIME_IFSET], found
)";
  const auto run = run_python(script + " " + (folder_ / "a.h5"));
  EXPECT_EQ(run.status, 0) << run.text;
}

TEST(DatatypeBytes, ThereAndBack) {
  const std::vector<Datatype> types{
      Datatype::of<std::int32_t>(), Datatype::of<double>(), Datatype::string(7),
      Datatype::variable_string(),
      Datatype::compound(12, {{"a", 0, Datatype::of<std::int64_t>()},
                              {"b", 8, Datatype::array(Datatype::of<std::int16_t>(), {2})}})};
  for (const Datatype& type : types) {
    const auto message = encode(type);
    EXPECT_EQ(decode_datatype(message), type) << type.describe();
    EXPECT_THROW(static_cast<void>(decode_datatype(std::span(message).first(message.size() / 2))),
                 Error);
  }
  // This is the specification's fixed-point message, version 1: 4 bytes, signed, little-endian.
  const std::vector<unsigned char> int32{0x10, 0x08, 0, 0, 4, 0, 0, 0, 0, 0, 0x20, 0};
  EXPECT_EQ(decode_datatype(std::as_bytes(std::span(int32))), Datatype::of<std::int32_t>());
}

}  // namespace
}  // namespace onecast::test
