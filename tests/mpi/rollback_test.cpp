// Rolling back the changes since the last flush
#include <functional>

#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class RollbackTest : public ParallelTest {
 protected:
  using Strings = std::vector<std::string>;
  static constexpr std::uint64_t kCount = 100;

  static Dataset create(Group group, const std::string& name, const DatasetOptions& options) {
    return group.create_dataset(
        name,
        {.type = Datatype::of<std::int32_t>(), .space = Dataspace({kCount}), .options = options});
  }

  /// Creates objects of each kind.
  static void fill(Group root) {
    root.set_attribute("step", 1);
    Group group = root.create_group("group");
    group.set_attribute("name", "first");
    root.create_group("other/inner");
    create(group, "plain", {.layout = Layout::contiguous}).write_equal(count_up(kCount));
    create(group, "small", {.layout = Layout::compact}).write_equal(count_up(kCount));
    create(group, "filtered", {.chunk = {16}, .filters = {Filter::deflate(1)}})
        .write_equal(count_up(kCount));
    group
        .create_dataset("growing", {.type = Datatype::of<std::int32_t>(),
                                    .space = Dataspace({kCount}, {Dataspace::kUnlimited}),
                                    .options = {.chunk = {16}}})
        .write_equal(count_up(kCount));
    group.create_dataset("texts", {kText, Dataspace({2})}).write_equal(Strings{"one", "two"});
    root.create_datatype("type", Datatype::of<double>());
  }
  static void expect_filled(const Group& root) {
    EXPECT_EQ(root.attribute("step").read<int>(), std::vector<int>{1});
    const Group group = root.open_group("group");
    EXPECT_EQ(group.attributes().size(), 1U);
    EXPECT_EQ(group.attribute("name").read<std::string>(), Strings{"first"});
    EXPECT_EQ(names(root), (Strings{"group", "other", "type"}));
    EXPECT_EQ(names(root.open_group("other")), Strings{"inner"});
    EXPECT_EQ(names(group), (Strings{"plain", "small", "filtered", "growing", "texts"}));
    for (const char* name : {"small", "filtered", "growing"}) {
      EXPECT_EQ(group.open_dataset(name).shape(), Shape{kCount});
      EXPECT_EQ(group.open_dataset(name).read<std::int32_t>(), count_up(kCount)) << name;
    }
    EXPECT_EQ(group.open_dataset("texts").read<std::string>(), (Strings{"one", "two"}));
  }

  /// Makes changes of each kind, with data of its own on each rank.
  void change(Group root) const {
    root.set_attribute("step", 2);
    root.set_attribute("new", Strings(1, "value").front());
    Group group = root.open_group("group");
    group.remove_attribute("name");
    const std::vector<std::int32_t> other(kCount, -1);
    group.open_dataset("small").write_equal(other);
    group.open_dataset("filtered")
        .write_all(std::vector<std::int32_t>(my_share(kCount).count[0]), my_share(kCount));
    Dataset growing = group.open_dataset("growing");
    growing.resize({kCount + 50});
    if (rank() == last())
      growing.write(std::vector<std::int32_t>(5), growing.rows(kCount, kCount + 5));
    group.open_dataset("texts").write_equal(Strings{"a longer text", "x"});
    root.move("other", "moved/away");
    group.remove("plain");
    create(root, "large", {.layout = Layout::contiguous}).write_equal(other);
    create(root, "chunks", {.chunk = {10}})
        .write_all(std::vector<std::int32_t>(my_share(kCount).count[0]), my_share(kCount));
    root.create_hard_link("linked", group.open_dataset("small"));
    root.remove("type");
    if (rank() == 0)
      group.open_dataset("small").write(std::vector<std::int32_t>{7}, Hyperslab{{0}, {1}});
  }
  template <class Call>
  void change_alone(File& file, Call&& call) const {
    const auto alone = file.independent();
    std::forward<Call>(call)();
  }
};

TEST_F(RollbackTest, EveryChangeIsGivenUpAndTheProgramGoesOn) {
  File file = File::create(path(), world_);
  fill(file.root());
  file.flush();
  const Group group = file.root().open_group("group");
  const Dataset growing = group.open_dataset("growing");
  const Group inner = file.root().open_group("other/inner");
  const Dataset plain = group.open_dataset("plain");
  change(file.root());
  EXPECT_EQ(inner.path(), "/moved/away/inner");
  const Dataset created = file.root().open_dataset("large");
  change_alone(file, [&] { file.root().create_group("of " + std::to_string(rank())); });
  file.rollback();
  expect_filled(file.root());
  // Handles refer to the same objects as before.
  EXPECT_EQ(inner.path(), "/other/inner");
  EXPECT_EQ(growing.shape(), Shape{kCount});
  EXPECT_EQ(growing.read<std::int32_t>(), count_up(kCount));
  EXPECT_EQ(plain.read<std::int32_t>(), count_up(kCount));
  EXPECT_EQ(plain.path(), "/group/plain");
  try {
    static_cast<void>(created.read<std::int32_t>());
    ADD_FAILURE() << "it is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
  }
  EXPECT_EQ(counts(file, [&] { file.flush(); }).writes, 0U) << "nothing has changed";
  change(file.root());
  file.close();
  const File again = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(names(again.root()), (Strings{"group", "moved", "large", "chunks", "linked"}));
  EXPECT_EQ(again.root().open_dataset("group/texts").read<std::string>(),
            (Strings{"a longer text", "x"}));
  EXPECT_EQ(again.root().open_dataset("group/growing").shape(), Shape{kCount + 50});
  EXPECT_EQ(again.root().open_dataset("chunks").read<std::int32_t>(),
            std::vector<std::int32_t>(kCount));
}

TEST_F(RollbackTest, ManyTimesAndAfterReopening) {
  File::create(path(), world_).close();
  File file = File::open(path(), Access::read_write, world_);
  for (int i = 0; i < 3; ++i) {
    fill(file.root());
    file.rollback();
    EXPECT_EQ(names(file.root()), Strings());
  }
  fill(file.root());
  file.flush();
  for (int i = 0; i < 3; ++i) {
    change(file.root());
    file.rollback();
    expect_filled(file.root());
  }
  file.close();
  expect_filled(File::open(path(), Access::read_only, world_).root());
}

TEST_F(RollbackTest, ANewFileIsEmptyAgain) {
  File file = File::create(path(), world_, {.track_order = TrackOrder::links_and_attributes});
  Group root = file.root();
  fill(root);
  file.rollback();
  EXPECT_EQ(names(root), Strings());
  EXPECT_EQ(root.attributes().size(), 0U);
  fill(root);
  file.close();
  expect_filled(File::open(path(), Access::read_only, world_).root());
}

TEST_F(RollbackTest, TheBytesDoNotDependOnTheRanks) {
  const auto write = [&](File& file) {
    fill(file.root());
    file.flush();
    file.root().set_attribute("step", 5);
    create(file.root(), "gone", {.layout = Layout::contiguous}).write_equal(count_up(kCount, 9));
    file.rollback();
    create(file.root(), "late", {.layout = Layout::contiguous});
    create(file.root(), "chunks", {.chunk = {10}}).write_equal(count_up(kCount));
    file.close();
  };
  File file = File::create(path(), world_);
  write(file);
  if (const auto alone = first_ranks(1)) {
    File one = File::create(path("one.h5"), *alone);
    write(one);
  }
  EXPECT_TRUE(contents(path()) == contents(path("one.h5")));
  EXPECT_EQ(File::open(path(), Access::read_only, world_).root().open_dataset("late").read<int>(),
            std::vector<int>(kCount))
      << "what was there is gone";
}

TEST_F(RollbackTest, AfterDifferentCallsTheRanksGoOn) {
  if (size() == 1) GTEST_SKIP() << "one rank cannot diverge";
  File file = File::create(path(), world_);
  fill(file.root());
  file.flush();
  const std::vector<std::function<void(Group, std::uint64_t)>> different{
      [](Group root, std::uint64_t odd) { root.set_attribute("step", static_cast<int>(5 + odd)); },
      [](Group root, std::uint64_t odd) {
        for (std::uint64_t i = 0; i < 1 + odd; ++i)
          create(root, "x" + std::to_string(i), {.layout = Layout::contiguous})
              .write_equal(count_up(kCount));
      },
      [](Group root, std::uint64_t odd) {
        root.open_dataset("group/growing").resize({kCount + odd});
        root.open_dataset("group/small")
            .write_equal(std::vector<std::int32_t>(kCount, odd == 0 ? 1 : 2));
      },
      [](Group root, std::uint64_t odd) {
        root.remove(odd == 0 ? "group" : "other");
        root.create_dataset("t", {kText, Dataspace({1})})
            .write_equal(Strings(1, odd == 0 ? "a" : "b"));
      }};
  for (const auto& calls : different) {
    calls(file.root(), rank() == last() ? 1 : 0);
    EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::diverged);
    file.rollback();
    expect_filled(file.root());
    create(file.root(), "new", {.layout = Layout::contiguous});
    file.root().open_dataset("new").write_all(count_up(my_share(kCount)), my_share(kCount));
    file.flush();
    EXPECT_EQ(file.root().open_dataset("new").read<std::int32_t>(), count_up(kCount));
    file.root().remove("new");
    file.flush();
  }
  file.close();
  expect_filled(File::open(path(), Access::read_only, world_).root());
}

TEST_F(RollbackTest, OnlyTogetherAndOutsideOfASection) {
  File file = File::create(path(), world_);
  file.flush();
  {
    std::optional<Independent> alone;
    if (rank() == last()) alone.emplace(file.independent());
    const Error error = same_error([&] { file.rollback(); });
    EXPECT_EQ(error.code(), ErrorCode::state);
  }
  if (size() > 1) {
    const Error error = same_error([&] {
      if (rank() == 0)
        file.rollback();
      else
        file.flush();
    });
    EXPECT_EQ(error.code(), ErrorCode::diverged);
  }
  file.close();
  File reading = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(same_error([&] { reading.rollback(); }).code(), ErrorCode::state);
}

TEST_F(RollbackTest, AnonymousObjectsAndMovesFromThere) {
  File file = File::create(path(), world_);
  Group root = file.root();
  Dataset kept = root.create_anonymous_dataset({Datatype::of<std::int32_t>(), Dataspace({kCount})});
  kept.write_equal(count_up(kCount));
  file.flush();
  root.create_hard_link("a name", kept);
  EXPECT_EQ(kept.path(), "/a name");
  const Dataset other =
      root.create_anonymous_dataset({Datatype::of<std::int32_t>(), Dataspace({1})});
  file.rollback();
  EXPECT_EQ(names(root), Strings());
  EXPECT_EQ(kept.path(), "");
  EXPECT_EQ(kept.read<std::int32_t>(), count_up(kCount));
  root.create_hard_link("another", kept);
  file.close();
  EXPECT_EQ(File::open(path(), Access::read_only, world_)
                .root()
                .open_dataset("another")
                .read<std::int32_t>(),
            count_up(kCount));
}

// --- a new file is readable in any case ------------------------------------------------

TEST_F(RollbackTest, ACloseThatFindsDifferencesLeavesAnEmptyFile) {
  if (size() == 1) GTEST_SKIP() << "one rank cannot diverge";
  File file = File::create(path(), world_);
  fill(file.root());
  file.root().set_attribute("rank", rank());
  EXPECT_EQ(same_error([&] { file.close(); }).code(), ErrorCode::diverged);
  barrier();
  EXPECT_EQ(names(File::open(path()).root()), Strings());
}

TEST_F(RollbackTest, ACloseThatMeetsAnotherCallSavesTheFile) {
  if (size() == 1) GTEST_SKIP() << "there is no other rank";
  for (const int closes : {0, last()})
    for (const bool flushes : {true, false}) {
      File file = File::create(path(), world_);
      fill(file.root());
      Dataset mine = file.root().open_dataset("group/plain");
      change_alone(file, [&] { file.root().create_group("of " + std::to_string(rank())); });
      const Error error = same_error([&] {
        if (rank() == closes)
          file.close();
        else if (flushes)
          file.flush();
        else
          mine.write_all(count_up(my_share(kCount)), my_share(kCount));
      });
      EXPECT_EQ(error.code(), ErrorCode::diverged);
      EXPECT_NE(std::string_view(error.what()).find("are saved"), std::string_view::npos);
      EXPECT_NO_THROW(file.close());
      barrier();
      const File saved = File::open(path());
      EXPECT_EQ(saved.root().links().size(), 3U + static_cast<std::size_t>(size()));
      EXPECT_EQ(saved.root().open_dataset("group/plain").read<std::int32_t>(), count_up(kCount));
      barrier();
    }
}

TEST_F(RollbackTest, ARankThatLeavesANewFileLeavesAnEmptyOne) {
  if (size() == 1) GTEST_SKIP() << "there is nobody to leave";
  for (const int leaves : {0, last()}) {
    File file = File::create(path(), world_);
    fill(file.root());
    if (rank() == leaves)
      file.abandon("it must");
    else
      EXPECT_THROW(file.close(), Error);
    barrier();
    EXPECT_EQ(names(File::open(path()).root()), Strings());
    barrier();
  }
}

}  // namespace
}  // namespace onecast::test
