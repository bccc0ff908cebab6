// Values of variable length on several ranks: written together, with equal data, and independently
#include <fmt/format.h>

#include <array>
#include <random>

#include "onecast/check/check.hpp"
#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

const Datatype kInts = Datatype::sequence(Datatype::of<std::int32_t>());
const Datatype kLists = Datatype::sequence(kInts);

std::string text_of(std::uint64_t i, int seed) {
  return fmt::format("{} of {}: {}", i, seed, std::string((i * 37 + 11) % 90, 'x'));
}

/// The elements that a rank writes: a row of them, or every n-th.
enum class Deal { rows, cards };

Selection share_of(std::uint64_t count, Deal deal, const Communicator& comm) {
  const auto rank = static_cast<std::uint64_t>(comm.rank());
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  if (deal == Deal::cards)
    return Hyperslab{{rank}, {(count - rank + ranks - 1) / ranks}, {ranks}, {}};
  const std::uint64_t first = count * rank / ranks;
  return Hyperslab{{first}, {count * (rank + 1) / ranks - first}};
}

template <class F>
void for_each_of(std::uint64_t count, Deal deal, const Communicator& comm, F&& each) {
  const auto rank = static_cast<std::uint64_t>(comm.rank());
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  if (deal == Deal::cards)
    for (std::uint64_t i = rank; i < count; i += ranks) each(i);
  else
    for (std::uint64_t i = count * rank / ranks; i < count * (rank + 1) / ranks; ++i) each(i);
}

std::vector<std::string> all_texts(std::uint64_t count, int seed) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) texts.push_back(text_of(i, seed));
  return texts;
}

class VariableTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kFew = 300;
  static constexpr std::uint64_t kMany = 30'000;

  static void write_together(Dataset x, Deal deal, const Communicator& comm, int seed) {
    const std::uint64_t count = x.element_count();
    std::vector<std::string> mine;
    for_each_of(count, deal, comm, [&](std::uint64_t i) { mine.push_back(text_of(i, seed)); });
    x.write_all(mine, share_of(count, deal, comm));
  }

  /// Writes lists of lists, that is nested values.
  static void write_lists(Dataset x, Deal deal, const Communicator& comm) {
    const std::uint64_t count = x.element_count();
    NewValues values;
    std::vector<std::byte> elements;
    for_each_of(count, deal, comm, [&](std::uint64_t i) {
      std::vector<std::byte> inner(i % 4 * kInts.size());
      for (std::uint64_t k = 0; k < i % 4; ++k) {
        const std::vector<std::int32_t> numbers((i + k) % 9, static_cast<std::int32_t>(i));
        values.sequence(kInts, std::as_bytes(std::span(numbers)),
                        std::span(inner).subspan(k * kInts.size(), kInts.size()));
      }
      elements.resize(elements.size() + kLists.size());
      values.sequence(kLists, inner, std::span(elements).last(kLists.size()));
    });
    x.write_all(elements, {.part = share_of(count, deal, comm), .values = &values});
  }

  static void run(const std::string& file, const Communicator& comm, Deal deal) {
    File f = File::create(file, comm, {.page_size = 4096});
    Group root = f.root();
    const auto create = [&](const char* name, std::uint64_t count, const DatasetOptions& options) {
      return root.create_dataset(name,
                                 {.type = kText, .space = Dataspace({count}), .options = options});
    };
    write_together(create("compact", kFew, {.layout = Layout::compact}), deal, comm, 1);
    write_together(create("few", kFew, {.layout = Layout::contiguous}), deal, comm, 2);
    write_together(create("many", kMany, {}), deal, comm, 3);
    const auto same = all_texts(kFew, 4);
    NewValues values;
    const auto elements = values.strings(kText, same);
    root.create_dataset(
        "same", {.type = kText, .space = Dataspace({kFew}), .data = elements, .values = &values});
    root.set_attribute("texts", kText, Dataspace({kFew}), elements, values);
    EXPECT_EQ(root.attribute("texts").read<std::string>(), same);
    f.flush();
    write_together(create("chunked", kMany, {.chunk = {1000}, .filters = {Filter::deflate(1)}}),
                   deal, comm, 5);
    write_lists(
        root.create_dataset(
            "lists", {.type = kLists, .space = Dataspace({kMany}), .options = {.chunk = {777}}}),
        deal, comm);
    write_together(root.open_dataset("few"), deal, comm, 6);
    root.open_dataset("same").write_equal(elements, {.values = &values});
    f.close();
    f = File::open(file, Access::read_write, comm);
    write_together(f.root().open_dataset("many"), deal, comm, 7);
    f.close();
  }

  static void check(const std::string& file) {
    for (const Finding& f : check_file(file, {.data = true}).findings) ADD_FAILURE() << f.what;
    const File f = File::open(file);
    const Group root = f.root();
    EXPECT_EQ(root.open_dataset("compact").read<std::string>(), all_texts(kFew, 1));
    EXPECT_EQ(root.open_dataset("few").read<std::string>(), all_texts(kFew, 6));
    EXPECT_EQ(root.open_dataset("many").read<std::string>(), all_texts(kMany, 7));
    EXPECT_EQ(root.open_dataset("same").read<std::string>(), all_texts(kFew, 4));
    EXPECT_EQ(root.attribute("texts").read<std::string>(), all_texts(kFew, 4));
    EXPECT_EQ(root.open_dataset("chunked").read<std::string>(), all_texts(kMany, 5));
    const Dataset lists = root.open_dataset("lists");
    std::vector<std::byte> elements(kMany * kLists.size());
    lists.read(elements);
    VariableValues values(lists);
    const std::span<const std::byte> all(elements);
    for (std::uint64_t i = 0; i < kMany; i += 101) {
      const auto list = values.sequence(kLists, all.subspan(i * kLists.size(), kLists.size()));
      ASSERT_EQ(list.count, i % 4);
      for (std::uint64_t k = 0; k < list.count; ++k)
        EXPECT_EQ(values.sequence(kInts, list.bytes.subspan(k * kInts.size(), kInts.size())).count,
                  (i + k) % 9);
    }
  }
};

TEST_F(VariableTest, SameBytesHoweverDealt) {
  std::string reference;
  for (const int ranks : {1, 2, 3, 4, 7}) {
    if (ranks > size()) continue;
    for (const Deal deal : {Deal::rows, Deal::cards}) {
      const std::string file = path(fmt::format("{}-{}.h5", ranks, static_cast<int>(deal)));
      if (const auto comm = first_ranks(ranks)) run(file, *comm, deal);
      const std::string bytes = contents(file);
      if (reference.empty()) {
        reference = bytes;
        if (rank() == 0) check(file);
      }
      EXPECT_TRUE(bytes == reference) << ranks << " ranks, " << static_cast<int>(deal);
    }
  }
}

// Waiting values are cut off when a dataset shrinks, and stay as they are when it grows.
TEST_F(VariableTest, ResizingWhatWaits) {
  File f = create(path(), {}, {});
  const Dataspace space({10, 10}, {Dataspace::kUnlimited, Dataspace::kUnlimited});
  const auto make = [&](const char* name) {
    return f.root().create_dataset(name,
                                   {.type = kText, .space = space, .options = {.chunk = {4, 4}}});
  };
  Dataset all = make("all");
  Dataset part = make("part");
  Dataset points = make("points");
  Dataset nothing = make("nothing left");
  const auto texts = all_texts(100, 1);
  if (rank() == last()) {
    all.write(texts);
    part.write(std::span(texts.begin(), texts.begin() + 12), Hyperslab{{4, 3}, {3, 4}});
    points.write(std::span(texts.begin(), texts.begin() + 3),
                 Selection::points(2, {8, 8, 2, 3, 0, 9}));
    nothing.write(std::span(texts.begin(), texts.begin() + 4), Hyperslab{{8, 8}, {2, 2}});
  }
  for (Dataset* d : {&all, &part, &points, &nothing}) {
    d->resize({12, 9});
    d->resize({6, 5});
    d->resize({11, 10});
  }
  f.flush();
  const auto at = [](const std::vector<std::string>& found, std::size_t row, std::size_t column) {
    return found[row * 10 + column];
  };
  for (std::size_t i = 0; i < 11; ++i)
    for (std::size_t k = 0; k < 10; ++k) {
      const bool kept = i < 6 && k < 5;
      EXPECT_EQ(at(all.read<std::string>(), i, k), kept ? texts[i * 10 + k] : "") << i << " " << k;
      EXPECT_EQ(at(part.read<std::string>(), i, k),
                kept && i >= 4 && k >= 3 ? texts[(i - 4) * 4 + k - 3] : "")
          << i << " " << k;
      EXPECT_EQ(at(points.read<std::string>(), i, k), i == 2 && k == 3 ? texts[1] : "");
      EXPECT_EQ(at(nothing.read<std::string>(), i, k), "");
    }
  f.close();
}

TEST_F(VariableTest, IndependentWrites) {
  const auto ranks = static_cast<std::uint64_t>(size());
  File f = create(path(), {}, {});
  Group root = f.root();
  const Shape shape{100 * ranks};
  Dataset contiguous = root.create_dataset(
      "contiguous", {.type = kText, .space = shape, .options = {.layout = Layout::contiguous}});
  Dataset compact = root.create_dataset(
      "compact", {.type = kText, .space = shape, .options = {.layout = Layout::compact}});
  Dataset chunked = root.create_dataset(
      "chunked", {.type = kText,
                  .space = shape,
                  .options = {.chunk = {100}, .filters = {Filter::deflate(1)}}});
  f.flush();
  const auto me = static_cast<std::uint64_t>(rank());
  std::vector<std::string> mine;
  for (std::uint64_t i = 100 * me; i < 100 * (me + 1); ++i) mine.push_back(text_of(i, 1));
  const Hyperslab part{{100 * me}, {100}};
  // The ranks do not write everywhere.
  contiguous.write(mine, part);
  if (rank() != 1) compact.write(mine, part);
  if (rank() == last()) chunked.write(mine, part);
  Dataset removed = root.create_dataset("removed", {kText, Shape{100}});
  removed.write(mine);
  root.remove("removed");
  f.flush();
  const auto expect = [&](const Group& group) {
    const auto all = all_texts(100 * ranks, 1);
    EXPECT_EQ(group.open_dataset("contiguous").read<std::string>(), all);
    auto found = group.open_dataset("compact").read<std::string>();
    for (std::uint64_t i = 0; i < all.size(); ++i) EXPECT_EQ(found[i], i / 100 == 1 ? "" : all[i]);
    found = group.open_dataset("chunked").read<std::string>();
    for (std::uint64_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(found[i], i / 100 + 1 == ranks ? all[i] : "");
  };
  expect(root);
  // Collective writes come after earlier independent ones.
  contiguous.write(std::vector<std::string>(100, "before"), part);
  contiguous.write_all(mine, part);
  f.close();
  f = File::open(path());
  expect(f.root());
  f.close();
  if (rank() == 0)
    for (const Finding& found : check_file(path(), {.data = true}).findings)
      ADD_FAILURE() << found.what;
}

TEST_F(VariableTest, ChangedAgainAndAgainTakesNoMoreSpace) {
  const auto ranks = static_cast<std::uint64_t>(size());
  const auto me = static_cast<std::uint64_t>(rank());
  File f = create(path(), {}, {});
  const auto make = [&](const char* name, const DatasetOptions& options) {
    return f.root().create_dataset(name,
                                   {.type = kText, .space = Shape{ranks + 1}, .options = options});
  };
  std::vector<Dataset> all{make("contiguous", {.layout = Layout::contiguous}),
                           make("compact", {.layout = Layout::compact}),
                           make("filtered", {.chunk = {1}, .filters = {Filter::deflate(1)}}),
                           make("chunked", {.chunk = {2}})};
  Dataset appended =
      f.root().create_dataset("appended", {.type = kText,
                                           .space = Dataspace({1}, {Dataspace::kUnlimited}),
                                           .options = {.chunk = {100}}});
  f.flush();
  const Hyperslab mine{{me}, {1}};
  constexpr int kSteps = 150;
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<std::string> text{text_of(me, step)};
    for (Dataset& x : all) step % 3 == 0 ? x.write_all(text, mine) : x.write(text, mine);
    f.flush();
  }
  // Values that stay keep the collections that they share with others.
  for (int step = 0; step < kSteps; ++step) {
    appended.resize({static_cast<std::uint64_t>(step) + 1});
    if (rank() == step % size())
      appended.write(std::vector<std::string>{fmt::format("step {}", step)},
                     Hyperslab{{static_cast<std::uint64_t>(step)}, {1}});
    f.flush();
  }
  f.close();
  f = File::open(path());
  for (const char* name : {"contiguous", "compact", "filtered", "chunked"}) {
    const auto texts = f.root().open_dataset(name).read<std::string>();
    for (std::uint64_t i = 0; i < ranks; ++i) EXPECT_EQ(texts[i], text_of(i, kSteps - 1)) << name;
  }
  const auto steps = f.root().open_dataset("appended").read<std::string>();
  for (int step = 0; step < kSteps; ++step)
    EXPECT_EQ(steps[static_cast<std::size_t>(step)], fmt::format("step {}", step));
  f.close();
  for (const Finding& found : check_file(path(), {.data = true}).findings)
    ADD_FAILURE() << found.what;
  // With the overwritten values the file would be more than twice as large.
  EXPECT_LT(std::filesystem::file_size(path()), 60'000U + 12'000U * ranks);
}

TEST_F(VariableTest, WhatSeveralRanksOverwriteIsFreedOnce) {
  File f = create(path(), {}, {});
  constexpr std::size_t kCount = 20;
  std::array<std::vector<std::string>, 3> expected;
  std::vector<Dataset> all;
  for (std::vector<std::string>& texts : expected) {
    texts.assign(kCount, "");
    all.push_back(f.root().create_dataset(fmt::format("x{}", all.size()), {kText, Shape{kCount}}));
  }
  f.flush();
  std::mt19937 random(1);
  for (int step = 0; step < 200; ++step) {
    const std::size_t which = random() % all.size();
    Dataset& x = all[which];
    // Some or all texts change. They are so large that each fills a collection.
    const std::size_t first = random() % 2 * (random() % kCount);
    const std::vector<std::string> texts(kCount - first,
                                         fmt::format("{:>{}}", step, 4000 + random() % 200));
    std::ranges::copy(texts, expected[which].begin() + static_cast<std::ptrdiff_t>(first));
    const Hyperslab part{{first}, {texts.size()}};
    const Hyperslab last{{kCount - 1}, {1}};
    if (random() % 2 != 0) {
      if (rank() == 0) x.write(texts, part);
    } else if (rank() == static_cast<int>(random() % static_cast<unsigned>(size()))) {
      x.write_all(texts, part);
    } else {
      x.write_all(std::vector<std::string>{texts.back()}, last);
    }
    f.flush();
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(all[i].read<std::string>(), expected[i]) << "step " << step;
    barrier();
  }
  f.close();
  for (const Finding& found : check_file(path(), {.data = true}).findings)
    ADD_FAILURE() << found.what;
  f = File::open(path());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(f.root().open_dataset(fmt::format("x{}", i)).read<std::string>(), expected[i]);
  f.close();
}

TEST_F(VariableTest, WhatAllRanksWriteIsStoredOnce) {
  File f = create(path(), {}, {});
  const std::vector<std::string> texts(2000, std::string(100, 'x'));
  Dataset x = f.root().create_dataset("x", {kText, Shape{texts.size()}});
  for (int step = 0; step < 5; ++step) {
    step % 2 == 0 ? x.write_all(texts) : x.write_equal(texts);
    f.flush();
  }
  f.close();
  // Two copies alternate: values to which the file on disk refers stay until the next flush.
  EXPECT_LT(std::filesystem::file_size(path()), 700'000U);
  EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::string>(), texts);
}

TEST_F(VariableTest, OneRankIsWrong) {
  File f = create(path(), {}, {});
  Dataset x = f.root().create_dataset("x", {kText, Shape{10}});
  const std::vector<std::string> texts(rank() == last() ? 3 : 10, "text");
  EXPECT_EQ(thrown_by([&] { x.write_all(texts); }).code(), ErrorCode::invalid_argument);
  NewValues values;
  auto elements = values.strings(kText, std::vector<std::string>(10, "text"));
  if (rank() == last()) elements[15] = std::byte{99};
  EXPECT_EQ(thrown_by([&] { x.write_all(elements, {.values = &values}); }).code(),
            ErrorCode::invalid_argument);
  x.write_all(std::vector<std::string>(rank() == 0 ? 10 : 0, "text"),
              rank() == 0 ? Selection() : Selection::none());
  f.flush();
  EXPECT_EQ(x.read<std::string>(), std::vector<std::string>(10, "text"));
  f.close();
}

TEST_F(VariableTest, DifferentDatasets) {
  File f = create(path(), {}, {});
  Dataset x = f.root().create_dataset("x", {kText, Shape{10}});
  Dataset y = f.root().create_dataset("y", {10}, std::vector<std::int32_t>(10));
  const std::vector<std::string> texts(10, "text");
  const auto write = [&] {
    if (rank() == 0)
      x.write_all(texts);
    else
      x.write_all(std::vector<std::byte>(), Selection::none());
  };
  write();
  f.flush();
  EXPECT_EQ(x.read<std::string>(), texts);
  if (size() > 1) {
    NewValues values;
    const auto elements = values.strings(kText, texts);
    const std::vector<std::int32_t> numbers(10);
    EXPECT_EQ(thrown_by([&] {
                if (rank() == 0)
                  x.write_all(elements, {.values = &values});
                else
                  y.write_all(numbers);
              }).code(),
              ErrorCode::diverged);
  }
  f.close();
}

TEST_F(VariableTest, CopiesOfReferencedObjects) {
  File f = create(path(), {}, {});
  Group root = f.root();
  root.create_dataset("x", {10}, std::vector<std::int32_t>(10, 7));
  NewValues values;
  const Datatype to_object = Datatype::reference();
  std::vector<std::byte> element(to_object.size());
  const Reference to_x = root.open_dataset("x").reference();
  values.reference(to_object, to_x, element);
  root.create_dataset("copied/r", {.type = to_object,
                                   .space = Dataspace({1}),
                                   .data = element,
                                   .options = {.layout = Layout::contiguous},
                                   .values = &values});
  f.flush();
  root.copy(root.open_group("copied"), "copy", {.expand_references = true});
  f.flush();
  const Dataset r = root.open_dataset("copy/r");
  const Reference led = VariableValues(r).reference(to_object, r.read<std::byte>());
  EXPECT_NE(led.address, to_x.address);
  EXPECT_EQ(root.open_dataset(led).read<std::int32_t>(), std::vector<std::int32_t>(10, 7));
  EXPECT_EQ(root.open_object(led).path(), fmt::format("/~obj_pointed_by_{}", *to_x.address));
  f.close();
}

TEST_F(VariableTest, CopiesOfReferencesThatOneRankHasNotStoredYet) {
  File f = create(path(), {}, {});
  Group root = f.root();
  const Datatype to_object = Datatype::reference();
  const auto element = [&](const char* name) {
    NewValues values;
    std::vector<std::byte> bytes(to_object.size());
    values.reference(to_object, root.open_dataset(name).reference(), bytes);
    return bytes;
  };
  for (const char* name : {"x", "y"}) root.create_dataset(name, {1}, std::vector<int>{7});
  f.flush();
  const DatasetDescription filtered{.type = to_object,
                                    .space = Dataspace({2}),
                                    .data = {},
                                    .options = {.chunk = {1}, .filters = {Filter::deflate(1)}}};
  // What one rank wrote by itself is not copied.
  Dataset own = root.create_dataset("own/r", filtered);
  const auto write_first = [&] {
    if (rank() == 0)
      own.write_all(element("x"), {.part = Hyperslab{{0}, {1}}});
    else
      own.write_all(std::vector<std::byte>(), {.part = Selection::none()});
  };
  write_first();
  if (rank() == last()) own.write(element("y"), {.part = Hyperslab{{1}, {1}}});
  if (size() > 1) {
    root.copy(root.open_group("own"), "copy of own", {.expand_references = true});
    f.flush();
    EXPECT_EQ(root.links().size(), 5U);
  }
  // What rank 0 keeps for all is not copied either, whatever call followed.
  DatasetDescription first = filtered;
  const auto both = [&] {
    auto bytes = element("x");
    std::ranges::copy(element("y"), std::back_inserter(bytes));
    return bytes;
  }();
  first.data = both;
  root.create_dataset("first/r", first);
  write_first();
  const auto copy = [&] {
    root.copy(root.open_group("first"), "copy of first", {.expand_references = true});
  };
  if (size() > 1) {
    EXPECT_EQ(same_error(copy).code(), ErrorCode::state);
  }
  f.flush();
  if (size() == 1) copy();
  f.close();
}

TEST_F(VariableTest, ReferencesToNewObjects) {
  File f = create(path(), {}, {});
  Group root = f.root();
  Group group = root.create_group("group");
  NewValues values;
  const Datatype to_object = Datatype::reference();
  std::vector<std::byte> element(8);
  values.reference(to_object, group.reference(), element);
  root.set_attribute("object", to_object, Dataspace(), element, values);
  f.close();
  f = File::open(path());
  VariableValues found(f.root());
  const Reference reference = found.reference(to_object, f.root().attribute("object").bytes());
  EXPECT_EQ(f.root().open_group(reference).path(), "/group");
  f.close();
  if (size() == 1) return;
  f = create(path("diverging.h5"), {}, {});
  Group only_here = f.root().create_group("group");
  if (rank() == 0) (void)only_here.reference();
  EXPECT_EQ(thrown_by([&] { f.flush(); }).code(), ErrorCode::diverged);
  thrown_by([&] { f.close(); });
}

}  // namespace
}  // namespace onecast::test
