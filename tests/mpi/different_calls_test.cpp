// Ranks that make different collective calls all get one error, and nobody hangs.
#include <functional>

#include "onecast/objects/stored_chunks.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

constexpr std::span<std::byte> kNothing;

class DifferentCallsTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kCount = 5000;

  void SetUp() override {
    if (size() == 1) GTEST_SKIP() << "one rank makes one call";
  }

  struct Opened {
    File file;
    Dataset x;
    Dataset y;
    Dataset compact;
    Dataset chunked;
  };
  Opened create() const {
    File file = File::create(path(), world_, {.page_size = 4096});
    Group zone = file.root().create_group("zone");
    Opened all{file, create_int32(zone, "x", kCount), create_int32(zone, "y", kCount),
               create_int32(zone, "compact", 10),
               zone.create_dataset("chunked", {.type = Datatype::of<std::int32_t>(),
                                               .space = Dataspace({kCount}),
                                               .options = DatasetOptions{.chunk = {100}}})};
    file.flush();
    return all;
  }

  using Call = std::function<void(Opened&)>;
  struct Named {
    std::string name;
    Call call;
  };
  void write(Dataset& to) const {
    const Hyperslab part = share(to.element_count(), rank(), size());
    const auto values = count_up(part);
    to.write_all(std::as_bytes(std::span(values)), part);
  }
  void read(const Dataset& from, std::optional<Sharing> sharing = {}) const {
    std::vector<std::int32_t> values(from.element_count());
    from.read_all(std::as_writable_bytes(std::span(values)), {.sharing = sharing});
  }

  /// All ranks except `odd` make call `a`, and `odd` makes call `b`.
  Error differ(Opened& opened, const Named& a, const Named& b, int odd) const {
    const Error error = same_error([&] { (rank() == odd ? b : a).call(opened); });
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    const std::string text = error.what();
    const int other = odd == 0 ? 1 : odd;
    const auto said = [&](int of) { return (of == odd ? b : a).name; };
    EXPECT_NE(text.find("rank 0 called " + said(0)), std::string::npos) << text;
    EXPECT_NE(text.find("rank " + std::to_string(other) + " " + said(other)), std::string::npos)
        << text;
    return error;
  }
};

TEST_F(DifferentCallsTest, AnyTwoMeet) {
  const std::vector<Named> calls{
      {"flush", [](Opened& o) { o.file.flush(); }},
      {"write_all of \"/zone/x\"", [&](Opened& o) { write(o.x); }},
      {"write_all of \"/zone/y\"", [&](Opened& o) { write(o.y); }},
      {"write_all of \"/zone/compact\"", [&](Opened& o) { write(o.compact); }},
      {"write_all of \"/zone/chunked\"", [&](Opened& o) { write(o.chunked); }},
      {"read_all of \"/zone/x\"", [&](Opened& o) { read(o.x); }},
      {"read_all of \"/zone/compact\"", [&](Opened& o) { read(o.compact); }},
      {"write_multi of 2 datasets (\"/zone/x\", \"/zone/y\")",
       [&](Opened& o) {
         const WriteRequest list[] = {{o.x, kNothing, Selection::none()},
                                      {o.y, kNothing, Selection::none()}};
         o.file.write_multi(list);
       }},
      {"write_multi of 2 datasets (\"/zone/y\", \"/zone/x\")",
       [&](Opened& o) {
         const WriteRequest list[] = {{o.y, kNothing, Selection::none()},
                                      {o.x, kNothing, Selection::none()}};
         o.file.write_multi(list);
       }},
      {"read_multi of \"/zone/x\"",
       [&](Opened& o) {
         const ReadRequest list[] = {{o.x, kNothing, Selection::none()}};
         o.file.read_multi(list);
       }},
      {"write_equal of \"/zone/compact\"",
       [&](Opened& o) {
         const auto values = count_up(10);
         o.compact.write_equal(std::as_bytes(std::span(values)), {.sharing = Sharing::verify});
       }},
      {"prefetch_all of \"/zone\"", [](Opened& o) { o.file.prefetch_all("/zone"); }},
      {"write_allocated_chunks", [](Opened& o) { write_allocated_chunks(o.file, {}); }},
  };
  Opened opened = create();
  for (std::size_t i = 0; i < calls.size(); ++i)
    for (std::size_t j = 0; j < calls.size(); ++j) {
      if (i == j) continue;
      SCOPED_TRACE(calls[i].name + " and " + calls[j].name);
      differ(opened, calls[i], calls[j], (i + j) % 2 == 0 ? 0 : last());
    }
  // All ranks are in step, and the file is intact.
  write(opened.x);
  read(opened.x);
  opened.file.root().create_group("after");
  opened.file.close();
  EXPECT_EQ(names(File::open(path()).root()), (std::vector<std::string>{"zone", "after"}));
}

TEST_F(DifferentCallsTest, OtherOptions) {
  Opened opened = create();
  const Error error =
      same_error([&] { read(opened.x, rank() == last() ? Sharing::verify : Sharing::automatic); });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  EXPECT_NE(std::string(error.what()).find("other options"), std::string::npos) << error.what();
  opened.file.close();
}

TEST_F(DifferentCallsTest, ACloseEndsTheFileForAll) {
  for (const int odd : {0, last()}) {
    Opened opened = create();
    opened.file.root().create_group("saved");
    const Error error = differ(opened, {"flush", [](Opened& o) { o.file.flush(); }},
                               {"close", [](Opened& o) { o.file.close(); }}, odd);
    EXPECT_EQ(opened.file.is_open(), rank() != odd);
    if (rank() != odd) {
      try {
        opened.file.flush();
        FAIL() << "a rank has closed the file";
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::diverged);
        EXPECT_NE(std::string(e.what()).find(error.what()), std::string::npos) << e.what();
      }
    }
    opened.file.close();
    EXPECT_FALSE(opened.file.is_open());
    barrier();
    EXPECT_EQ(names(File::open(path()).root()), (std::vector<std::string>{"zone", "saved"}));
    barrier();
  }
}

TEST_F(DifferentCallsTest, TwoFilesOfOneCommunicator) {
  File a = File::create(path("a.h5"), world_, {.page_size = 4096});
  File b = File::create(path("b.h5"), world_, {.page_size = 4096});
  const Error error = same_error([&] { (rank() == last() ? a : b).flush(); });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  for (const std::string& word :
       {std::string("rank 0 called flush of ") + path("b.h5"), "rank 1 flush of " + path("a.h5")})
    if (size() == 2) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  a.flush();
  b.flush();
  a.close();
  b.close();
}

TEST_F(DifferentCallsTest, ManyDifferences) {
  Opened opened = create();
  for (int round = 0; round < 3; ++round) {
    const Error error = same_error([&] {
      switch (rank() % 3) {
        case 0:
          return opened.file.flush();
        case 1:
          return write(opened.x);
        default:
          return read(opened.y);
      }
    });
    EXPECT_NE(std::string(error.what()).find("rank 0 called flush, rank 1 write_all of"),
              std::string::npos)
        << error.what();
  }
  opened.file.close();
}

TEST_F(DifferentCallsTest, AfterDataThatOneWroteForAll) {
  Opened opened = create();
  const auto values = count_up(kCount);
  opened.x.write_equal(std::as_bytes(std::span(values)));
  differ(opened, {"write_all of \"/zone/x\"", [&](Opened& o) { write(o.x); }},
         {"read_all of \"/zone/x\"", [&](Opened& o) { read(o.x); }}, last());
  // All ranks wait for this call.
  write(opened.x);
  opened.file.close();
}

TEST_F(DifferentCallsTest, WrongArgumentsOnOneRank) {
  Opened opened = create();
  // The error is that of the rank that fails; the call of the others is not mentioned.
  const Error error = same_error([&] {
    std::vector<std::int32_t> few(3);
    if (rank() == last()) return opened.x.write_all(std::as_bytes(std::span(few)));
    write(opened.x);
  });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  // Only one rank knows this dataset.
  std::optional<Dataset> own;
  if (rank() == last()) {
    const auto alone = opened.file.independent();
    own = create_int32(opened.file.root(), "own", 10);
  }
  const Error unknown = same_error([&] { write(own ? *own : opened.x); });
  EXPECT_EQ(unknown.code(), ErrorCode::state);
  EXPECT_NE(std::string(unknown.what()).find("independent"), std::string::npos);
  opened.file.close();
}

TEST_F(DifferentCallsTest, OpenAndCreate) {
  create().file.close();
  const std::string other = path("other.h5");
  const Error error = same_error([&] {
    if (rank() == last())
      File::open(path(), world_.size() > 0 ? Access::read_only : Access::read_write, world_, {});
    else
      File::create(other, world_, {});
  });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  File::open(path(), Access::read_only, world_, {}).close();
}

}  // namespace
}  // namespace onecast::test
