#include "onecast/objects/pending.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <thread>
#include <vector>

#include "comm/communicator_access.hpp"
#include "objects/files/file_access.hpp"
#include "objects/files/file_state.hpp"
#include "support/file_states.hpp"
#include "support/gate_transport.hpp"
#include "support/temporary_directory.hpp"
#include "support/thread_ranks.hpp"
#include "support/thrown_by.hpp"

/// Calls that are begun in one process, also for ThreadSanitizer (`make tsan`)
namespace onecast::test {

using namespace files;
namespace {

using Numbers = std::vector<std::int32_t>;

constexpr std::uint64_t kCount = 20'000;

Numbers count_up(std::int32_t offset = 0) {
  Numbers values(kCount);
  for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<std::int32_t>(i) + offset;
  return values;
}
std::span<const std::byte> bytes(const Numbers& of) { return std::as_bytes(std::span(of)); }

TEST(Pending, NothingIsDone) {
  Pending nothing;
  EXPECT_TRUE(nothing.is_done());
  nothing.wait();
}

TEST(Pending, WritesWhileTheCallerGoesOn) {
  const TemporaryDirectory folder;
  const auto gate = std::make_shared<Gate>();
  File file = FileAccess::file(create_state(folder / "a.h5", Communicator(), {.page_size = 4096},
                                            gate_factory(posix_factory(), gate)));
  Dataset x = file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Dataspace({kCount})});
  file.flush();
  const Numbers values = count_up();
  gate->close();
  Pending pending = x.write_async(bytes(values));
  Numbers read(kCount);
  Pending reading = x.read_async(std::as_writable_bytes(std::span(read)));
  EXPECT_FALSE(pending.is_done());
  EXPECT_EQ(x.element_count(), kCount);
  gate->open();
  reading.wait();
  EXPECT_EQ(read, values);
  file.close();
}

/// Changes and look-ups happen between pending calls, without data races.
TEST(Pending, EverythingBetweenCalls) {
  const TemporaryDirectory folder;
  File file = File::create(folder / "a.h5");
  const Datatype number = Datatype::of<std::int32_t>();
  Dataset plain = file.root().create_dataset("plain", {number, Dataspace({kCount})});
  Dataset chunks = file.root().create_dataset(
      "chunks", {.type = number,
                 .space = Dataspace({kCount}, {Dataspace::kUnlimited}),
                 .options = {.chunk = {500}, .filters = {Filter::deflate(1)}}});
  Dataset small = file.root().create_dataset("small", {number, Dataspace({9})});
  const Datatype text = Datatype::variable_string();
  Dataset texts = file.root().create_dataset("texts", {text, Dataspace({2})});
  std::vector<Dataset> all{plain, chunks};
  for (std::int32_t step = 0; step < 20; ++step) {
    const Numbers values = count_up(step);
    Numbers read(kCount);
    NewValues made;
    const auto elements = made.strings(text, std::vector<std::string>{"one", "another"});
    std::vector<Pending> pending;
    for (Dataset& d : all) {
      pending.push_back(d.write_all_async(bytes(values)));
      EXPECT_EQ(d.shape(), Shape{kCount});
      EXPECT_EQ(d.datatype(), number);
      EXPECT_EQ(d.kind(), ObjectKind::dataset);
    }
    pending.push_back(small.write_async(bytes(values).first(36)));
    pending.push_back(texts.write_async(elements, {.values = &made}));
    pending.push_back(file.flush_async());
    pending.push_back(chunks.read_all_async(std::as_writable_bytes(std::span(read))));
    EXPECT_TRUE(file.is_open());
    const std::array<std::function<void()>, 8> calls{
        [&] { static_cast<void>(small.read<std::int32_t>()); },
        [&] { file.root().set_attribute("step", step); },
        [&] { chunks.resize({kCount + 1}), chunks.resize({kCount}); },
        [&] { static_cast<void>(file.root().links()); },
        [&] { static_cast<void>(texts.read<std::string>()); },
        [&] { file.root().create_group("group " + std::to_string(step)); },
        [&] { static_cast<void>(plain.layout()); },
        [&] { static_cast<void>(file.metadata_report()); },
    };
    calls[static_cast<std::size_t>(step) % calls.size()]();
    for (Pending& p : pending) p.wait();
    EXPECT_EQ(read, values);
  }
  file.close();
  EXPECT_EQ(File::open(folder / "a.h5").root().open_dataset("chunks").read<std::int32_t>(),
            count_up(19));
}

TEST(Pending, HandlesMayGoInAnyOrder) {
  const TemporaryDirectory folder;
  const Numbers values = count_up();
  Pending pending;
  {
    File file = File::create(folder / "a.h5");
    Dataset x =
        file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Dataspace({kCount})});
    file.flush();
    pending = x.write_async(bytes(values));
    pending = x.write_async(bytes(values));
  }
  pending.wait();
  EXPECT_EQ(File::open(folder / "a.h5").root().open_dataset("x").read<std::int32_t>(), values);
}

TEST(Pending, AnErrorThatNobodyHeardIsToldOnce) {
  const TemporaryDirectory folder;
  File file = File::create(folder / "a.h5");
  Dataset x = file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Dataspace({kCount})});
  const Numbers values = count_up();
  {
    const Pending too_short = x.write_async(bytes(values).first(3));
  }
  EXPECT_EQ(thrown_by([&] { file.flush(); }).code(), ErrorCode::invalid_argument);
  file.flush();
  Pending heard = x.write_async(bytes(values).first(3));
  EXPECT_EQ(thrown_by([&] { heard.wait(); }).code(), ErrorCode::invalid_argument);
  heard = Pending();
  file.flush();
  const Pending unheard = x.write_async(bytes(values).first(3));
  file.flush();
  EXPECT_EQ(thrown_by([&] { file.close(); }).code(), ErrorCode::invalid_argument);
  EXPECT_FALSE(file.is_open());
}

/// The ranks are threads, each with a thread of its own for its calls.
TEST(Pending, OnRanks) {
  const TemporaryDirectory folder;
  run_ranks(3, 2, [&](CommunicatorBackend& backend) {
    const Communicator ranks = comm::CommunicatorAccess::make(
        std::shared_ptr<CommunicatorBackend>(&backend, [](auto*) {}));
    const auto me = static_cast<std::uint64_t>(ranks.rank());
    File file = File::create(folder / "a.h5", ranks, {.stripe_size = 4096, .page_size = 4096});
    Dataset x =
        file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Dataspace({3 * kCount})});
    const Hyperslab mine{{me}, {kCount}, {3}, {}};
    for (std::int32_t step = 0; step < 4; ++step) {
      const Numbers values = count_up(step);
      Pending writing = x.write_all_async(bytes(values), mine);
      Pending flushing = file.flush_async();
      Numbers read(kCount);
      Pending reading = x.read_all_async(std::as_writable_bytes(std::span(read)), mine);
      EXPECT_EQ(x.shape(), Shape{3 * kCount});
      if (step % 2 == 1) file.root().set_attribute("step", step);
      reading.wait();
      flushing.wait();
      writing.wait();
      EXPECT_EQ(read, values);
    }
    file.close();
  });
  const Numbers all = File::open(folder / "a.h5").root().open_dataset("x").read<std::int32_t>();
  for (std::size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(all[i], static_cast<std::int32_t>(i / 3) + 3) << i;
}

}  // namespace
}  // namespace onecast::test
