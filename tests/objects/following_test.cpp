#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "onecast/onecast.hpp"
#include "support/file_name.hpp"
#include "support/growing_file.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

/// Reading beside a writer, with the option follow, also for ThreadSanitizer (`make tsan`)
namespace onecast::test {
namespace {

const FileOptions kLatest{.profile = Profile::latest};
const FileOptions kFollow{.follow = true};

TEST(Following, RefreshShowsShapesAndAttributes) {
  const SoundDisk disk;
  File writer = create_growing(disk.create(kName, kLatest));
  writer.start_swmr();
  File reader = disk.open(kName, Access::read_only, kFollow);
  const Dataset flat = reader.root().open_dataset("flat");
  const Dataset grid = reader.root().open_dataset("grid");
  EXPECT_EQ(flat.dataspace().shape(), Shape{0});
  grow_to(writer, 6);
  writer.flush();
  EXPECT_EQ(flat.dataspace().shape(), Shape{0});
  Object(flat).refresh();
  EXPECT_EQ(flat.dataspace().shape(), Shape{6});
  EXPECT_EQ(flat.attribute("rows").read<int>(), std::vector{6});
  // Of one object
  EXPECT_EQ(grid.dataspace().shape(), (Shape{0, 2}));
  reader.refresh();
  EXPECT_EQ(grid.dataspace().shape(), (Shape{6, 2}));
  expect_grown_to(reader, 6);
  writer.close();
  reader.refresh();
  expect_grown_to(reader, 6);
}

TEST(Following, RefreshShowsLinks) {
  const SoundDisk disk;
  File writer = create_growing(disk.create(kName));
  File reader = disk.open(kName, Access::read_only, kFollow);
  const Group root = reader.root();
  const Group g = root.open_group("g");
  const Dataset flat = root.open_dataset("flat");
  writer.root().create_group("g/below");
  writer.root().move("flat", "moved");
  writer.flush();
  EXPECT_FALSE(root.contains("g/below"));
  reader.refresh();
  EXPECT_TRUE(g.contains("below"));
  EXPECT_TRUE(root.contains("moved"));
  EXPECT_EQ(thrown_by([&] { static_cast<void>(flat.attributes()); }).code(), ErrorCode::state);
  writer.root().remove("g");
  writer.flush();
  reader.refresh();
  EXPECT_EQ(thrown_by([&] { static_cast<void>(g.links()); }).code(), ErrorCode::state);
}

/// A writer on a thread of its own, and files in memory that several threads may use.
class FollowingThreads : public testing::Test {
 protected:
  static constexpr int kRows = 200;

  void SetUp() override {
    FileOptions options = kLatest;
    options.page_size = 4096;
    writer_ = create_growing(create_through(factory_, kName, Communicator(), options));
  }
  [[nodiscard]] File follow() const {
    while (true) {
      try {
        return open_through(factory_, kName, Access::read_only, Communicator(), kFollow);
      } catch (const Error& error) {
        if (error.system_errno() != EAGAIN) throw;  // else it has flushed meanwhile
      }
    }
  }
  /// Appends and flushes until all rows are there, while `read` is called on threads. When half of
  /// them are there, it waits until each thread has seen some.
  void write_while(std::size_t threads, const std::function<void()>& read) {
    std::vector<std::thread> readers;
    for (std::size_t i = 0; i < threads; ++i)
      readers.emplace_back([&read] {
        try {
          read();
        } catch (const Error& error) {
          ADD_FAILURE() << error.what();
        }
      });
    for (int rows = 1; rows <= kRows; ++rows) {
      grow_to(writer_, rows);
      writer_.flush();
      while (rows == kRows / 2 && have_begun_ < threads && !HasFailure()) std::this_thread::yield();
    }
    for (std::thread& reader : readers) reader.join();
  }
  /// Refreshes and reads until all rows are there.
  void read_all_states(File file, bool one_state) {
    int seen = 0;
    while (seen < kRows) {
      try {
        file.refresh();
        const int rows = rows_of(file, "flat");
        EXPECT_GE(rows, seen);
        if (one_state) expect_grown_to(file, rows);
        EXPECT_EQ(file.root().open_dataset("flat").read<int>(), elements_of(rows, 1));
        if (seen == 0 && rows != 0) ++have_begun_;
        seen = rows;
      } catch (const Error& error) {
        ASSERT_EQ(error.system_errno(), EAGAIN) << error.what();  // it has flushed meanwhile
      }
    }
  }

  const TransportFactory factory_ = memory_factory(std::make_shared<MemoryDisk>());
  std::atomic<std::size_t> have_begun_ = 0;  ///< threads that have seen rows
  File writer_;
};

TEST_F(FollowingThreads, EachWithAnOpeningOfItsOwn) {
  writer_.start_swmr();
  write_while(3, [&] { read_all_states(follow(), false); });
}

TEST_F(FollowingThreads, BesideAJobThatFlushes) {
  write_while(3, [&] { read_all_states(follow(), true); });
}

TEST_F(FollowingThreads, OneOpeningIsReadByAll) {
  writer_.start_swmr();
  File file = follow();
  std::atomic<bool> ends = false;
  std::thread writing([&] {
    write_while(0, {});
    ends = true;
  });
  bool is_last = false;
  do {
    is_last = ends;
    file.refresh();
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i)
      readers.emplace_back([&file] {
        for (const char* name : {"flat", "packed", "grid"}) {
          const int rows = rows_of(file, name);
          const auto found = file.root().open_dataset(name).read<int>();
          EXPECT_EQ(found, elements_of(rows, name == std::string_view("grid") ? 2 : 1));
        }
      });
    for (std::thread& reader : readers) reader.join();
  } while (!is_last);
  writing.join();
  expect_grown_to(file, kRows);
}

}  // namespace
}  // namespace onecast::test
