// Data that a rank creates inside independent() waits for the flush in limited memory, and beyond
// the limit in a temporary file. Neither reads nor the bytes of the file show the difference.
#include "faults.hpp"
#include "independent_support.hpp"
#include "objects/files/file_access.hpp"
#include "support/file_states.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kLimit = 64 << 10U;

class WaitingDataTest : public IndependentTest {
 protected:
  File create_limited(std::uint64_t limit, TransportFactory factory = {}) {
    FileOptions options{.page_size = 4096};
    options.chunk_cache_bytes = kLimit;
    state_ = create_state(path(), world_, options, std::move(factory));
    state_->changes().waiting.set_limit(limit);
    return FileAccess::file(state_);
  }
  [[nodiscard]] WaitingSpace& waiting() const { return state_->changes().waiting; }
  /// Expects that no data waits any more.
  void expect_empty() const {
    EXPECT_EQ(waiting().in_memory(), 0U);
    EXPECT_EQ(waiting().file_size(), 0U);
    EXPECT_EQ(state_->changes().decoded_chunks.bytes, 0U);
  }
  static DatasetOptions filtered(std::uint64_t chunk) {
    return {.chunk = {chunk}, .filters = {Filter::shuffle(), Filter::deflate(1)}};
  }
  /// Returns numbers that filters cannot compress.
  static std::vector<std::int32_t> noise(std::uint64_t count, int seed) {
    std::vector<std::int32_t> all(count);
    auto state = static_cast<std::uint32_t>(seed) * 2654435761U + 1;
    for (std::int32_t& x : all) {
      state ^= state << 13U;
      state ^= state >> 17U;
      state ^= state << 5U;
      x = static_cast<std::int32_t>(state);
    }
    return all;
  }
  static std::vector<std::int32_t> part_of(const Dataset& x, std::uint64_t first,
                                           std::uint64_t count) {
    std::vector<std::int32_t> found(count);
    x.read(std::as_writable_bytes(std::span(found)), Hyperslab{{first}, {count}});
    return found;
  }

  std::shared_ptr<FileState> state_;
};

TEST_F(WaitingDataTest, AnyAmountTakesTheLimitInMemory) {
  constexpr std::uint64_t kElements = 1 << 20U;  // 4 MiB
  constexpr std::uint64_t kPiece = 8 << 10U;
  File file = create_limited(kLimit);
  const auto values = noise(kElements, rank());
  const std::vector<std::pair<const char*, DatasetOptions>> kinds{
      {"contiguous", {.layout = Layout::contiguous}},
      {"chunked", {.chunk = {3000}}},
      {"filtered", filtered(3000)}};
  {
    const auto alone = file.independent();
    std::uint64_t most_decoded = 0;
    for (const auto& [name, options] : kinds) {
      Dataset x = file.root().create_dataset(fmt::format("{}/{}", mine(), name),
                                             {.type = Datatype::of<std::int32_t>(),
                                              .space = Dataspace({kElements}),
                                              .options = options});
      for (std::uint64_t i = 0; i < kElements; i += kPiece) {
        x.write(std::as_bytes(std::span(values).subspan(i, kPiece)), Hyperslab{{i}, {kPiece}});
        most_decoded = std::max(most_decoded, state_->changes().decoded_chunks.bytes);
      }
      file.root().create_dataset(fmt::format("{}/{}, at once", mine(), name), {kElements}, values,
                                 options);
      EXPECT_EQ(x.read<std::int32_t>(), values) << name;
    }
    EXPECT_LE(waiting().most_in_memory(), kLimit);
    EXPECT_LE(most_decoded, kLimit + 12000);
    EXPECT_GT(waiting().file_size(), 6 * (kElements * 4 - kLimit));
  }
  file.flush();
  EXPECT_LE(waiting().most_in_memory(), kLimit);
  expect_empty();
  const auto others = noise(kElements, (rank() + 1) % size());
  for (const auto& [name, options] : kinds)
    for (const char* more : {"", ", at once"})
      EXPECT_EQ(
          file.root()
              .open_dataset(fmt::format("{}/{}{}", name_of((rank() + 1) % size()), name, more))
              .read<std::int32_t>(),
          others);
  file.close();
  expect_sound();
}

TEST_F(WaitingDataTest, ManyDatasetsOfOneChunkEach) {
  File file = create_limited(kLimit);
  {
    const auto alone = file.independent();
    std::uint64_t most = 0;
    for (int i = 0; i < 200; ++i) {
      Dataset x = file.root().create_dataset(fmt::format("{}/{}", mine(), i),
                                             {.type = Datatype::of<std::int32_t>(),
                                              .space = Dataspace({3000}),
                                              .options = filtered(3000)});
      x.write(noise(2000, i), Hyperslab{{500}, {2000}});
      most = std::max(most, state_->changes().decoded_chunks.bytes);
    }
    EXPECT_LE(most, 2 * kLimit + 12000);
    EXPECT_LE(waiting().most_in_memory(), kLimit);
    for (int i = 0; i < 200; i += 33)
      EXPECT_EQ(part_of(file.root().open_dataset(fmt::format("{}/{}", mine(), i)), 500, 2000),
                noise(2000, i));
  }
  file.close();
  expect_empty();
  expect_sound();
}

TEST_F(WaitingDataTest, AFewElementsOfManyTakeLittle) {
  constexpr std::uint64_t kElements = 100'000'000;
  File file = create_limited(kLimit);
  const IoStats added = counts(file, [&] {
    {
      const auto alone = file.independent();
      Dataset x = create_int32(file.root(), mine(), kElements);
      for (std::uint64_t i = 0; i < 10; ++i)
        x.write(count_up(1, static_cast<int>(i)), Hyperslab{{i * 9'000'000 + 7}, {1}});
      EXPECT_EQ(part_of(x, 18'000'006, 3), (std::vector<std::int32_t>{0, 2, 0}));
      EXPECT_EQ(part_of(x, kElements - 1, 1), std::vector<std::int32_t>{0});
    }
    file.flush();
  });
  EXPECT_LT(added.bytes_written, 200'000U);
  for (int r = 0; r < size(); ++r)
    EXPECT_EQ(part_of(file.root().open_dataset(name_of(r)), 81'000'006, 3),
              (std::vector<std::int32_t>{0, 9, 0}));
  file.close();
  expect_empty();
}

TEST_F(WaitingDataTest, WhatWasDeletedMakesRoom) {
  File file = create_limited(kLimit);
  constexpr std::uint64_t kElements = 100'000;
  {
    const auto alone = file.independent();
    for (int i = 0; i < 20; ++i) {
      const auto values = noise(kElements, i);
      Group group = file.root().create_group(mine());
      group.create_dataset("contiguous", {kElements}, values);
      group.create_dataset("chunked", {kElements}, values, {.chunk = {5000}});
      Dataset x = group.create_dataset("filtered", {kElements}, values, filtered(5000));
      x.write(noise(kElements, i + 1));
      file.root().remove(mine());
    }
    EXPECT_LE(waiting().most_file_size(), 5 * kElements * 4);
    EXPECT_EQ(waiting().file_size(), 0U);
  }
  file.close();
}

TEST_F(WaitingDataTest, ValuesOfVariableLength) {
  File file = create_limited(kLimit);
  const auto texts = [&](int r, int i) {
    std::vector<std::string> all;
    for (int k = 0; k < 100; ++k)
      all.push_back(fmt::format("text {} of {} in {} {}", k, i, r, std::string(200, 'x')));
    return all;
  };
  constexpr int kParts = 20;
  {
    const auto alone = file.independent();
    Dataset x = file.root().create_dataset(
        mine(), {.type = Datatype::variable_string(),
                 .space = Dataspace({100 * kParts}, {Dataspace::kUnlimited}),
                 .options = {.chunk = {64}}});
    for (int i = 0; i < kParts; ++i)
      x.write(texts(rank(), i), Hyperslab{{100 * static_cast<std::uint64_t>(i)}, {100}});
    x.resize({100 * kParts - 150});
    x.resize({100 * kParts});
    EXPECT_LE(waiting().most_in_memory(), kLimit);
  }
  file.flush();
  expect_empty();
  for (int r = 0; r < size(); ++r) {
    const auto found = file.root().open_dataset(name_of(r)).read<std::string>();
    for (int i = 0; i < kParts - 2; ++i)
      EXPECT_EQ(found[static_cast<std::size_t>(100 * i + 99)], texts(r, i)[99]);
    EXPECT_EQ(found[100 * (kParts - 2) + 49], texts(r, kParts - 2)[49]);
    EXPECT_EQ(found[100 * (kParts - 2) + 50], "");
  }
  file.close();
  expect_sound();
}

TEST_F(WaitingDataTest, AFullDiskIsToldAtOnceAndNothingHasChanged) {
  const Faults faults = faults_on(last(), world_);
  File file = create_limited(kLimit, faults.factory());
  file.flush();
  constexpr std::uint64_t kElements = 100'000;
  const auto values = noise(kElements, rank());
  {
    const auto alone = file.independent();
    Group group = file.root().create_group(mine());
    const DatasetOptions chunks{.chunk = {5000}};
    std::vector<Dataset> written;
    for (const DatasetOptions& options : {DatasetOptions{}, chunks, filtered(5000)})
      written.push_back(
          group.create_dataset(fmt::format("{}", written.size()), {kElements}, values, options));
    Dataset contiguous = create_int32(group, "contiguous", kElements);
    Dataset chunked = group.create_dataset(
        "chunked",
        {.type = Datatype::of<std::int32_t>(), .space = Dataspace({kElements}), .options = chunks});
    const bool fails = rank() == last();
    if (fails) faults.plan->space = 30'000;
    const auto expect_full = [&](const auto& call) {
      if (!fails) return;
      const Error error = thrown_by(call);
      EXPECT_EQ(error.code(), ErrorCode::io);
      EXPECT_EQ(error.system_errno(), ENOSPC);
      for (const std::string& part :
           {path(), std::string(".onecast-waiting"), std::string("free space in that folder")})
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    };
    expect_full([&] { group.create_dataset("new", {kElements}, values); });
    expect_full([&] { group.create_dataset("new", {kElements}, values, chunks); });
    expect_full([&] { group.create_dataset("new", {kElements}, values, filtered(5000)); });
    expect_full([&] { contiguous.write(values); });
    expect_full([&] { chunked.write(values); });
    expect_full([&] { written[2].write(noise(kElements, 99)); });
    EXPECT_FALSE(group.contains("new"));
    for (const Dataset* x : {&contiguous, &chunked})
      EXPECT_EQ(x->read<std::int32_t>(), std::vector<std::int32_t>(kElements));
    for (const Dataset& x : written) EXPECT_EQ(x.read<std::int32_t>(), values);
    faults.plan->space.reset();
    chunked.write(values);
  }
  file.close();
  expect_empty();
  expect_sound();
  file = File::open(path(), Access::read_only, world_);
  const Group group = file.root().open_group(mine());
  for (const char* name : {"0", "1", "2", "chunked"})
    EXPECT_EQ(group.open_dataset(name).read<std::int32_t>(), values);
  EXPECT_EQ(group.open_dataset("contiguous").read<std::int32_t>(),
            std::vector<std::int32_t>(kElements));
}

TEST_F(WaitingDataTest, NoNameIsLeftInTheFolder) {
  File file = create_limited(0);
  const auto alone = file.independent();
  file.root().create_dataset(mine(), {50'000}, noise(50'000, rank()));
  const auto folder = std::filesystem::path(path()).parent_path();
  EXPECT_GT(waiting().file_size(), 0U);
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename());
    return names;
  };
  barrier();
  EXPECT_EQ(files(), std::vector<std::string>{"file.h5"});
  barrier();
  file.abandon("enough");
  EXPECT_EQ(files(), std::vector<std::string>{"file.h5"});
  leaves_damage_ = true;
}

}  // namespace
}  // namespace onecast::test
