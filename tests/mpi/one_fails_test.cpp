// A failure on one rank is a failure on all, with that rank's reason; the last flush stays valid.
#include <cerrno>

#include "faults.hpp"
#include "onecast/objects/stored_chunks.hpp"
#include "parallel_test.hpp"
#include "refuse_memory.hpp"
#include "support/thrown_by.hpp"
#include "transport/system_error.hpp"

namespace onecast::test {

using namespace transport;
namespace {

class OneFailsTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kElements = 3000;
  /// Pages and stripes are small, so that every rank writes metadata. The given stripe size makes
  /// stripes contended, so each rank writes its own raw data.
  static inline const FileOptions kOptions{.stripe_size = 4096,
                                           .stripe_count = 7,
                                           .page_size = 4096,
                                           .method = TransferMethod::independent,
                                           .single_writer_stripes = 0};

  /// Returns a factory that fails to open the file on one rank.
  TransportFactory cannot_open(int failing) const {
    const bool mine = rank() == failing;
    return [mine, open = posix_factory()](const std::string& name,
                                          OpenMode mode) -> std::unique_ptr<Transport> {
      if (mine) fail_open(name, EACCES);
      return open(name, mode);
    };
  }

  void expect_from(const Error& error, int failing, int number = EIO) const {
    EXPECT_EQ(error.code(), ErrorCode::io) << error.what();
    EXPECT_EQ(error.system_errno(), number);
    const std::string text = error.what();
    if (size() > 1) {
      EXPECT_EQ(text.rfind("rank " + std::to_string(failing) + ": ", 0), 0U) << text;
    }
    EXPECT_NE(text.find(path()), std::string::npos) << text;
  }

  static void first_part(Group root) {
    for (int i = 0; i < 60; ++i)
      root.create_dataset("group " + std::to_string(i % 6) + "/" + std::to_string(i), {9},
                          count_up(9, i));
    create_int32(root, "x", kElements);
  }
  static void second_part(Group root) {
    for (int i = 0; i < 6; ++i)
      root.open_group("group " + std::to_string(i))
          .set_attribute("changed", "a text that takes some room");
    for (int i = 0; i < 300; ++i)
      root.create_dataset("new " + std::to_string(i % 6) + "/" + std::to_string(i), {20},
                          count_up(20, i));
  }
  [[nodiscard]] std::uint64_t reads_to_open(LoadPolicy policy) const {
    return File::open(path(), Access::read_only, world_, {.load_policy = policy})
        .metadata_report()
        .reads_to_open;
  }

  /// Returns what a new reader sees in the file.
  std::string seen(const std::string& file) const {
    barrier();
    std::string all;
    const auto visit = [&](auto&& self, const Group& group) -> void {
      for (const Attribute& a : group.attributes()) all += std::string(a.name()) + " ";
      for (const Link& link : group.links()) {
        all += std::string(link.name) + " ";
        if (group.kind_of(link) == ObjectKind::group)
          self(self, group.open_group(link));
        else
          for (const std::int32_t v : group.open_dataset(link).read<std::int32_t>())
            all += std::to_string(v);
      }
    };
    const FlushedCopy copy(file);
    barrier();
    visit(visit, File::open(copy.path()).root());
    return all;
  }
};

TEST_F(OneFailsTest, Creating) {
  for (int failing = 0; failing < size(); ++failing) {
    if (failing == 0) {
      expect_from(same_error([&] { return create(path(), kOptions, cannot_open(0)); }), 0, EACCES);
      continue;
    }
    // Other ranks open the file when they first write.
    File file = create(path(), kOptions, cannot_open(failing));
    Dataset x = create_int32(file.root(), "x", kElements);
    const Hyperslab mine = my_share(kElements);
    expect_from(same_error([&] { x.write_all(count_up(mine), mine); }), failing, EACCES);
    // Rank 0 writes without the other ranks, which may own some of its stripes.
    if (rank() == 0) x.write(count_up(kElements), share(kElements, 0, 1));
    file.close();
    EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::int32_t>(),
              count_up(kElements));
    barrier();
  }
}

TEST_F(OneFailsTest, OpeningAndReadingAtOpen) {
  File made = File::create(path(), world_, kOptions);
  first_part(made.root());
  made.flush();
  second_part(made.root());
  made.close();
  expect_from(same_error([&] { return open(path(), Access::read_only, {}, cannot_open(0)); }), 0,
              EACCES);
  for (const LoadPolicy policy : {LoadPolicy::eager, LoadPolicy::lazy})
    for (std::uint64_t number = 1;; ++number) {
      const Faults faults = faults_on(0, world_);
      faults.fail(Call::read, number);
      const auto attempt = [&] {
        return open(path(), Access::read_only, {.load_policy = policy}, faults.factory());
      };
      if (number > reads_to_open(policy)) {
        EXPECT_EQ(attempt().root().open_dataset("group 1/1").read<std::int32_t>(), count_up(9, 1));
        break;
      }
      expect_from(same_error(attempt), 0);
    }
}

TEST_F(OneFailsTest, FlushingChanges) {
  // The first run has no faults, for comparison.
  const auto run = [&](const std::string& name, const TransportFactory& factory,
                       auto&& before_second_flush) {
    File file = create(path(name), kOptions, factory);
    first_part(file.root());
    file.flush();
    second_part(file.root());
    before_second_flush(file);
    file.flush();
    const Hyperslab mine = my_share(kElements);
    file.root().open_dataset("x").write_all(count_up(mine), mine);
    file.close();
  };
  std::uint64_t writes = 0;
  const auto counted = std::make_shared<FaultPlan>();
  run("reference", fault_factory(posix_factory(), counted),
      [&](File&) { writes = counted->writes; });
  writes = counted->writes - writes;
  const std::string expected = contents(path("reference"));

  for (int failing = 0; failing < size(); ++failing) {
    const std::uint64_t last_write =
        everyones(writes)[static_cast<std::size_t>(failing)] - 1;  // one write is raw data
    ASSERT_GT(last_write, 0U);
    // The faults hit the first write, the last one (on rank 0 the superblock), and all from one on.
    for (const std::uint64_t number : {std::uint64_t{1}, last_write})
      for (const std::uint64_t count : {std::uint64_t{1}, FaultPlan::kForever}) {
        const Faults faults = faults_on(failing, world_);
        const std::string name = "file.h5";
        run(name, faults.factory(), [&](File& file) {
          const std::string before = seen(path(name));
          faults.fail(Call::write, number, count);
          expect_from(same_error([&] { file.flush(); }), failing);
          faults.stop();
          if (count == 1) {
            EXPECT_EQ(seen(path(name)), before) << "rank " << failing << " write " << number;
          }
        });
        EXPECT_TRUE(contents(path(name)) == expected) << "a second attempt repairs everything";
        barrier();
      }
  }
}

TEST_F(OneFailsTest, FlushingWhereARankIsShortOfMemory) {
  constexpr std::uint64_t kPage = std::uint64_t{8} << 20U;
  for (int failing = 0; failing < size(); failing += std::max(1, last())) {
    File file = File::create(path(), world_, {.page_size = kPage});
    first_part(file.root());
    std::optional<RefuseMemory> refuse;
    if (rank() == failing) refuse.emplace(kPage);
    const Error error = same_error([&] { file.flush(); });
    refuse.reset();
    EXPECT_EQ(error.system_errno(), ENOMEM);
    file.close();
    EXPECT_EQ(File::open(path()).root().open_dataset("group 1/1").read<std::int32_t>(),
              count_up(9, 1));
    barrier();
  }
}

// A flush reads changed pages that a rank has not looked at.
TEST_F(OneFailsTest, ReadingWhileFlushing) {
  File made = File::create(path(), world_, kOptions);
  first_part(made.root());
  made.close();
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    const std::string before = seen(path());
    File file =
        open(path(), Access::read_write,
             {.load_policy = LoadPolicy::lazy, .single_writer_stripes = 0}, faults.factory());
    Group group = file.root().open_group("group 5");
    group.set_attribute("a", failing);
    faults.fail(Call::read, 1, FaultPlan::kForever);
    try {
      file.flush();
      static_cast<void>(everyones("no reads were needed"));
    } catch (const Error& error) {
      for (const std::string& text : everyones(error.what())) EXPECT_EQ(text, error.what());
      EXPECT_EQ(seen(path()), before);
    }
    faults.stop();
    file.close();
    EXPECT_NE(seen(path()).find("a "), std::string::npos);
  }
}

TEST_F(OneFailsTest, Syncing) {
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    FileOptions options = kOptions;
    options.durable = true;
    File file = create(path(), options, faults.factory());
    first_part(file.root());
    // A rank that has not opened the file has nothing to sync.
    const Hyperslab mine = my_share(kElements);
    file.root().open_dataset("x").write(count_up(mine), mine);
    faults.fail(Call::sync);
    expect_from(same_error([&] { file.flush(); }), failing);
    file.close();
    seen(path());
  }
}

/// These chunks are too large to be gathered before they are written, so they already have places.
TEST_F(OneFailsTest, WritingAllocatedChunks) {
  constexpr std::uint64_t kBytes = 600'000;
  const std::vector<std::byte> stored(kBytes, std::byte{7});
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    File file = create(path(), kOptions, faults.factory());
    Dataset x = file.root().create_dataset(
        "x", {.type = Datatype::of<std::uint8_t>(),
              .space = Dataspace({kBytes * static_cast<std::uint64_t>(size())}),
              .options = {.chunk = {kBytes}, .filters = {Filter::zstd()}}});
    std::vector<NewChunk> places;
    for (int r = 0; r < size(); ++r)
      places.push_back({.start = {kBytes * static_cast<std::uint64_t>(r)},
                        .size = kBytes,
                        .filter_mask = 1});  // not compressed
    allocate_chunks(x, places);
    faults.fail(Call::write);
    const AllocatedChunk mine{x, {kBytes * static_cast<std::uint64_t>(rank())}, stored};
    expect_from(same_error([&] { write_allocated_chunks(file, {&mine, 1}); }), failing);
    faults.stop();
    write_allocated_chunks(file, {&mine, 1});
    file.close();
  }
}

TEST_F(OneFailsTest, WritingTogether) {
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    File file = create(path(), kOptions, faults.factory());
    Dataset x = create_int32(file.root(), "x", kElements);
    file.flush();
    const Hyperslab mine = my_share(kElements);
    faults.fail(Call::write);
    expect_from(same_error([&] { x.write_all(count_up(mine), mine); }), failing);
    x.write_all(count_up(mine), mine);
    file.close();
    EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::int32_t>(),
              count_up(kElements));
    barrier();
  }
}

TEST_F(OneFailsTest, ReadingTogether) {
  File made = File::create(path(), world_, kOptions);
  made.root().create_dataset("x", {kElements}, count_up(kElements));
  made.close();
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    File file = open(path(), Access::read_only, {.small_data_limit = 0}, faults.factory());
    const Dataset x = file.root().open_dataset("x");
    const Hyperslab mine = my_share(kElements);
    std::vector<std::int32_t> values(mine.count[0]);
    const auto read = [&] { x.read_all(std::as_writable_bytes(std::span(values)), mine); };
    faults.fail(Call::read);
    expect_from(same_error(read), failing);
    read();
    EXPECT_EQ(values, count_up(mine));
    faults.fail(Call::read);
    if (failing == 0) {
      expect_from(same_error([&] { return x.read_all<std::int32_t>(); }), 0);
    }
    EXPECT_EQ(x.read_all<std::int32_t>(), count_up(kElements)) << "rank 0 alone reads";
    faults.fail(Call::read, 1, FaultPlan::kForever);
    if (rank() == failing) {
      EXPECT_EQ(thrown_by([&] { return x.read<std::int32_t>(); }).code(), ErrorCode::io)
          << "nobody else hears";
    }
    file.close();
  }
}

TEST_F(OneFailsTest, Prefetching) {
  File made = File::create(path(), world_, kOptions);
  first_part(made.root());
  made.flush();
  create_int32(made.root(), "gap", 1 << 20U);
  second_part(made.root());
  made.close();
  const Faults faults = faults_on(0, world_);
  File file = open(path(), Access::read_only, {.load_policy = LoadPolicy::lazy}, faults.factory());
  faults.fail(Call::read);
  expect_from(same_error([&] { file.prefetch_all(); }), 0);
  const Error error = same_error([&] { file.prefetch_all("/no such group"); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_NE(std::string(error.what()).find("no such group"), std::string::npos) << error.what();
  file.prefetch_all();
  faults.fail(Call::read, 1, FaultPlan::kForever);
  EXPECT_EQ(file.root().open_group("new 3").link_count(), 50U);
}

// Rank 0 writes equal data without telling the others. The flush tells them of the failure.
TEST_F(OneFailsTest, WritingForAll) {
  const Faults faults = faults_on(0, world_);
  File file = create(path(), kOptions, faults.factory());
  create_int32(file.root(), "old", 10);
  file.flush();
  faults.fail(Call::write);
  const auto create_x = [&] {
    file.root().create_dataset("on/the way/x", {kElements}, count_up(kElements));
  };
  if (size() == 1) {
    expect_from(thrown_by(create_x), 0);
  } else {
    create_x();
    file.root().create_group("kept");
    const Error error = same_error([&] { file.flush(); });
    expect_from(error, 0);
    EXPECT_NE(std::string(error.what()).find("/on/the way/x: is left out"), std::string::npos)
        << error.what();
    EXPECT_EQ(names(file.root()), (std::vector<std::string>{"old", "kept"}));
    EXPECT_EQ(names_flushed(), names(file.root())) << "all else is saved";
  }
  file.flush();
  EXPECT_FALSE(file.root().contains("on"));
  create_x();
  file.close();
  EXPECT_EQ(File::open(path()).root().open_dataset("on/the way/x").read<std::int32_t>(),
            count_up(kElements));
}

TEST_F(OneFailsTest, UnsupportedWritesFailAtOnce) {
  File file = File::create(path(), world_, kOptions);
  Dataset x = create_int32(file.root(), "x", kElements);
  file.close();
  const Error error = same_error([&] { x.write_all(count_up(kElements)); });
  EXPECT_EQ(error.code(), ErrorCode::state);
  EXPECT_EQ(same_error([&] { return file.root(); }).code(), ErrorCode::state);
}

TEST_F(OneFailsTest, ArgumentsOfOneRank) {
  File file = File::create(path(), world_, kOptions);
  Dataset large = create_int32(file.root(), "large", kElements);
  Dataset small = create_int32(file.root(), "small", 10);
  const Datatype text = Datatype::string(4);
  for (Dataset x : {large, small}) {
    const Hyperslab wrong{{x.element_count()}, {1}};
    const Hyperslab one{{0}, {1}};
    std::vector<std::int32_t> value(1);
    const auto out = std::as_writable_bytes(std::span(value));
    for (int failing = 0; failing < size(); ++failing) {
      const bool mine = rank() == failing;
      for (const Error& error :
           {same_error([&] { x.read_all(out, mine ? wrong : one); }),
            same_error([&] { x.write_all(value, mine ? wrong : one); }),
            same_error([&] { x.read_all(mine ? out.first(3) : out, one); }), same_error([&] {
              x.read_all(out,
                         {.part = one, .memory_type = mine ? text : Datatype::of<std::int32_t>()});
            })}) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        EXPECT_NE(std::string(error.what()).find(x.path()), std::string::npos) << error.what();
        if (size() > 1) {
          EXPECT_EQ(std::string(error.what()).rfind("rank " + std::to_string(failing) + ": ", 0),
                    0U);
        }
      }
    }
    x.write_all(value, one);
  }
  file.close();
}

TEST_F(OneFailsTest, OtherArgumentsOfOpenAreRefused) {
  if (size() == 1) GTEST_SKIP() << "for several ranks";
  const bool odd = rank() == last();
  EXPECT_EQ(
      same_error([&] { return File::create(path(odd ? "other.h5" : "file.h5"), world_); }).code(),
      ErrorCode::diverged);
  EXPECT_EQ(same_error([&] {
              return File::create(path(), world_, {.page_size = odd ? 8192U : 4096U});
            }).code(),
            ErrorCode::diverged);
  File::create(path(), world_).close();
  EXPECT_EQ(same_error([&] {
              return File::open(path(), odd ? Access::read_only : Access::read_write, world_);
            }).code(),
            ErrorCode::diverged);
}

}  // namespace
}  // namespace onecast::test
