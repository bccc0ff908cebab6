#include "objects/memory/name_index.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <ranges>
#include <string>

namespace onecast {

using namespace memory;

namespace {

/// A table whose names keep their numbers, as NameIndex requires, and which counts how often names
/// are looked up.
class CountedNames {
  // This function comes before its uses, since its type is deduced.
  auto name_at() {
    return [this](std::size_t number) -> std::string_view {
      ++looks_;
      return names_.at(number);
    };
  }

 public:
  void add(const std::string& name) {
    index_.add(name, next_);
    names_[next_++] = name;
  }
  void remove(std::size_t number) {
    index_.remove(names_.at(number), name_at());
    names_.erase(number);
  }
  std::optional<std::size_t> find(const std::string& name) {
    return index_.find(arena_, name, names_ | std::views::keys, name_at());
  }
  [[nodiscard]] std::size_t looks() const { return looks_; }

 private:
  Arena arena_;
  std::map<std::size_t, std::string> names_;
  NameIndex index_;
  std::size_t next_ = 0;
  std::size_t looks_ = 0;
};

TEST(NameIndexTest, RemovingNamesLooksAtFewOthers) {
  CountedNames names;
  constexpr std::size_t kNames = 16'000;
  for (std::size_t i = 0; i < kNames; ++i) names.add(fmt::format("name {}", i));
  for (std::size_t i = 0; i < kNames; ++i) {
    const std::string name = fmt::format("name {}", i);
    ASSERT_EQ(names.find(name), i);
    names.remove(i);
    ASSERT_EQ(names.find(name), std::nullopt);
  }
  EXPECT_LT(names.looks(), 10 * kNames);
}

}  // namespace
}  // namespace onecast
