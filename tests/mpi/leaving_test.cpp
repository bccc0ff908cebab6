// A rank leaves a file, by an exception or otherwise. The others get the reason from their next
// call, whichever it is; nobody waits for ever, and what was flushed stays.
#include <functional>
#include <stdexcept>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class LeavingTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kCount = 5000;

  void SetUp() override {
    if (size() == 1) GTEST_SKIP() << "nobody waits for it";
  }

  /// Creates a file with a communicator of its own, as Python and C do.
  [[nodiscard]] File create(const std::string& name = "file.h5") const {
    return create(path(name), tested_communicator(MPI_COMM_WORLD));
  }
  static File create(const std::string& path, const Communicator& communicator) {
    File file = File::create(path, communicator, {.page_size = 4096});
    create_int32(file.root(), "x", kCount);
    file.flush();
    file.root().create_group("not flushed");
    return file;
  }
  [[nodiscard]] static Dataset x_of(const File& file) { return file.root().open_dataset("x"); }
  void write(const File& file) const {
    const auto values = count_up(my_share(kCount));
    x_of(file).write_all(std::as_bytes(std::span(values)), my_share(kCount));
  }
  static void read(const File& file) {
    std::vector<std::int32_t> values(kCount);
    x_of(file).read_all(std::as_writable_bytes(std::span(values)));
  }
  void expect_last_flush(const std::string& name = "file.h5") const {
    barrier();
    EXPECT_EQ(names(File::open(path(name)).root()), std::vector<std::string>{"x"});
    barrier();
  }

  /// Expects `call` to throw that rank `odd` left, with its reason.
  template <class F>
  void expect_told(int odd, const std::string& reason, F&& call) const {
    try {
      std::forward<F>(call)();
      ADD_FAILURE() << "rank " << rank() << " heard nothing";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::diverged);
      const std::string said = "rank " + std::to_string(odd) + " left: " + reason;
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  }
};

TEST_F(LeavingTest, AnyCallOfTheOthersHearsIt) {
  const std::vector<std::function<void(File&)>> calls{
      [](File& f) { f.flush(); },
      [&](File& f) { write(f); },
      [](File& f) { read(f); },
      [](File& f) { f.prefetch_all("/"); },
      [](File& f) { f.write_multi({}); },
      [](File& f) {
        const auto values = count_up(kCount);
        x_of(f).write_equal(std::as_bytes(std::span(values)), {.sharing = Sharing::verify});
      },
      [](File& f) { f.close(); },
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const int odd = i % 2 == 0 ? 0 : last();
    File file = create();
    if (rank() == odd) {
      file.abandon("its disk is full");
      EXPECT_FALSE(file.is_open());
    } else {
      expect_told(odd, "its disk is full", [&] { calls[i](file); });
      if (file.is_open()) {
        // All further calls throw, and send no message.
        const IoStats added = counts(file, [&] {
          expect_told(odd, "its disk is full", [&] { file.flush(); });
          expect_told(odd, "its disk is full", [&] { read(file); });
          file.close();
        });
        EXPECT_EQ(added.collectives, 0U);
      }
    }
    expect_last_flush();
  }
}

TEST_F(LeavingTest, AnExceptionUnwinds) {
  for (const bool shared : {false, true})
    for (const int odd : {0, last()}) {
      const auto program = [&] {
        File file = shared ? create(path(), world_) : create();
        if (rank() == odd) throw std::runtime_error("of this rank alone");
        expect_told(odd, "an exception", [&] { file.flush(); });
        file.close();
      };
      if (rank() == odd)
        EXPECT_THROW(program(), std::runtime_error);
      else
        program();
      expect_last_flush();
    }
}

TEST_F(LeavingTest, AllUnwindAlike) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(
        {
          const File file = create(path(), world_);
          throw std::runtime_error("of all ranks");
        },
        std::runtime_error);
    expect_last_flush();
  }
}

TEST_F(LeavingTest, TheOthersOnlyCloseWhatTheyRead) {
  create().close();
  for (const int odd : {0, last()}) {
    File file = File::open(path(), Access::read_only, tested_communicator(MPI_COMM_WORLD));
    if (rank() == odd) file.abandon("it has seen enough");
    file.close();
    File(File::open(path(), Access::read_only, tested_communicator(MPI_COMM_WORLD))).close();
  }
}

TEST_F(LeavingTest, WhoClosesWhatOthersStillRead) {
  create().close();
  for (const int odd : {0, last()}) {
    File file = File::open(path(), Access::read_only, tested_communicator(MPI_COMM_WORLD));
    if (rank() == odd)
      file.close();
    else
      expect_told(odd, "it has closed the file", [&] { read(file); });
  }
}

TEST_F(LeavingTest, WhoLetsGoOfAFile) {
  for (const int odd : {0, last()}) {
    std::optional<File> file = create();
    if (rank() == odd)
      file.reset();
    else
      expect_told(odd, "it has released the file", [&] { file->flush(); });
    file.reset();
    expect_last_flush();
  }
}

TEST_F(LeavingTest, OtherFilesOfTheCommunicatorGoOn) {
  for (const int odd : {0, last()}) {
    File a = create(path("a.h5"), world_);
    File b = create(path("b.h5"), world_);
    if (rank() == odd) a.abandon("of a");
    write(b);
    b.flush();
    if (rank() != odd) expect_told(odd, "of a", [&] { a.flush(); });
    a.close();
    read(b);
    b.close();
    expect_last_flush("a.h5");
    EXPECT_EQ(names(File::open(path("b.h5")).root()),
              (std::vector<std::string>{"x", "not flushed"}));
    barrier();
  }
}

TEST_F(LeavingTest, TwoRanksLeaveTwoFilesAtOnce) {
  if (size() < 3) GTEST_SKIP() << "somebody must be left";
  File a = create(path("a.h5"), world_);
  File b = create(path("b.h5"), world_);
  File c = create(path("c.h5"), world_);
  if (rank() == 1) a.abandon("of a");
  if (rank() == last()) b.abandon("of b");
  c.flush();
  if (rank() != last()) expect_told(last(), "of b", [&] { b.flush(); });
  if (rank() != 1) expect_told(1, "of a", [&] { a.flush(); });
  for (File* file : {&a, &b, &c}) file->close();
  expect_last_flush("a.h5");
  expect_last_flush("b.h5");
}

TEST_F(LeavingTest, AfterCallsThatAreUnderWay) {
  for (const int odd : {0, last()}) {
    File file = create();
    const auto values = count_up(my_share(kCount));
    Pending writing =
        x_of(file).write_all_async(std::as_bytes(std::span(values)), my_share(kCount));
    if (rank() == odd) {
      file.abandon("later");
      writing.wait();
    } else {
      writing.wait();
      Pending flushing = file.flush_async();
      expect_told(odd, "later", [&] { flushing.wait(); });
    }
    file.close();
    expect_last_flush();
  }
}

TEST_F(LeavingTest, ManyLeave) {
  File file = create();
  if (rank() != 0)
    file.abandon("reason of " + std::to_string(rank()));
  else
    expect_told(1, "reason of 1", [&] { file.flush(); });
  file.close();
  expect_last_flush();
}

TEST_F(LeavingTest, LongReasonsAreCut) {
  File file = create();
  std::string reason;
  for (int i = 0; i < 1000; ++i) reason += "ä";
  if (rank() == 0)
    file.abandon(reason);
  else
    expect_told(0, reason.substr(0, 200), [&] { file.flush(); });
}

}  // namespace
}  // namespace onecast::test
