// A program leaves the same bytes, however many ranks run it and however they share the work.
#include <cstdlib>
#include <filesystem>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class SameBytesTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kElements = 5000;

  static std::vector<int> sizes(int largest) {
    std::vector<int> found;
    for (const int n : {1, 2, 3, 4, 7})
      if (n <= largest) found.push_back(n);
    return found;
  }

  static void make_groups(Group root) {
    for (int b = 0; b < 3; ++b) {
      Group base = root.create_group("base " + std::to_string(b));
      base.set_attribute("number", b);
      base.set_attribute("text", "the text of base " + std::to_string(b));
      for (int z = 0; z < 8; ++z)
        base.create_dataset("zone " + std::to_string(z) + "/values", {9}, count_up(9, z));
    }
    Group many = root.create_group("many links");
    for (int i = 0; i < 100; ++i) many.create_group("group " + std::to_string(i));
    Group attributes = root.create_group("many attributes");
    for (int i = 0; i < 30; ++i) attributes.set_attribute("attribute " + std::to_string(i), i);
  }

  static void write_data(Group root, const Communicator& comm, std::int32_t offset) {
    const Hyperslab mine = share(kElements, comm.rank(), comm.size());
    root.open_dataset("together").write_all(count_up(mine, offset), mine);
    root.open_dataset("independent").write(count_up(mine, offset), mine);
    const Hyperslab few = share(50, comm.rank(), comm.size());
    root.open_dataset("compact together").write_all(count_up(few, offset), few);
    root.open_dataset("compact independent").write(count_up(few, offset), few);
    const auto equal = count_up(kElements, offset);
    root.open_dataset("equal").write_equal(std::as_bytes(std::span(equal)));
    if (comm.rank() == comm.size() - 1)
      root.open_dataset("sparse").write(count_up(10, offset), Hyperslab{{100}, {10}});
  }

  /// Changes large groups in steps: in place, with new nodes and blocks, and so much that they are
  /// written anew. Ranks have looked at different parts of the groups.
  static void change_many(Group root, const Communicator& comm, int from) {
    Group links = root.open_group("many links");
    Group attributes = root.open_group("many attributes");
    const auto name = [](int i) { return "group " + std::to_string(i); };
    if (comm.rank() % 2 == 1) static_cast<void>(links.links());
    for (int i = from; i < from + 40; ++i) links.create_group(name(i));
    for (int i = from - 100; i < from - 70; ++i)
      if (i % (comm.rank() + 2) == 0) static_cast<void>(links.contains(name(i)));
    for (int i = from - 100; i < from - 70; ++i) links.remove(name(i));
    for (int i = 0; i < 6; ++i) {
      attributes.set_attribute("attribute " + std::to_string(from % 20 + i), -i);
      attributes.set_attribute("attribute " + std::to_string(from + i),
                               std::string(static_cast<std::size_t>(from), 'x'));
    }
  }

  static void run(const std::string& file, const Communicator& comm, const FileOptions& options) {
    File f = File::create(file, comm, options);
    Group root = f.root();
    make_groups(root);
    f.flush();
    for (const char* name : {"together", "independent", "equal", "sparse"})
      create_int32(root, name, kElements);
    for (const char* name : {"compact together", "compact independent"})
      create_int32(root, name, 50);
    write_data(root, comm, 0);
    f.flush();
    root.create_dataset("late", {3000}, count_up(3000));
    root.open_group("base 1").set_attribute("text",
                                            "longer than it was before, much longer than before");
    root.remove("base 2/zone 3");
    write_data(root, comm, 7);
    f.close();

    f = File::open(file, Access::read_write, comm, options);
    root = f.root();
    write_data(root, comm, 11);
    root.open_group("many links").create_group("one more");
    for (int from = 100; from < 500; from += 40) {
      change_many(root, comm, from);
      f.flush();
    }
    root.open_group("many attributes").remove_attribute("attribute 3");
    f.flush();
    create_int32(root, "last", 2 * kElements);
    f.close();
  }

  void compare(const FileOptions& options) {
    std::string reference;
    for (const int ranks : sizes(size())) {
      const std::string file = path(std::to_string(ranks) + ".h5");
      if (const auto comm = first_ranks(ranks)) run(file, *comm, options);
      const std::string bytes = contents(file);
      if (ranks == 1) reference = bytes;
      ASSERT_FALSE(reference.empty());
      EXPECT_TRUE(bytes == reference)
          << ranks << " ranks, " << bytes.size() << " bytes, not " << reference.size();
    }
  }
};

TEST_F(SameBytesTest, HoweverManyRanks) { compare({.page_size = 4096}); }

TEST_F(SameBytesTest, WithLargePages) { compare({.page_size = 1 << 20U}); }

TEST_F(SameBytesTest, WithManyWriters) {
  compare({.stripe_size = 8192, .page_size = 4096, .single_writer_stripes = 0});
}

TEST_F(SameBytesTest, WithPagesReservedForMetadata) {
  compare({.metadata_reserve = 100'000, .page_size = 4096});
  compare({.stripe_size = 16384, .metadata_reserve = 100'000, .page_size = 4096});
}

TEST_F(SameBytesTest, ThroughMpiIo) { compare({.page_size = 16384, .mpi_io = true}); }

TEST_F(SameBytesTest, WithLazyOpening) {
  compare({.page_size = 4096, .load_policy = LoadPolicy::lazy});
}

TEST_F(SameBytesTest, WithALittleBudget) {
  for (const std::uint64_t budget : {0U, 5000U, 20000U})
    compare({.page_size = 4096, .metadata_budget = budget});
}

// The place of data may depend on stripes, but not on their owners.
TEST_F(SameBytesTest, WhoeverOwnsTheStripes) {
  std::string reference;
  for (const std::uint64_t stripe : {1U, 4096U, 50000U, 1U << 30U})
    for (const std::uint64_t single : {0U, 3U}) {
      run(path(), world_,
          {.stripe_size = stripe,
           .page_size = 4096,
           .alignment_interval = 1,
           .single_writer_stripes = single});
      const std::string bytes = contents(path());
      barrier();
      if (reference.empty()) reference = bytes;
      EXPECT_TRUE(bytes == reference) << "stripes of " << stripe;
    }
}

TEST_F(SameBytesTest, WithHolesThatAreUsed) {
  compare({.page_size = 4096, .alignment_interval = 65536, .alignment_threshold = 100});
}

TEST_F(SameBytesTest, WithStripesOfSeveralPages) {
  compare({.stripe_size = 16384, .page_size = 4096, .single_writer_stripes = 0});
  setenv("ONECAST_PRETEND_STRIPES", "262144:3", 1);
  setenv("ONECAST_RANKS_PER_NODE", "2", 1);
  for (const std::uint64_t page : {0U, 4096U, 65536U, 1U << 20U}) compare({.page_size = page});
  unsetenv("ONECAST_PRETEND_STRIPES");
  unsetenv("ONECAST_RANKS_PER_NODE");
}

// Strings reuse the space of strings to which nothing refers any more.
TEST_F(SameBytesTest, WhereValuesComeAndGo) {
  constexpr std::uint64_t kTexts = 200;
  const auto text = [](std::uint64_t i, int session) {
    return std::string((i * 31 + static_cast<std::uint64_t>(session) * 17) % 120, 'x') +
           std::to_string(session);
  };
  const auto texts = [&](const Hyperslab& part, int session) {
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < part.count[0]; ++i)
      all.push_back(text(part.start[0] + i, session));
    return all;
  };
  const auto change = [&](Group root, const Communicator& comm, int session) {
    const std::uint64_t first = static_cast<std::uint64_t>(session) * 37 % 150;
    const Hyperslab some{{first}, {10}};
    Hyperslab mine = share(some.count[0], comm.rank(), comm.size());
    mine.start[0] += first;
    for (const char* name : {"contiguous", "chunked", "filtered"}) {
      root.open_dataset(name + std::string(" together")).write_all(texts(mine, session), mine);
      root.open_dataset(name + std::string(" equal")).write_equal(texts(some, session), some);
    }
    for (const char* name : {"contiguous", "chunked"})
      root.open_dataset(name + std::string(" independent")).write(texts(mine, session), mine);
    // Only one rank may write to such a chunk.
    if (comm.rank() == comm.size() - 1)
      root.open_dataset("filtered independent").write(texts(some, session), some);
    root.set_attribute("session", text(first, session));
  };
  std::string reference;
  std::uintmax_t early = 0;
  for (const int ranks : sizes(size())) {
    const std::string file = path(std::to_string(ranks) + ".h5");
    if (const auto comm = first_ranks(ranks)) {
      File f = File::create(file, *comm, {.page_size = 4096});
      for (const char* how : {" together", " equal", " independent"}) {
        const auto create = [&](const char* name, const DatasetOptions& options) {
          f.root().create_dataset(name + std::string(how), {.type = Datatype::variable_string(),
                                                            .space = Dataspace({kTexts}),
                                                            .options = options});
        };
        create("contiguous", {});
        create("chunked", {.chunk = {16}});
        create("filtered", {.chunk = {16}, .filters = {Filter::deflate(1)}});
      }
      for (int session = 0; session < 40; ++session) {
        change(f.root(), *comm, session);
        if (session % 3 != 0) continue;
        f.close();
        if (session == 18) early = std::filesystem::file_size(file);
        f = File::open(file, Access::read_write, *comm, {.page_size = 4096});
      }
      f.close();
      EXPECT_LT(std::filesystem::file_size(file), 2 * early) << "the file does not grow for ever";
    }
    const std::string bytes = contents(file);
    if (ranks == 1) reference = bytes;
    EXPECT_TRUE(bytes == reference)
        << ranks << " ranks, " << bytes.size() << " bytes, not " << reference.size();
  }
}

// The order of independent and collective writes to compact data is kept.
TEST_F(SameBytesTest, LaterWritesWin) {
  const auto write = [&](const Communicator& comm) {
    File f = File::create(path(std::to_string(comm.size()) + ".h5"), comm, {.page_size = 4096});
    Dataset x = create_int32(f.root(), "x", 10);
    x.write(count_up(10, 1));
    x.write_all(count_up(10, 2));
    Dataset y = create_int32(f.root(), "y", 10);
    y.write(count_up(10, 1));
    const auto two = count_up(10, 2);
    y.write_equal(std::as_bytes(std::span(two)));
    if (comm.rank() == 0) y.write(count_up(4, 3), Hyperslab{{0}, {4}});
    Dataset z = create_int32(f.root(), "z", 10);
    z.write(count_up(10, 1));
    f.root().remove("z");
    create_int32(f.root(), "z", 20);
    f.close();
  };
  std::string reference;
  for (const int ranks : sizes(size())) {
    if (const auto comm = first_ranks(ranks)) write(*comm);
    const std::string bytes = contents(path(std::to_string(ranks) + ".h5"));
    if (ranks == 1) reference = bytes;
    EXPECT_TRUE(bytes == reference) << ranks;
  }
  File f = File::open(path("1.h5"));
  EXPECT_EQ(f.root().open_dataset("x").read<std::int32_t>(), count_up(10, 2));
  const auto y = f.root().open_dataset("y").read<std::int32_t>();
  EXPECT_EQ(y[3], 6);
  EXPECT_EQ(y[4], 6);
  EXPECT_EQ(f.root().open_dataset("z").read<std::int32_t>(), std::vector<std::int32_t>(20));
}

// Each rank writes new chunks and values of variable length independently, but not in one block.
TEST_F(SameBytesTest, OfIndependentWritesThatNeedAPlace) {
  constexpr std::uint64_t kChunks = 28;
  const auto write = [&](const std::string& file, const Communicator& comm) {
    File f = File::create(file, comm, {.page_size = 4096});
    const Dataspace space({100 * kChunks});
    const auto create = [&](const char* name, const Datatype& type, const DatasetOptions& options) {
      return f.root().create_dataset(name, {.type = type, .space = space, .options = options});
    };
    const auto int32 = Datatype::of<std::int32_t>();
    Dataset chunked = create("chunked", int32, {.chunk = {100}});
    Dataset filtered = create("filtered", int32, {.chunk = {100}, .filters = {Filter::deflate(4)}});
    Dataset texts = create("texts", Datatype::variable_string(), {.chunk = {100}});
    Dataset contiguous = create("contiguous texts", Datatype::variable_string(), {});
    const Hyperslab mine = share(kChunks, comm.rank(), comm.size());
    const auto part = [](std::uint64_t i) { return Hyperslab{{100 * i}, {100}}; };
    for (int round = 0; round < 2; ++round) {
      // The order of a rank's chunks does not matter.
      for (std::uint64_t i = mine.start[0] + mine.count[0]; i-- > mine.start[0];) {
        chunked.write(count_up(part(i), round), part(i));
        filtered.write(count_up(part(i), round), part(i));
      }
      for (std::uint64_t i = mine.start[0]; i < mine.start[0] + mine.count[0]; ++i)
        for (Dataset* x : {&texts, &contiguous})
          x->write(std::vector<std::string>(100, std::to_string(i) + " of them"), part(i));
      f.flush();
    }
    EXPECT_EQ(filtered.read<std::int32_t>(), count_up(100 * kChunks, 1));
    EXPECT_EQ(texts.read<std::string>()[2750], "27 of them");
    f.close();
  };
  std::string reference;
  for (const int ranks : sizes(size())) {
    const std::string file = path(std::to_string(ranks) + ".h5");
    if (const auto comm = first_ranks(ranks)) write(file, *comm);
    const std::string bytes = contents(file);
    if (ranks == 1) reference = bytes;
    EXPECT_TRUE(bytes == reference) << ranks;
  }
}

}  // namespace
}  // namespace onecast::test
