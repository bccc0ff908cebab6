// New attributes that are equal take the memory of one; a change of one leaves the others.
#include <span>
#include <string>

#include "objects/files/file_access.hpp"
#include "objects/files/file_state.hpp"
#include "objects/nodes/node.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

const Datatype kLabel = Datatype::string(16);

void label(Object object, std::string_view text, const char* name = "label") {
  std::string padded(text);
  padded.resize(kLabel.size());
  object.set_attribute(name, kLabel, Dataspace(), std::as_bytes(std::span(padded)));
}

std::string label_of(const Group& root, int i, const char* name = "label") {
  const Attribute attribute = root.open_group(std::to_string(i)).attribute(name);
  const std::span<const std::byte> bytes = attribute.bytes();
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

class EqualAttributesTest : public ParallelTest {
 protected:
  static constexpr int kGroups = 12;

  static void add_groups(const File& file, int first) {
    for (int i = first; i < first + kGroups; ++i) {
      Group group = file.root().create_group(std::to_string(i));
      label(group, "Zone_t");
      label(group, i % 2 == 0 ? "even" : "odd", "parity");
    }
  }
  /// Changes, before and after flushes, some of many attributes that are alike.
  static void program(File& file) {
    const auto group = [&](int i) { return file.root().open_group(std::to_string(i)); };
    add_groups(file, 0);
    label(group(1), "Base_t");
    label(group(1), "Wall_t");
    group(2).rename_attribute("label", "other");
    group(3).remove_attribute("label");
    label(group(3), "Zone_t");
    file.flush();
    add_groups(file, kGroups);
    label(group(4), "Zone_t");
    label(group(kGroups + 1), "Data_t");
    label(group(5), "Zone_u");
  }
  static void expect_content(const File& file) {
    for (int i = 0; i < 2 * kGroups; ++i) {
      const std::string expected = i == 1             ? "Wall_t"
                                   : i == kGroups + 1 ? "Data_t"
                                   : i == 5           ? "Zone_u"
                                                      : "Zone_t";
      EXPECT_EQ(label_of(file.root(), i, i == 2 ? "other" : "label"), expected) << i;
      EXPECT_EQ(label_of(file.root(), i, "parity"), i % 2 == 0 ? "even" : "odd") << i;
    }
  }
};

TEST_F(EqualAttributesTest, OneEntryInMemoryServesAll) {
  File file = File::create(path(), world_);
  add_groups(file, 0);
  const auto entry = [&](int i, const char* name) {
    nodes::Node& root = FileAccess::state(file).root();
    return root.find_link(std::to_string(i))->node->attributes().find(name);
  };
  for (int i = 1; i < kGroups; ++i) {
    EXPECT_EQ(entry(i, "label") == entry(0, "label"), size() > 1) << i;
    EXPECT_EQ(entry(i, "parity") == entry(0, "parity"), size() > 1 && i % 2 == 0) << i;
  }
  label(file.root().open_group("1"), "Zone_u");
  EXPECT_NE(entry(1, "label"), entry(0, "label"));
  file.close();
}

TEST_F(EqualAttributesTest, AChangeOfOneLeavesTheOthers) {
  if (rank() == 0) {
    File file = File::create(path("expected.h5"));
    program(file);
    file.close();
  }
  File file = File::create(path(), world_);
  program(file);
  expect_content(file);
  file.close();
  barrier();
  expect_content(File::open(path()));
  EXPECT_TRUE(contents(path()) == contents(path("expected.h5")));
}

TEST_F(EqualAttributesTest, OnesThatWereGivenUpAreNotUsedAgain) {
  File file = File::create(path(), world_);
  add_groups(file, 0);
  file.rollback();
  program(file);
  file.flush();
  label(file.root().open_group("1"), "Nothing");
  add_groups(file, 2 * kGroups);
  file.rollback();
  expect_content(file);
  EXPECT_FALSE(file.root().contains(std::to_string(2 * kGroups)));
  file.close();
  barrier();
  expect_content(File::open(path()));
}

}  // namespace
}  // namespace onecast::test
