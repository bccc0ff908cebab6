#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/disk.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

/// Handles that a program sets later.
struct Holder {
  File file;
  Group group;
  Dataset dataset;
};

template <class Call>
void expect_empty(Call&& call) {
  const Error error = thrown_by(call);
  EXPECT_EQ(error.code(), ErrorCode::state);
  EXPECT_NE(std::string(error.what()).find("empty handle"), std::string::npos) << error.what();
}

TEST(EmptyHandles, SayThatTheyAreEmpty) {
  Holder holder;
  EXPECT_TRUE(holder.file.is_empty());
  EXPECT_FALSE(holder.file.is_open());
  EXPECT_NO_THROW(holder.file.close());
  expect_empty([&] { static_cast<void>(holder.file.root()); });
  expect_empty([&] { holder.file.flush(); });
  expect_empty([&] { static_cast<void>(holder.file.path()); });
  expect_empty([&] { holder.group.create_group("a"); });
  expect_empty([&] { static_cast<void>(holder.group.path()); });
  expect_empty([&] { static_cast<void>(holder.dataset.read<double>()); });
  expect_empty([&] { holder.dataset.write(1.0); });
  expect_empty([&] { static_cast<void>(holder.dataset.same_object(holder.group)); });
}

TEST(EmptyHandles, GetWhatIsAssigned) {
  const Disk disk;
  Holder holder;
  holder.file = disk.create("file.h5");
  holder.group = holder.file.root().create_group("g");
  holder.dataset = holder.group.create_dataset("d", {2}, std::vector<double>{1, 2});
  EXPECT_FALSE(holder.dataset.is_empty());
  EXPECT_EQ(holder.dataset.read<double>(), (std::vector<double>{1, 2}));
  const Dataset moved = std::move(holder.dataset);
  EXPECT_TRUE(holder.dataset.is_empty());  // NOLINT(bugprone-use-after-move): that is tested
  EXPECT_EQ(moved.path(), "/g/d");
  holder.file.close();
  EXPECT_FALSE(holder.file.is_open());
}

}  // namespace
}  // namespace onecast::test
