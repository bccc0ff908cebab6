// Independent sections: one list of items, dealt to any number of ranks in rows, leaves the same
// bytes.
#include <functional>

#include "independent_support.hpp"
#include "objects/files/file_access.hpp"
#include "support/file_states.hpp"

namespace onecast::test {
namespace {

class IndependentBytesTest : public IndependentTest {
 protected:
  /// The function that a rank calls for item `i` of the list.
  using Make = std::function<void(Group root, int i)>;
  using Steps = std::vector<Make>;

  static std::string name(const char* kind, int i) { return fmt::format("{} {}", kind, i); }

  static std::vector<std::string> texts(std::uint64_t count, int seed) {
    std::vector<std::string> made;
    for (std::uint64_t i = 0; i < count; ++i)
      made.push_back(fmt::format("text {} of {}: {}", i, seed, std::string((i * 7) % 30, 'x')));
    return made;
  }
  static Dataset create_texts(Group group, const std::string& path, std::uint64_t count, int seed,
                              const DatasetOptions& options = {}) {
    NewValues values;
    const auto elements = values.strings(kText, texts(count, seed));
    return group.create_dataset(path, {.type = kText,
                                       .space = Dataspace({count}),
                                       .data = elements,
                                       .options = options,
                                       .values = &values});
  }
  static std::vector<std::int32_t> part_of(const Dataset& x, std::uint64_t first,
                                           std::uint64_t count) {
    std::vector<std::int32_t> found(count);
    x.read(std::as_writable_bytes(std::span(found)), Hyperslab{{first}, {count}});
    return found;
  }
  static DatasetOptions filtered(std::uint64_t chunk) {
    return {.chunk = {chunk}, .filters = {Filter::shuffle(), Filter::deflate(4)}};
  }

  // --- the kinds of items ------------------------------------------------------------------------
  static void make_small(Group root, int i) {
    root.create_dataset(name("small", i), {20}, count_up(20, i));
  }
  static void make_contiguous(Group root, int i) {
    const auto count = static_cast<std::uint64_t>(1500 + 100 * (i % 50));
    root.create_dataset(name("contiguous", i), {count}, count_up(count, i));
  }
  static void make_chunked(Group root, int i) {
    const auto count = static_cast<std::uint64_t>(300 + i);
    root.create_dataset(name("chunked", i), {count}, count_up(count, i), {.chunk = {70}});
  }
  static void make_filtered(Group root, int i) {
    const auto count = static_cast<std::uint64_t>(3000 + i);
    root.create_dataset(name("filtered", i), {count}, count_up(count, i), filtered(500));
  }
  static void make_texts(Group root, int i) {
    create_texts(root, name("texts", i), static_cast<std::uint64_t>(20 + 40 * (i % 50)), i);
    create_texts(root, name("texts in chunks", i), 100, i, {.chunk = {30}});
    create_texts(root, name("texts, filtered", i), 100, i, filtered(30));
  }
  static void make_group(Group root, int i) {
    Group group = root.create_group(name("group", i));
    group.set_attribute("number", i);
    NewValues values;
    const auto elements = values.strings(kText, texts(4, i));
    group.set_attribute("texts", kText, Dataspace({4}), elements, values);
    Group below = group.create_group("below");
    below.create_dataset("contiguous", {2000}, count_up(2000, i));
    below.create_dataset("filtered", {2000}, count_up(2000, i), filtered(300));
    create_texts(below, "texts", 50, i);
    create_texts(below, "many texts", 400, i).set_attribute("made", i);
  }
  /// Creates a group that several ranks need.
  static void make_in_common(Group root, int i) {
    root.create_dataset(fmt::format("common/{}/contiguous", i), {1100}, count_up(1100, i));
    root.create_dataset(fmt::format("common/{}", name("chunked", i)), {100}, count_up(100, i),
                        {.chunk = {9}});
    root.open_group("known").create_dataset(name("contiguous", i), {1200}, count_up(1200, i));
    root.open_group("known").create_dataset(name("filtered", i), {1200}, count_up(1200, i),
                                            filtered(200));
  }
  static void make_dense(Group root, int i) {
    Group dense = root.create_group(name("dense", i));
    for (int k = 0; k < 80; ++k) dense.create_group(name("member", k)).set_attribute("of", i);
    for (int k = 0; k < 20; ++k) dense.set_attribute(name("attribute", k), k + i);
  }
  static void make_parts(Group root, int i) {
    Dataset x = root.create_dataset(name("in parts", i),
                                    {.type = Datatype::of<std::int32_t>(),
                                     .space = Dataspace({5000}, {Dataspace::kUnlimited}),
                                     .options = {.chunk = {64}}});
    const auto write = [&](Dataset& d, std::uint64_t first, std::uint64_t count) {
      const Hyperslab part{{first}, {count}};
      d.write(count_up(part, i), part);
    };
    write(x, 10, 400);
    Dataset y = root.create_dataset(name("filtered in parts", i),
                                    {.type = Datatype::of<std::int32_t>(),
                                     .space = Dataspace({5000}, {Dataspace::kUnlimited}),
                                     .options = [] {
                                       DatasetOptions options = filtered(640);
                                       options.fill_value = bytes_of(std::int32_t{7});
                                       return options;
                                     }()});
    write(y, 100, 700);
    EXPECT_EQ(part_of(y, 798, 4), (std::vector<std::int32_t>{798 + i, 799 + i, 7, 7}));
    for (Dataset* d : {&x, &y}) {
      d->resize({static_cast<std::uint64_t>(300 + i)});
      d->resize({3000});
      write(*d, 2900, 20);
    }
    EXPECT_EQ(part_of(x, 298, 1)[0], 298 + i);
  }
  static void make_filled(Group root, int i) {
    DatasetOptions options{.fill_value = bytes_of(std::int32_t{i + 1})};
    const Dataspace space({3000});
    const Datatype type = Datatype::of<std::int32_t>();
    root.create_dataset(name("filled", i), {.type = type, .space = space, .options = options});
    root.create_dataset(name("filled in part", i),
                        {.type = type, .space = space, .options = options})
        .write(count_up(10, i), Hyperslab{{100}, {10}});
    root.create_dataset(name("never written", i), {type, space});
    NewValues values;
    options.fill_value = values.strings(kText, texts(1, i));
    root.create_dataset(
        name("texts, filled", i),
        {.type = kText, .space = Dataspace({700}), .options = options, .values = &values});
    root.create_dataset(
        name("few texts, filled", i),
        {.type = kText, .space = Dataspace({7}), .options = options, .values = &values});
    options.chunk = {11};
    Dataset some = root.create_dataset(
        name("texts, filled in chunks", i),
        {.type = kText, .space = Dataspace({70}), .options = options, .values = &values});
    some.write(texts(5, i + 100), Hyperslab{{20}, {5}});
  }
  static void make_links(Group root, int i) {
    Group group = root.create_group(name("links", i));
    Dataset one = group.create_dataset("one", {1300}, count_up(1300, i));
    root.create_hard_link(name("hard", i), one);
    group.create_hard_link("known", root.open_group("known"));
    root.create_soft_link(name("soft", i), "known");
    group.create_external_link("external", "elsewhere.h5", "/x");
    group.create_datatype("type", Datatype::of<double>()).set_attribute("number", i);
  }
  static void make_second_thoughts(Group root, int i) {
    root.create_dataset(name("removed", i), {5000}, count_up(5000), filtered(400));
    create_texts(root, name("removed texts", i), 60, i);
    Dataset moved = root.create_dataset(name("moved", i), {1400}, count_up(1400, i));
    moved.write(count_up(5, 9), Hyperslab{{3}, {5}});
    root.remove(name("removed", i));
    root.remove(name("removed texts", i));
    root.move(name("moved", i), fmt::format("at another place/{}", i));
    EXPECT_EQ(moved.read<std::int32_t>()[3], 9);
    root.open_group("known").set_attribute(name("attribute", i), i);
  }
  static void make_elsewhere(Group root, int i) {
    root.create_dataset(name("external", i),
                        {.type = Datatype::of<std::int32_t>(),
                         .space = Dataspace({10}),
                         .options = {.external = {{fmt::format("raw {}.bin", i), 0, 40}}}});
    const VirtualMapping mapping{".", "/known/data", {}, {}};
    root.create_dataset(name("virtual", i), {10}, std::vector<std::int32_t>(),
                        {.sources = {mapping}});
  }

  template <class T>
  static std::vector<std::byte> bytes_of(T value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    return {bytes.begin(), bytes.end()};
  }

  // --- what they have in common ------------------------------------------------------------------
  static void add_datasets(const Group& root, int i, std::vector<Dataset>& found) {
    for (const char* kind : {"small", "contiguous", "chunked", "filtered", "texts",
                             "texts in chunks", "texts, filtered", "filled", "never written"})
      if (root.contains(name(kind, i))) found.push_back(root.open_dataset(name(kind, i)));
  }
  static void change_part(Dataset& x, std::uint64_t first) {
    const Hyperslab part{{first}, {5}};
    if (x.datatype() == kText)
      x.write(texts(5, static_cast<int>(first)), part);
    else
      x.write(count_up(part, 7), part);
  }

  // --- dealing the list --------------------------------------------------------------------------
  /// Deals the list to the first `makers` ranks of `comm`.
  /// @param in_memory the number of bytes that wait in memory; more wait in a temporary file
  static void run(const std::string& path, const Communicator& comm, int makers,
                  const FileOptions& options, std::uint64_t in_memory, const Steps& steps) {
    const auto state = create_state(path, comm, options);
    state->changes().waiting.set_limit(in_memory);
    File f = FileAccess::file(state);
    Group root = f.root();
    root.create_dataset("known/data", {10}, count_up(10));
    f.flush();
    const auto count = static_cast<std::uint64_t>(3 * steps.size());
    const Hyperslab mine =
        comm.rank() < makers ? share(count, comm.rank(), makers) : share(0, 0, 1);
    const auto for_each_of_mine = [&](const auto& each) {
      for (std::uint64_t i = mine.start[0]; i < mine.start[0] + mine.count[0]; ++i)
        each(static_cast<int>(i));
    };
    const auto make = [&](int offset) {
      const auto alone = f.independent();
      for_each_of_mine(
          [&](int i) { steps[static_cast<std::size_t>(i) % steps.size()](root, i + offset); });
    };
    make(0);
    std::vector<Dataset> datasets;
    {
      const auto alone = f.independent();
      for_each_of_mine([&](int i) { add_datasets(root, i, datasets); });
    }
    // Only this rank knows these datasets so far.
    for (Dataset& x : datasets) change_part(x, 3);
    // All ranks create this dataset before they know what some of them created.
    root.create_dataset("of all", {900}, count_up(900), filtered(100));
    f.flush();
    {
      const auto alone = f.independent();
      for (Dataset& x : datasets) change_part(x, 11);
    }
    f.flush();
    // The space of removed objects is used again.
    for (const Link& link : root.links())
      if (link.kind == LinkKind::hard && link.name.ends_with('2') && link.name != "known")
        f.root().remove(std::string(link.name));
    f.flush();
    make(1000);
    f.close();
  }

  void compare(const FileOptions& options, const Steps& steps,
               const std::vector<std::uint64_t>& in_memory = {WaitingSpace::kMostInMemory}) {
    std::string reference;
    for (const std::uint64_t bytes : in_memory) compare(options, steps, bytes, reference);
  }
  void compare(const FileOptions& options, const Steps& steps, std::uint64_t in_memory,
               std::string& reference) {
    for (const int ranks : {1, 2, 3, 4, 7}) {
      if (ranks > size()) break;
      for (int makers = 1; makers <= ranks; ++makers) {
        const std::string file = path(fmt::format("{} of {}.h5", makers, ranks));
        if (const auto comm = first_ranks(ranks))
          run(file, *comm, makers, options, in_memory, steps);
        const std::string bytes = contents(file);
        if (reference.empty()) reference = bytes;
        ASSERT_FALSE(reference.empty());
        std::size_t first = 0;
        while (first < std::min(bytes.size(), reference.size()) && bytes[first] == reference[first])
          ++first;
        EXPECT_TRUE(bytes == reference)
            << makers << " of " << ranks << " ranks: " << bytes.size() << " bytes, not "
            << reference.size() << "; they differ from " << first << " on";
        barrier();
        if (rank() == 0 && ranks > 1 && !HasFailure()) std::filesystem::remove(file);
      }
    }
  }

  static Steps all_kinds() {
    return {make_small, make_contiguous,      make_chunked,  make_filtered, make_texts,
            make_group, make_in_common,       make_dense,    make_parts,    make_filled,
            make_links, make_second_thoughts, make_elsewhere};
  }
};

TEST_F(IndependentBytesTest, WhateverWaitsInMemory) {
  FileOptions options{.page_size = 4096, .compact_total = 1000};
  options.chunk_cache_bytes = 1000;
  compare(options, all_kinds(), {WaitingSpace::kMostInMemory, 3000});
}

TEST_F(IndependentBytesTest, OfEachKind) {
  for (const Make& kind : all_kinds()) compare({.page_size = 4096}, {kind});
}

TEST_F(IndependentBytesTest, OfAllKinds) { compare({.page_size = 4096}, all_kinds()); }

TEST_F(IndependentBytesTest, InTheLatestProfile) {
  compare({.profile = Profile::latest, .page_size = 4096}, all_kinds());
}

TEST_F(IndependentBytesTest, WithoutRoomForCompactData) {
  compare({.page_size = 4096, .compact_total = 1000}, all_kinds());
}

TEST_F(IndependentBytesTest, InStripes) {
  compare({.stripe_size = 16384, .page_size = 4096, .single_writer_stripes = 0}, all_kinds());
}

}  // namespace
}  // namespace onecast::test
