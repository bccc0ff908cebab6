// Copies of objects within a file and between files
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "onecast/objects/details.hpp"
#include "onecast/onecast.hpp"
#include "support/disk.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::thrown_by;

using Names = std::vector<std::string>;

class CopyTest : public testing::Test {
 protected:
  static std::vector<int> count_up(std::size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }
  static Names names(const Group& group) {
    Names found;
    for (const Link& link : group.links()) found.emplace_back(link.name);
    return found;
  }
  void reopen_target() {
    target_.close();
    target_ = disk_.open("target.h5", Access::read_write);
  }
  /// Opens the source again, for reading only.
  void reopen_source() {
    source_.close();
    source_ = disk_.open("source.h5", Access::read_only);
  }
  static std::uint32_t links_to(const Object& object) { return details_of(object).reference_count; }

  test::SoundDisk disk_;
  File source_ = disk_.create("source.h5");
  File target_ = disk_.create("target.h5");
  Group from_ = source_.root();
};

TEST_F(CopyTest, WithinTheFile) {
  from_.create_group("a/empty").set_attribute("n", 7);
  from_.create_dataset("a/x", {3}, count_up(3));
  from_.copy(from_.open_group("a"), "b/copy");
  const std::vector<int> others{7, 8, 9};
  from_.open_dataset("a/x").write_equal(std::as_bytes(std::span(others)));
  reopen_source();
  from_ = source_.root();
  EXPECT_EQ(names(from_.open_group("b/copy")), (Names{"empty", "x"}));
  EXPECT_EQ(from_.open_group("b/copy/empty").attribute("n").read<int>(), std::vector<int>{7});
  EXPECT_EQ(from_.open_dataset("b/copy/x").read<int>(), count_up(3));
  EXPECT_EQ(from_.open_dataset("a/x").read<int>(), others);
}

TEST_F(CopyTest, IntoItself) {
  from_.create_group("a/inner");
  from_.copy(from_.open_group("a"), "a/inner/a");
  EXPECT_EQ(names(from_.open_group("a/inner")), Names{"a"});
  EXPECT_EQ(names(from_.open_group("a/inner/a")), Names{"inner"});
  EXPECT_TRUE(names(from_.open_group("a/inner/a/inner")).empty());
}

TEST_F(CopyTest, OneObjectOfSeveralLinksIsCopiedOnce) {
  from_.create_dataset("a/x", {3}, count_up(3));
  from_.create_hard_link("a/b/again", from_.open_object("a/x"));
  from_.create_hard_link("outside", from_.open_object("a/x"));
  target_.root().copy(from_.open_object("a"), "a");
  for (int round = 0; round < 2; ++round) {
    const Group a = target_.root().open_group("a");
    EXPECT_TRUE(a.open_object("x").same_object(a.open_object("b/again")));
    EXPECT_EQ(links_to(a.open_object("x")), 2U);
    reopen_target();
  }
}

TEST_F(CopyTest, Cycles) {
  from_.create_group("a/b/c");
  from_.create_hard_link("a/b/c/up", from_.open_object("a"));
  from_.create_hard_link("a/root", from_);
  target_.root().copy(from_.open_object("a/b"), "b");
  reopen_target();
  const Group b = target_.root().open_group("b");
  EXPECT_TRUE(b.open_object("c/up/b").same_object(b));
  EXPECT_TRUE(b.open_object("c/up/root/a/b").same_object(b));
}

TEST_F(CopyTest, AllMembersWithCyclesToTheRoot) {
  from_.set_attribute("text", "of the root");
  from_.create_dataset("x", {3}, count_up(3));
  from_.create_hard_link("a/root", from_);
  target_.root().copy_members(from_);
  reopen_target();
  const Group root = target_.root();
  EXPECT_EQ(names(root), (Names{"x", "a"}));
  EXPECT_TRUE(root.open_object("a/root").same_object(root));
  EXPECT_EQ(root.attribute("text").read<std::string>(), Names{"of the root"});
  EXPECT_EQ(thrown_by([&] { target_.root().copy_members(from_); }).code(),
            ErrorCode::already_exists);
}

TEST_F(CopyTest, Links) {
  from_.create_dataset("a/x", {3}, count_up(3));
  from_.create_soft_link("a/soft", "x");
  from_.create_soft_link("a/dangling", "nowhere");
  from_.create_external_link("a/external", "other.h5", "/there");
  target_.root().copy(from_.open_object("a"), "plain");
  CopyOptions expanding;
  expanding.expand_soft = true;
  target_.root().copy(from_.open_object("a"), "expanded", expanding);
  reopen_target();
  const auto kinds = [&](const char* path) {
    std::vector<LinkKind> found;
    for (const Link& link : target_.root().open_group(path).links()) found.push_back(link.kind);
    return found;
  };
  using enum LinkKind;
  EXPECT_EQ(kinds("plain"), (std::vector{hard, soft, soft, external}));
  EXPECT_EQ(kinds("expanded"), (std::vector{hard, hard, soft, external}));
  const Group expanded = target_.root().open_group("expanded");
  EXPECT_TRUE(expanded.open_object("soft").same_object(expanded.open_object("x")));
  EXPECT_EQ(target_.root().open_group("plain").links().at(3).target_file, "other.h5");
}

TEST_F(CopyTest, ShallowAndWithoutAttributes) {
  from_.create_dataset("a/b/x", {3}, count_up(3));
  from_.open_group("a/b").set_attribute("n", 1);
  from_.open_group("a").set_attribute("n", 2);
  CopyOptions options;
  options.shallow = true;
  target_.root().copy(from_.open_object("a"), "shallow", options);
  EXPECT_EQ(names(target_.root().open_group("shallow")), Names{"b"});
  EXPECT_TRUE(names(target_.root().open_group("shallow/b")).empty());
  EXPECT_TRUE(target_.root().open_group("shallow/b").has_attribute("n"));
  options = {};
  options.without_attributes = true;
  target_.root().copy(from_.open_object("a"), "bare", options);
  EXPECT_EQ(target_.root().open_dataset("bare/b/x").read<int>(), count_up(3));
  EXPECT_FALSE(target_.root().open_group("bare/b").has_attribute("n"));
}

TEST_F(CopyTest, ManyAttributesAndLinks) {
  for (int i = 0; i < 200; ++i) {
    from_.set_attribute(fmt::format("attribute {}", i), i);
    from_.create_group(fmt::format("many/{}", i));
  }
  target_.root().copy_members(from_);
  reopen_target();
  EXPECT_EQ(target_.root().attributes().size(), 200U);
  EXPECT_EQ(names(target_.root().open_group("many")), names(from_.open_group("many")));
}

TEST_F(CopyTest, TrackedOrders) {
  const auto fill = [](Group group) {
    for (const char* name : {"b", "a"}) {
      group.create_group(name);
      group.set_attribute(name, 1);
    }
  };
  for (const bool links : {false, true})
    for (const bool attributes : {false, true}) {
      const std::string name = fmt::format("{}{}", links, attributes);
      fill(from_.create_group(name, {links, attributes}));
      DatasetOptions options;
      options.attribute_order = attributes;
      from_.create_dataset(name + "/x", {3}, count_up(3), options);
    }
  target_.root().copy(from_, "all");
  reopen_target();
  for (const bool links : {false, true})
    for (const bool attributes : {false, true}) {
      const Group copy = target_.root().open_group(fmt::format("all/{}{}", links, attributes));
      EXPECT_EQ(copy.tracks_link_order(), links);
      EXPECT_EQ(copy.tracks_attribute_order(), attributes);
      EXPECT_EQ(copy.open_dataset("x").tracks_attribute_order(), attributes);
      EXPECT_EQ(names(copy), links ? (Names{"b", "a", "x"}) : (Names{"a", "b", "x"}));
      EXPECT_EQ(copy.attributes().front().name(), attributes ? "b" : "a");
    }
}

/// Returns elements for references to objects.
std::vector<std::byte> references(NewValues& values, const std::vector<Object>& objects) {
  const Datatype type = Datatype::reference();
  std::vector<std::byte> elements(objects.size() * type.size());
  for (std::size_t i = 0; i < objects.size(); ++i)
    values.reference(type, objects[i].reference(),
                     std::span(elements).subspan(i * type.size(), type.size()));
  return elements;
}

TEST_F(CopyTest, ObjectsToWhichReferencesLead) {
  Group copied = from_.create_group("copied");
  Group other = from_.create_group("other");
  other.create_dataset("x", {3}, count_up(3));
  NewValues values;
  const Datatype type = Datatype::reference();
  const std::uint64_t address = *other.reference().address;
  other.set_attribute("back", type, {}, references(values, {copied}), values);
  const auto elements = references(values, {other, copied});
  copied.create_dataset("r", {.type = type,
                              .space = Dataspace({2}),
                              .data = elements,
                              .options = {.chunk = {1}},
                              .values = &values});
  Group root = target_.root();
  root.copy(copied, "unset");
  root.copy(copied, "copy", {.expand_references = true});
  const auto led_to = [&](const Object& object, const std::vector<std::byte>& bytes,
                          std::size_t i) {
    return VariableValues(object).reference(type, std::span(bytes).subspan(i * 8, 8));
  };
  const std::string name = fmt::format("~obj_pointed_by_{}", address);
  const auto unset = root.open_dataset("unset/r");
  EXPECT_FALSE(led_to(unset, unset.read<std::byte>(), 0).address);
  const auto r = root.open_dataset("copy/r");
  const auto bytes = r.read<std::byte>();
  EXPECT_TRUE(root.open_object(led_to(r, bytes, 0)).same_object(root.open_group(name)));
  EXPECT_TRUE(root.open_object(led_to(r, bytes, 1)).same_object(root.open_group("copy")));
  const Group found = root.open_group(name);
  EXPECT_EQ(found.open_dataset("x").read<int>(), count_up(3));
  EXPECT_TRUE(root.open_object(led_to(found, found.attribute("back").read<std::byte>(), 0))
                  .same_object(root.open_group("copy")));
  const Names before = names(root);
  EXPECT_EQ(thrown_by([&] { root.copy(copied, "again", {.expand_references = true}); }).code(),
            ErrorCode::already_exists);
  EXPECT_EQ(names(root), before);
}

TEST_F(CopyTest, ReferencesInFewChunksOfManyAreFoundAtOnce) {
  Group copied = from_.create_group("copied");
  const Group other = from_.create_group("other");
  const Group last = from_.create_group("last");
  NewValues values;
  const Datatype type = Datatype::reference();
  const std::uint64_t address = *other.reference().address;
  constexpr std::uint64_t kMany = 1'000'000'000'000;
  Dataset r = copied.create_dataset(
      "r",
      {.type = type, .space = Dataspace({kMany}), .options = {.chunk = {std::uint64_t{1} << 20U}}});
  r.write(references(values, {other}), {.part = Hyperslab{{7}, {1}}, .values = &values});
  r.write(references(values, {last}), {.part = Hyperslab{{kMany - 1}, {1}}, .values = &values});
  target_.root().copy(copied, "copy", {.expand_references = true});
  EXPECT_EQ(names(target_.root()),
            (Names{"copy", fmt::format("~obj_pointed_by_{}", address),
                   fmt::format("~obj_pointed_by_{}", *last.reference().address)}));
  EXPECT_EQ(target_.root().open_dataset("copy/r").storage_size(), std::uint64_t{2} << 23U);
}

TEST_F(CopyTest, ObjectsToWhichAFillValueLeads) {
  const Group other = from_.create_group("other");
  NewValues values;
  const auto fill = references(values, {other});
  from_.create_dataset("copied/r", {.type = Datatype::reference(),
                                    .space = Dataspace({10}),
                                    .options = {.chunk = {2}, .fill_value = fill},
                                    .values = &values});
  Group root = target_.root();
  root.copy(from_.open_group("copied"), "copy", {.expand_references = true});
  const Dataset r = root.open_dataset("copy/r");
  const auto bytes = r.read<std::byte>();
  const Reference led = VariableValues(r).reference(r.datatype(), std::span(bytes).first(8));
  EXPECT_EQ(root.open_object(led).path(),
            fmt::format("/~obj_pointed_by_{}", *other.reference().address));
}

TEST_F(CopyTest, ChunksLargerThanTheDatasetAreNotMade) {
  from_.create_dataset("x", {3}, count_up(3));
  CopyOptions options;
  options.storage["x"].chunk = {4};
  EXPECT_EQ(thrown_by([&] { target_.root().copy_members(from_, options); }).code(),
            ErrorCode::invalid_argument);
  EXPECT_TRUE(names(target_.root()).empty());
}

/// The storage of the source, and the expected storage of the copy.
struct CopyCase {
  const char* name;
  DatasetOptions source;
  std::optional<StorageChange> change;
  Layout expected;
  std::size_t filters;
};

void PrintTo(const CopyCase& c, std::ostream* out) { *out << c.name; }

class CopiedStorageTest : public CopyTest, public testing::WithParamInterface<CopyCase> {};

TEST_P(CopiedStorageTest, ElementsAreEqual) {
  const CopyCase& c = GetParam();
  const Shape shape{37, 53};
  const std::vector<int> values = count_up(37 * 53);
  from_.create_dataset("x", shape, values, c.source);
  CopyOptions options;
  if (c.change) options.storage[""] = *c.change;
  // Data that the source's file does not have yet is copied, too.
  for (const char* name : {"early", "late"}) {
    target_.root().copy(source_.root().open_object("x"), name, options);
    const Dataset copy = target_.root().open_dataset(name);
    EXPECT_EQ(copy.read<int>(), values);
    EXPECT_EQ(copy.layout(), c.expected);
    EXPECT_EQ(storage_of(copy).filters.size(), c.filters);
    reopen_source();
  }
  reopen_target();
  EXPECT_EQ(target_.root().open_dataset("early").read<int>(), values);
  EXPECT_EQ(target_.root().open_dataset("late").read<int>(), values);
}

const DatasetOptions kChunks{{}, {10, 20}, {}, {}};
const DatasetOptions kDeflated{{}, {10, 20}, {Filter::shuffle(), Filter::deflate(4)}, {}};
const DatasetOptions kScaled{{}, {10, 20}, {Filter::scale_offset()}, {}};

INSTANTIATE_TEST_SUITE_P(
    All, CopiedStorageTest,
    testing::Values(
        CopyCase{"contiguous", {}, {}, Layout::contiguous, 0},
        CopyCase{"compact", {Layout::compact, {}, {}, {}}, {}, Layout::compact, 0},
        CopyCase{"chunked", kChunks, {}, Layout::chunked, 0},
        CopyCase{"filtered", kDeflated, {}, Layout::chunked, 2},
        CopyCase{"unfiltered", kDeflated, StorageChange{{}, {}, std::vector<Filter>{}},
                 Layout::chunked, 0},
        CopyCase{"filters_by_chunk", kScaled, StorageChange{{}, {7, 53}, {}}, Layout::chunked, 1},
        CopyCase{"rechunked", kChunks, StorageChange{{}, {37, 1}, {}}, Layout::chunked, 0},
        CopyCase{"chunked_and_filtered",
                 {},
                 StorageChange{{}, {}, std::vector{Filter::deflate(1)}},
                 Layout::chunked,
                 1},
        CopyCase{"made_contiguous", kDeflated, StorageChange{Layout::contiguous, {}, {}},
                 Layout::contiguous, 0},
        CopyCase{"made_compact", kDeflated, StorageChange{Layout::compact, {}, {}}, Layout::compact,
                 0}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_F(CopyTest, SparseDatasetsStaySparse) {
  DatasetOptions options{{}, {100}, {}, {}};
  const int fill = 5;
  const auto bytes = std::as_bytes(std::span(&fill, 1));
  options.fill_value.emplace(bytes.begin(), bytes.end());
  Dataset x =
      from_.create_dataset("x", {.type = Datatype::of<int>(),
                                 .space = Dataspace({1'000'000'000'000}, {Dataspace::kUnlimited}),
                                 .options = options});
  const Hyperslab some{{999'999'999'990}, {10}};
  x.write(count_up(10), some);
  source_.flush();
  target_.root().copy(x, "same");
  CopyOptions rechunking;
  rechunking.storage[""] = {{}, {64}, std::vector{Filter::deflate(1)}};
  target_.root().copy(x, "other", rechunking);
  reopen_target();
  for (const char* name : {"same", "other"}) {
    const Dataset copy = target_.root().open_dataset(name);
    EXPECT_EQ(copy.dataspace(), x.dataspace());
    std::vector<int> values(10);
    copy.read(std::as_writable_bytes(std::span(values)), some);
    EXPECT_EQ(values, count_up(10));
    copy.read(std::as_writable_bytes(std::span(values)), Hyperslab{{500}, {10}});
    EXPECT_EQ(values, std::vector<int>(10, fill));
  }
  EXPECT_LT(disk_.bytes("target.h5").size(), 20'000U);
}

TEST_F(CopyTest, StorageChangesByAnyPath) {
  from_.create_dataset("a/x", {2000}, count_up(2000));
  from_.create_hard_link("b/x", from_.open_object("a/x"));
  CopyOptions options;
  options.storage["b/x"] = {Layout::chunked, {100}, {}};
  target_.root().copy_members(from_, options);
  EXPECT_EQ(target_.root().open_dataset("a/x").chunk_shape(), Shape{100});
}

TEST_F(CopyTest, ChunksOfADatasetThatShrank) {
  const std::vector<int> values = count_up(100);
  Dataset x = from_.create_dataset("y", {.type = Datatype::of<int>(),
                                         .space = Dataspace({100}, {200}),
                                         .data = std::as_bytes(std::span(values)),
                                         .options = {{}, {30}, {Filter::deflate(1)}, {}}});
  source_.flush();
  x.resize({40});
  target_.root().copy(x, "y");
  Dataset y = target_.root().open_dataset("y");
  y.resize({50});
  std::vector<int> expected = count_up(40);
  expected.resize(50);
  EXPECT_EQ(y.read<int>(), expected);
  reopen_target();
  EXPECT_EQ(target_.root().open_dataset("y").read<int>(), expected);
}

TEST_F(CopyTest, NothingChangesIfSomethingCannotBe) {
  from_.create_dataset("a/x", {3}, count_up(3));
  CopyOptions options;
  options.storage["x"] = {Layout::chunked, {1, 2, 3}, {}};
  const auto copy = [&](const char* path) {
    target_.root().copy(from_.open_object("a"), path, options);
  };
  EXPECT_EQ(thrown_by([&] { copy("new/a"); }).code(), ErrorCode::invalid_argument);
  options.storage.clear();
  options.storage["y"] = {Layout::compact, {}, {}};
  EXPECT_EQ(thrown_by([&] { copy("new/a"); }).code(), ErrorCode::not_found);
  EXPECT_TRUE(target_.root().links().empty());
  options = {};
  copy("a");
  EXPECT_EQ(thrown_by([&] { copy("a"); }).code(), ErrorCode::already_exists);
  EXPECT_EQ(thrown_by([&] {
              source_.close();
              copy("b");
            }).code(),
            ErrorCode::state);
}

TEST_F(CopyTest, ProgressAndRemovingTheCopy) {
  from_.create_dataset("x", {2000}, count_up(2000));
  from_.create_dataset("y", {2000}, count_up(2000), {{}, {100}, {}, {}});
  std::uint64_t last = 0, total = 0;
  CopyOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t all) {
    EXPECT_GT(done, last);
    last = done;
    total = all;
  };
  target_.root().copy(from_, "all", options);
  EXPECT_EQ(last, 16000U);
  EXPECT_EQ(total, 16000U);
  target_.flush();
  target_.root().remove("all");
  reopen_target();
  EXPECT_TRUE(target_.root().links().empty());
}

}  // namespace
}  // namespace onecast
