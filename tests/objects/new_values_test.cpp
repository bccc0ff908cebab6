// Strings and sequences of variable length, and references, are written and read back.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "onecast/check/check.hpp"
#include "onecast/objects/variable_values.hpp"
#include "onecast/onecast.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

const Datatype kText = Datatype::variable_string();
const Datatype kInts = Datatype::sequence(Datatype::of<std::int32_t>());

std::vector<std::string> texts(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::string> all(count);
  for (std::string& t : all) t.assign(random() % 50, static_cast<char>('a' + random() % 26));
  return all;
}

template <class T>
std::vector<T> values_of(const VariableValues::Sequence& s) {
  std::vector<T> values(s.count);
  if (!values.empty()) std::memcpy(values.data(), s.bytes.data(), s.bytes.size());
  return values;
}

class NewValuesTest : public testing::Test {
 protected:
  void expect_clean() const {
    const CheckReport report = check_file(path_, {.data = true});
    for (const Finding& f : report.findings) ADD_FAILURE() << f.what;
  }

  SoundDirectory directory_;
  std::string path_ = (directory_.path() / "file.h5").string();
};

TEST_F(NewValuesTest, StringsInEveryStorage) {
  const auto before = texts(500);
  const auto after = texts(100, 2);
  const auto expect = [&](const Group& root) {
    for (const char* name : {"compact", "contiguous", "chunked", "deflated", "written"}) {
      auto found = root.open_dataset(name).read<std::string>();
      if (std::string_view(name) == "written") {
        for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(found[50 + i], after[i]);
        std::copy(before.begin() + 50, before.begin() + 150, found.begin() + 50);
      }
      EXPECT_EQ(found, before) << name;
    }
    EXPECT_EQ(root.attribute("texts").read<std::string>(), before);
    EXPECT_EQ(root.attribute("text").read<std::string>(), std::vector<std::string>{"Größe"});
  };
  {
    File f = File::create(path_, {.page_size = 4096});
    Group root = f.root();
    NewValues values;
    const auto elements = values.strings(kText, before);
    const Dataspace space({500});
    root.create_dataset("compact", {.type = kText,
                                    .space = space,
                                    .data = elements,
                                    .options = {.layout = Layout::compact},
                                    .values = &values});
    root.create_dataset("contiguous", {.type = kText,
                                       .space = space,
                                       .data = elements,
                                       .options = {.layout = Layout::contiguous},
                                       .values = &values});
    root.create_dataset("chunked", {.type = kText,
                                    .space = space,
                                    .data = elements,
                                    .options = {.chunk = {70}},
                                    .values = &values});
    root.create_dataset(
        "deflated", {.type = kText,
                     .space = space,
                     .data = elements,
                     .options = {.chunk = {70}, .filters = {Filter::shuffle(), Filter::deflate(4)}},
                     .values = &values});
    root.set_attribute("texts", kText, space, elements, values);
    NewValues one;
    const std::vector<std::string> word{"Größe"};
    const auto element = one.strings(kText, word);
    root.set_attribute("text", kText, Dataspace(), element, one);
    Dataset written =
        root.create_dataset("written", {.type = kText, .space = space, .options = {.chunk = {9}}});
    EXPECT_EQ(written.read<std::string>(), std::vector<std::string>(500));
    written.write(before);
    f.flush();
    written.write(after, Hyperslab{{50}, {100}});
    expect(root);
    f.close();
  }
  expect(File::open(path_).root());
  expect_clean();
}

TEST_F(NewValuesTest, OneLongValue) {
  const std::vector<std::string> long_text{std::string(3'000'000, 'x'), "", "short"};
  {
    File f = File::create(path_);
    f.root().create_dataset("x", {kText, Dataspace({3})}).write(long_text);
    EXPECT_EQ(f.root().open_dataset("x").read<std::string>(), long_text);
    f.close();
  }
  EXPECT_EQ(File::open(path_).root().open_dataset("x").read<std::string>(), long_text);
  expect_clean();
}

TEST_F(NewValuesTest, NestedInACompound) {
  const Datatype lists = Datatype::sequence(kInts);
  const Datatype words = Datatype::array(kText, {2});
  const Datatype type = Datatype::compound(
      56, {{"n", 0, Datatype::of<std::int32_t>()}, {"lists", 4, lists}, {"words", 24, words}});
  std::vector<std::byte> elements(2 * type.size());
  NewValues values;
  const std::vector<std::vector<std::int32_t>> stored{{1, 2, 3}, {}, {4}};
  {
    std::vector<std::byte> inner(3 * kInts.size());
    for (std::size_t i = 0; i < 3; ++i)
      values.sequence(kInts, std::as_bytes(std::span(stored[i])),
                      std::span(inner).subspan(i * kInts.size(), kInts.size()));
    const auto second = std::span(elements).subspan(type.size());
    values.sequence(lists, inner, second.subspan(4, 16));
    values.string(kText, "one", second.subspan(24, 16));
    values.string(kText, "", second.subspan(40, 16));
  }
  File file = File::create(path_);
  file.root().create_dataset(
      "x", {.type = type, .space = Dataspace({2}), .data = elements, .values = &values});
  file.close();

  File f = File::open(path_);
  const Dataset x = f.root().open_dataset("x");
  std::vector<std::byte> found(2 * type.size());
  x.read(found);
  VariableValues read(x);
  const auto first = std::span<const std::byte>(found).first(type.size());
  EXPECT_EQ(read.sequence(lists, first.subspan(4, 16)).count, 0U);
  EXPECT_EQ(read.string(kText, first.subspan(24, 16)), "");
  const auto second = std::span<const std::byte>(found).subspan(type.size());
  const auto outer = read.sequence(lists, second.subspan(4, 16));
  ASSERT_EQ(outer.count, 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(values_of<std::int32_t>(read.sequence(kInts, outer.bytes.subspan(i * 16, 16))),
              stored[i]);
  EXPECT_EQ(read.string(kText, second.subspan(24, 16)), "one");
  expect_clean();
}

TEST_F(NewValuesTest, FillValue) {
  NewValues values;
  const std::vector<std::string> word{"nothing"};
  DatasetOptions options{.chunk = {4}, .fill_value = values.strings(kText, word)};
  {
    File f = File::create(path_);
    Dataset x = f.root().create_dataset(
        "x", {.type = kText, .space = Dataspace({10}), .options = options, .values = &values});
    x.write(std::vector<std::string>{"a"}, Hyperslab{{9}, {1}});
    f.close();
  }
  std::vector<std::string> expected(10, "nothing");
  expected[9] = "a";
  EXPECT_EQ(File::open(path_).root().open_dataset("x").read<std::string>(), expected);
  expect_clean();
}

TEST_F(NewValuesTest, References) {
  const Datatype to_object = Datatype::reference(ReferenceKind::object);
  const Datatype to_region = Datatype::reference(ReferenceKind::region);
  {
    File f = File::create(path_, {.page_size = 4096});
    Group root = f.root();
    Group group = root.create_group("group");
    Dataset x = root.create_dataset("x", {4, 5}, std::vector<std::int32_t>(20));
    NewValues values;
    std::vector<std::byte> element(8);
    values.reference(to_object, group.reference(), element);
    root.set_attribute("object", to_object, Dataspace(), element, values);
    element.resize(12);
    values.reference(to_region, x.region_reference(Hyperslab{{1, 2}, {2, 3}}), element);
    root.create_dataset(
        "regions",
        {.type = to_region, .space = Dataspace({1}), .data = element, .values = &values});
    EXPECT_TRUE(root.open_group(group.reference()).same_object(group));
    // This takes far more than the reserved room.
    for (int i = 0; i < 7; ++i)
      group.set_attribute("attribute " + std::to_string(i), std::string(300, 'a'));
    for (int i = 0; i < 100; ++i) group.create_group(std::to_string(i));
    const Reference gone = root.create_group("gone").reference();
    root.remove("gone");
    f.flush();
    EXPECT_TRUE(root.open_object(group.reference()).same_object(group));
    EXPECT_TRUE(gone.address);
  }
  File f = File::open(path_);
  const Group root = f.root();
  VariableValues values(root);
  const Reference reference = values.reference(to_object, root.attribute("object").bytes());
  EXPECT_EQ(root.open_group(reference).path(), "/group");
  EXPECT_EQ(root.open_group(reference).link_count(), 100U);
  const Dataset regions = root.open_dataset("regions");
  std::vector<std::byte> element(12);
  regions.read(element);
  const Reference region = VariableValues(regions).reference(to_region, element);
  EXPECT_EQ(root.open_dataset(region).path(), "/x");
  EXPECT_EQ(values.region(region, 2).digest(), Selection(Hyperslab{{1, 2}, {2, 3}}).digest());
  expect_clean();
}

TEST_F(NewValuesTest, RevisedReferences) {
  const Datatype kind = Datatype::reference(ReferenceKind::revised_object);
  std::vector<Reference> made;
  {
    File f = File::create(path_, {.page_size = 4096});
    Group root = f.root();
    Dataset x = root.create_dataset("group/x", {4, 5}, std::vector<std::int32_t>(20));
    x.set_attribute("unit", "m");
    EXPECT_EQ(thrown_by([&] { (void)x.attribute_reference("none"); }).code(), ErrorCode::not_found);
    made = {root.open_group("group").reference(), x.attribute_reference("unit"),
            x.region_reference(Hyperslab{{1, 2}, {2, 3}}), x.region_reference({}), Reference()};
    NewValues values;
    std::vector<std::byte> elements(made.size() * kind.size());
    for (std::size_t i = 0; i < made.size(); ++i)
      values.reference(kind, made[i], std::span(elements).subspan(i * kind.size(), kind.size()));
    Dataset all = root.create_dataset(
        "all",
        {.type = kind, .space = Dataspace({made.size()}), .data = elements, .values = &values});
    // Reading gives places in the file, except for object references.
    std::vector<std::byte> stored(elements.size());
    all.read(stored);
    EXPECT_EQ(thrown_by([&] { all.write(stored); }).code(), ErrorCode::invalid_argument);
    all.write(std::span(stored).first(kind.size()), Hyperslab{{0}, {1}});
    std::vector<std::byte> element(8);
    EXPECT_EQ(thrown_by([&] {
                values.reference(Datatype::reference(ReferenceKind::object), made[1], element);
              }).code(),
              ErrorCode::invalid_argument);
    f.close();
  }
  File f = File::open(path_);
  const Dataset all = f.root().open_dataset("all");
  std::vector<std::byte> elements(made.size() * kind.size());
  all.read(elements);
  VariableValues values(all);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Reference found =
        values.reference(kind, std::span(elements).subspan(i * kind.size(), kind.size()));
    EXPECT_EQ(found, made[i]);
    if (i > 0 && i < 4) {
      EXPECT_EQ(f.root().open_dataset(found).path(), "/group/x");
    }
  }
  expect_clean();
}

TEST_F(NewValuesTest, CommittedCollectionsStayAsTheyAre) {
  File f = File::create(path_, {.page_size = 4096});
  Dataset x = f.root().create_dataset("x", {kText, Dataspace({100})});
  for (std::uint64_t i = 0; i < 100; ++i) {
    x.write(std::vector<std::string>{std::to_string(i)}, Hyperslab{{i}, {1}});
    f.flush();
  }
  std::vector<std::string> expected;
  for (int i = 0; i < 100; ++i) expected.push_back(std::to_string(i));
  EXPECT_EQ(x.read<std::string>(), expected);
  f.close();
  expect_clean();
}

TEST_F(NewValuesTest, WhatIsWrongIsRefused) {
  File f = File::create(path_);
  Group root = f.root();
  Dataset x = root.create_dataset("x", {kText, Dataspace({2})});
  const std::vector<std::string> two{"a", "b"};
  NewValues values;
  const auto elements = values.strings(kText, two);
  EXPECT_EQ(thrown_by([&] { x.write(elements); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(thrown_by([&] { x.write_all(elements); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(thrown_by([&] {
              root.create_dataset("y", {.type = kText, .space = Dataspace({2}), .data = elements});
            }).code(),
            ErrorCode::invalid_argument);
  EXPECT_FALSE(root.contains("y"));
  x.write(elements, {.values = &values});
  std::vector<std::byte> stored(elements.size());
  x.read(stored);
  // Reading gives places in the file.
  EXPECT_EQ(thrown_by([&] { x.write(stored); }).code(), ErrorCode::invalid_argument);
  auto longer = elements;
  longer[0] = std::byte{9};
  EXPECT_EQ(thrown_by([&] { x.write(longer, {.values = &values}); }).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(thrown_by([&] {
              std::vector<std::byte> element(16);
              values.string(kText, std::string_view("a\0b", 3), element);
            }).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(thrown_by([&] {
              root.create_dataset(
                  "z", {Datatype::reference(ReferenceKind::revised_region), Dataspace({2})});
            }).code(),
            ErrorCode::unsupported);
  EXPECT_EQ(x.read<std::string>(), two);
}

}  // namespace
}  // namespace onecast::test
