// One rank makes a different call, at random; then all continue as if it had not happened.
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <random>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

/// ONECAST_CALLS_SEEDS=500 runs more seeds.
unsigned seeds() {
  const char* wanted = std::getenv("ONECAST_CALLS_SEEDS");
  return wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : 6;
}

class RandomCallsTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kCount = 4000;
  static constexpr std::uint64_t kTexts = 6;

  struct Opened {
    std::string name;
    File file;
    Dataset x;
    Dataset compact;
    Dataset chunked;
    Dataset texts;
  };
  struct Call {
    std::string name;  ///< includes the file
    std::function<void(int number)> run;
  };

  void SetUp() override {
    if (size() == 1) GTEST_SKIP() << "one rank makes one call";
  }

  [[nodiscard]] Opened create(const std::string& name) const {
    File file = File::create(path(name), world_, {.page_size = 4096});
    Group root = file.root();
    return {
        name,
        file,
        create_int32(root, "x", kCount),
        create_int32(root, "compact", 12),
        root.create_dataset(
            "chunked", {.type = Datatype::of<std::int32_t>(),
                        .space = Dataspace({300}),
                        .options = DatasetOptions{.chunk = {37}, .filters = {Filter::deflate(1)}}}),
        root.create_dataset("texts", {Datatype::variable_string(), Dataspace({kTexts})})};
  }

  static std::vector<std::int32_t> values(std::uint64_t count, int number) {
    return std::vector<std::int32_t>(static_cast<std::size_t>(count), number);
  }
  void write(Dataset& to, int number) const {
    const Hyperslab part = share(to.element_count(), rank(), size());
    const auto mine = values(to.element_count(), number);
    const std::uint64_t count = part.count[0];
    to.write_all(std::as_bytes(std::span(mine).first(static_cast<std::size_t>(count))), part);
  }
  static void read(const Dataset& from, std::optional<Sharing> sharing = {}) {
    std::vector<std::int32_t> all(from.element_count());
    from.read_all(std::as_writable_bytes(std::span(all)), {.sharing = sharing});
  }
  static std::vector<std::string> texts(int number) {
    return std::vector<std::string>(kTexts, "text " + std::to_string(number));
  }

  void add_calls(Opened& o, std::vector<Call>& calls) const {
    const auto add = [&](const std::string& name, std::function<void(int)> run) {
      calls.push_back({o.name + " " + name, std::move(run)});
    };
    add("flush", [&o](int) { o.file.flush(); });
    add("prefetch", [&o](int) { o.file.prefetch_all("/"); });
    add("flush, begun", [&o](int) { o.file.flush_async().wait(); });
    for (Dataset* d : {&o.x, &o.compact, &o.chunked}) {
      add("write_all of " + d->path(), [this, d](int number) { write(*d, number); });
      add("read_all of " + d->path(), [d](int) { read(*d); });
    }
    add("read_all, serving", [&o](int) { read(o.x, Sharing::serve); });
    add("write_all of texts", [this, &o](int number) {
      const Hyperslab part = share(kTexts, rank(), size());
      const std::uint64_t count = part.count[0];
      auto mine = texts(number);
      mine.resize(static_cast<std::size_t>(count));
      o.texts.write_all(mine, part);
    });
    add("write_equal", [&o](int number) {
      const auto all = values(kCount, number);
      o.x.write_equal(std::as_bytes(std::span(all)), {.sharing = Sharing::verify});
    });
    add("write_multi", [&o](int number) {
      const auto all = values(kCount, number);
      const WriteRequest list[] = {{o.x, std::as_bytes(std::span(all))},
                                   {o.chunked, std::span<const std::byte>(), Selection::none()}};
      o.file.write_multi(list);
    });
  }

  /// All ranks make the same change, and send no message.
  static void change(Opened& o, unsigned which, int number) {
    const std::string name = std::to_string(number);
    switch (which) {
      case 0:
        return o.texts.write_equal(texts(number));
      case 1: {
        const auto all = values(kCount, number);
        return o.x.write_equal(std::as_bytes(std::span(all)));
      }
      case 2:
        return static_cast<void>(o.file.root().create_group("group " + name));
      default: {
        const auto all = values(300, number);
        return o.chunked.write_equal(std::as_bytes(std::span(all)));
      }
    }
  }
};

TEST_F(RandomCallsTest, AllGoOn) {
  create("other.h5").file.close();
  for (unsigned seed = 0; seed < seeds(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    alarm(kPatience);
    std::mt19937 random(seed);
    const auto draw = [&](std::size_t below) { return random() % below; };
    Opened a = create("a.h5");
    Opened b = create("b.h5");
    std::vector<Call> calls;
    add_calls(a, calls);
    add_calls(b, calls);
    calls.push_back(
        {"open", [&](int) { File::open(path("other.h5"), Access::read_only, world_); }});
    for (int number = 1; number < 12; ++number) {
      for (std::size_t changes = draw(3); changes > 0; --changes)
        change(draw(2) == 0 ? a : b, static_cast<unsigned>(draw(4)),
               10 * number + static_cast<int>(changes));
      const Call& call = calls.at(draw(calls.size()));
      const Call& another = calls.at(draw(calls.size()));
      const int odd = static_cast<int>(draw(static_cast<std::size_t>(size())));
      SCOPED_TRACE(call.name + "; rank " + std::to_string(odd) + ": " + another.name);
      const auto same = [](const Call& c) { return c.name.substr(0, c.name.find(',')); };
      if (same(call) != same(another) && draw(3) != 0) {
        EXPECT_EQ(same_error([&] { (rank() == odd ? another : call).run(number); }).code(),
                  ErrorCode::diverged);
      }
      ASSERT_NO_THROW(call.run(number));
    }
    const auto last_values = values(kCount, 99);
    a.x.write_equal(std::as_bytes(std::span(last_values)));
    b.texts.write_equal(texts(99));
    for (Opened* o : {&a, &b}) o->file.close();
    barrier();
    std::vector<std::int32_t> stored(kCount);
    File::open(path("a.h5"))
        .root()
        .open_dataset("x")
        .read(std::as_writable_bytes(std::span(stored)));
    EXPECT_EQ(stored, last_values);
    EXPECT_EQ(File::open(path("b.h5")).root().open_dataset("texts").read<std::string>(), texts(99));
    barrier();
  }
}

}  // namespace
}  // namespace onecast::test
