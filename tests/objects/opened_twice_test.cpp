#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"

/// A file opened several times in a process is one file; targets of links are in their own file.
namespace onecast::test {
namespace {

class OpenedTwiceTest : public testing::Test {
 protected:
  OpenedTwiceTest() {
    File file = File::create(path_);
    file.root().create_dataset("x", {4}, std::vector<int>{0, 1, 2, 3});
    file.close();
    File linking = File::create(linking_);
    linking.root().create_external_link("ext", "file.h5", "/x");
    linking.close();
  }
  static int second_of(const Dataset& dataset) {
    int value = -1;
    dataset.read(std::as_writable_bytes(std::span(&value, 1)), Hyperslab{{1}, {1}});
    return value;
  }

  TemporaryDirectory folder_;
  const std::string path_ = folder_ / "file.h5";
  const std::string linking_ = folder_ / "linking.h5";
};

TEST_F(OpenedTwiceTest, HandlesShareWhatIsInMemory) {
  File writer = File::open(path_, Access::read_write);
  const File reader = File::open(path_);
  EXPECT_TRUE(reader.same_file(writer));
  const int value = 11;
  writer.root().open_dataset("x").write(std::as_bytes(std::span(&value, 1)), Hyperslab{{1}, {1}});
  writer.root().set_attribute("new", 1);
  EXPECT_EQ(second_of(reader.root().open_dataset("x")), 11);
  EXPECT_TRUE(reader.root().has_attribute("new"));
  EXPECT_EQ(reader.access(), Access::read_only);
  Group root = reader.root();
  EXPECT_EQ(thrown_by([&] { root.create_group("g"); }).code(), ErrorCode::state);
  EXPECT_EQ(thrown_by([&] { root.set_attribute("a", 1); }).code(), ErrorCode::state);
  Dataset x = root.open_dataset("x");
  EXPECT_EQ(
      thrown_by([&] { x.write(std::as_bytes(std::span(&value, 1)), Hyperslab{{1}, {1}}); }).code(),
      ErrorCode::state);
}

TEST_F(OpenedTwiceTest, EachIsClosedForItself) {
  File writer = File::open(path_, Access::read_write);
  File reader = File::open(path_);
  writer.root().set_attribute("new", 1);
  const Group mine = writer.root();
  writer.close();
  EXPECT_FALSE(writer.is_open());
  EXPECT_EQ(thrown_by([&] { static_cast<void>(mine.attributes()); }).code(), ErrorCode::state);
  EXPECT_TRUE(reader.root().has_attribute("new"));
  EXPECT_EQ(thrown_by([&] { File::open(path_, Access::read_write); }).system_errno(), EAGAIN);
  EXPECT_EQ(thrown_by([&] { File::create(path_); }).system_errno(), EAGAIN);
  reader.close();
  File::open(path_, Access::read_write).close();
  EXPECT_TRUE(File::open(path_).root().has_attribute("new"));
}

TEST_F(OpenedTwiceTest, OneThatIsForgottenKeepsNothingOpen) {
  {
    const File writer = File::open(path_, Access::read_write);
    const File reader = File::open(path_);
  }
  File::create(path_).close();
}

TEST_F(OpenedTwiceTest, OptionsThatContradict) {
  FileOptions durable;
  durable.durable = true;
  const File writer = File::open(path_, Access::read_write, durable);
  EXPECT_TRUE(File::open(path_).same_file(writer));
  FileOptions wary;
  wary.follow_external = FollowExternal::folder;
  const Error error = thrown_by([&] { File::open(path_, Access::read_only, wary); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("follow_external"), std::string::npos);
}

TEST_F(OpenedTwiceTest, BehindAnExternalLink) {
  File linking = File::open(linking_, Access::read_write);
  Dataset x = linking.root().open_dataset("ext");
  EXPECT_EQ(x.path(), "/x");
  EXPECT_EQ(x.file().path(), path_);
  EXPECT_FALSE(x.in_file_of(linking.root()));
  const int value = 21;
  x.write(std::as_bytes(std::span(&value, 1)), Hyperslab{{1}, {1}});
  x.set_attribute("new", 1);
  linking.close();
  File file = File::open(path_);
  EXPECT_EQ(second_of(file.root().open_dataset("x")), 21);
  EXPECT_TRUE(file.root().open_dataset("x").has_attribute("new"));
  linking = File::open(linking_, Access::read_write);
  x = linking.root().open_dataset("ext");
  EXPECT_TRUE(x.file().same_file(file));
  const Error error = thrown_by([&] { x.set_attribute("more", 1); });
  EXPECT_EQ(error.code(), ErrorCode::state);
}

}  // namespace
}  // namespace onecast::test
