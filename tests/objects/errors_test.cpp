#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "objects/description.hpp"
#include "support/file_name.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"

/// Checks what is refused, with its code and its words.
namespace onecast {
namespace {

using test::thrown_by;

using test::kName;

class ErrorsTest : public testing::Test {
 protected:
  void SetUp() override {
    File file = disk_.create(kName);
    file.root().create_group("group").set_attribute("attribute", 1);
    file.root().create_dataset("compact", {2}, std::vector<int>{1, 2});
    file.root().create_dataset("contiguous", {2}, std::vector<int>{1, 2}, {Layout::contiguous});
    file.close();
  }
  /// Expects each of `actions` to throw this code, with a text that begins with the file's name and
  /// contains `text`.
  static void expect(ErrorCode code, const std::string& text,
                     const std::vector<std::function<void()>>& actions) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Error error = thrown_by(actions[i]);
      EXPECT_EQ(error.code(), code) << "action " << i << ": " << error.what();
      EXPECT_EQ(std::string(error.what()).rfind("a.h5: ", 0), 0U) << error.what();
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
          << "action " << i << ": " << error.what();
    }
  }

  test::Disk disk_;
};

TEST_F(ErrorsTest, AFileForReadingIsNotChanged) {
  const test::Bytes before = disk_.bytes(kName);
  File file = disk_.open(kName);
  EXPECT_EQ(file.access(), Access::read_only);
  Group root = file.root();
  Group group = root.open_group("group");
  Dataset compact = root.open_dataset("compact");
  Dataset contiguous = root.open_dataset("contiguous");
  const std::vector<int> two{3, 4};
  expect(ErrorCode::state, "reading only",
         {[&] { root.create_group("new"); }, [&] { root.create_dataset("new", {2}, two); },
          [&] { root.remove("group"); }, [&] { root.remove("nothing"); },
          [&] { group.set_attribute("a", 1); }, [&] { group.remove_attribute("attribute"); },
          [&] { compact.write(two); }, [&] { contiguous.write(two); },
          [&] { compact.write_all(two); }, [&] { contiguous.write_all(two); },
          [&] { contiguous.write_equal(std::as_bytes(std::span(two))); }, [&] { file.flush(); }});
  file.close();
  EXPECT_EQ(file.io_stats().writes, 0U);
  EXPECT_TRUE(disk_.bytes(kName) == before);
}

TEST_F(ErrorsTest, AClosedFileDoesNothingMore) {
  FileOptions lazy;
  lazy.load_policy = LoadPolicy::lazy;
  for (const Access access : {Access::read_only, Access::read_write}) {
    File file = disk_.open(kName, access, lazy);
    Group root = file.root();
    Group group = root.open_group("group");
    const Attribute attribute = group.attribute("attribute");
    Dataset data = root.open_dataset("compact");
    const Link link = root.links().front();
    file.close();
    file.close();
    EXPECT_FALSE(file.is_open());
    EXPECT_EQ(group.path(), "/group");
    EXPECT_EQ(attribute.name(), "attribute");
    const std::vector<int> two{3, 4};
    std::vector<std::byte> out(8);
    expect(ErrorCode::state, "the file is closed",
           {[&] { static_cast<void>(file.root()); },
            [&] { file.flush(); },
            [&] { file.prefetch_all(); },
            [&] { static_cast<void>(root.links()); },
            [&] { static_cast<void>(root.link_count()); },
            [&] { static_cast<void>(root.contains("group")); },
            [&] { static_cast<void>(root.kind_of("group")); },
            [&] { static_cast<void>(root.kind_of(link)); },
            [&] { static_cast<void>(root.open_group("group")); },
            [&] { static_cast<void>(root.open_object(link)); },
            [&] { root.create_group("new"); },
            [&] { root.create_dataset("new", {2}, two); },
            [&] { root.remove("group"); },
            [&] { static_cast<void>(group.attributes()); },
            [&] { static_cast<void>(group.has_attribute("a")); },
            [&] { static_cast<void>(group.attribute("attribute")); },
            [&] { group.set_attribute("a", 1); },
            [&] { group.remove_attribute("attribute"); },
            [&] { static_cast<void>(attribute.bytes()); },
            [&] { static_cast<void>(attribute.datatype()); },
            [&] { static_cast<void>(attribute.dataspace()); },
            [&] { static_cast<void>(attribute.read<int>()); },
            [&] { static_cast<void>(attribute.read<std::string>()); },
            [&] { static_cast<void>(data.datatype()); },
            [&] { static_cast<void>(data.dataspace()); },
            [&] { static_cast<void>(data.shape()); },
            [&] { static_cast<void>(data.element_count()); },
            [&] { static_cast<void>(data.layout()); },
            [&] { static_cast<void>(data.chunk_shape()); },
            [&] { static_cast<void>(data.read<int>()); },
            [&] { static_cast<void>(data.read<std::string>()); },
            [&] { data.read(out); },
            [&] { data.read_all(out); },
            [&] { data.write(two); },
            [&] { data.write_all(two); },
            [&] { data.write_equal(std::as_bytes(std::span(two))); }});
    static_cast<void>(file.metadata_report());
    static_cast<void>(file.io_stats());
  }
}

TEST_F(ErrorsTest, WhatIsNotThereIsNamed) {
  File file = disk_.open(kName);
  const Group root = file.root();
  expect(ErrorCode::not_found, "no object at \"nothing\"",
         {[&] { static_cast<void>(root.open_group("nothing")); },
          [&] { static_cast<void>(root.open_dataset("nothing")); },
          [&] { static_cast<void>(root.open_object("nothing")); },
          [&] { file.prefetch_all("nothing"); }});
  expect(ErrorCode::invalid_argument, "/compact: is a dataset, not a group",
         {[&] { static_cast<void>(root.open_group("compact")); }});
  expect(ErrorCode::invalid_argument, "/group: is a group, not a dataset",
         {[&] { static_cast<void>(root.open_dataset("group")); }});
}

TEST_F(ErrorsTest, OptionsAreChecked) {
  const auto expect_refused = [&](const FileOptions& options, const char* name) {
    for (const bool create : {true, false}) {
      const Error error = thrown_by([&] {
        static_cast<void>(create ? disk_.create("b.h5", options)
                                 : disk_.open(kName, Access::read_only, options));
      });
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  };
  for (const std::uint64_t bad : {1U, 512U, 2048U, 4097U, 12'288U, 1U << 31U}) {
    FileOptions options;
    options.page_size = bad;
    expect_refused(options, "page_size");
  }
  FileOptions options;
  options.compact_limit = 64'001;
  expect_refused(options, "compact_limit");
  options = {};
  options.stripe_size = std::uint64_t{1} << 41U;
  expect_refused(options, "option stripe_size: at most 1 TiB was expected, not 2199023255552");
  options = {};
  options.alignment_interval = std::uint64_t{1} << 41U;
  expect_refused(options, "option alignment_interval: at most 1 TiB was expected");
  options = {};
  options.collective_buffer = 4096;
  expect_refused(options, "option collective_buffer: 0 or at least 64 KiB was expected, not 4096");
  options = {};
  options.locking = static_cast<FileLocking>(3);
  expect_refused(options, "option locking: on, off or best_effort was expected, not 3");
  options = {};
  options.method = static_cast<TransferMethod>(255);
  expect_refused(options, "option method: automatic, plain,");
  for (const char* name :
       {"striping_unit", "striping_factor", "cb_nodes", "cb_buffer_size", "romio_cb_write",
        "romio_cb_read", "collective_buffering", "romio_ds_write", "romio_ds_read"})
    for (const char* bad : {"", "x", "0", "-2", "4 ", "99999999999999999999999"}) {
      options = {};
      options.hints = {{name, bad}};
      expect_refused(options, name);
    }
}

TEST_F(ErrorsTest, FilesOfTheOperatingSystem) {
  const test::TemporaryDirectory directory;
  const std::string missing = directory / "missing.h5";
  Error error = thrown_by([&] { File::open(missing); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_EQ(error.system_errno(), ENOENT);
  EXPECT_EQ(std::string(error.what()).rfind(missing + ": ", 0), 0U) << error.what();
  error = thrown_by([&] { File::open(missing, Access::read_write); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_EQ(thrown_by([&] { File::create(directory.path() / "no" / "such.h5"); }).system_errno(),
            ENOENT);
  EXPECT_EQ(thrown_by([&] { File::open(directory.path()); }).code(), ErrorCode::io);
  EXPECT_EQ(thrown_by([&] { File::create(directory.path()); }).code(), ErrorCode::io);

  // The public functions are called, down to a disk.
  const std::string path = directory / "a.h5";
  File file = File::create(path);
  file.root().create_group("group").set_attribute("n", 5);
  file.close();
  EXPECT_EQ(std::filesystem::file_size(path), 4096U);
  EXPECT_EQ(File::open(path).root().open_group("group").attribute("n").read<int>(),
            std::vector<int>{5});
  file = File::open(path, Access::read_write);
  file.root().remove("group");
  file.close();
  EXPECT_EQ(File::open(path).root().link_count(), 0U);
  file = File::create(path, Communicator());
  file.close();
  EXPECT_EQ(std::filesystem::file_size(path), 4096U);
}

}  // namespace
}  // namespace onecast
