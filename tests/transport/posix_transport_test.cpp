#include "transport/posix_transport.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/pattern.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"
#include "transport/factory.hpp"

namespace onecast::transport {
namespace {

namespace fs = std::filesystem;
using test::pattern;
using test::thrown_by;

constexpr OpenMode kAllModes[] = {OpenMode::read_only, OpenMode::read_write, OpenMode::create,
                                  OpenMode::replace};

class PosixTransportTest : public testing::Test {
 protected:
  Error open_error(const std::string& path, OpenMode mode) {
    return thrown_by([&] { posix_factory()(path, mode); });
  }
  static void replace(const std::string& path) {
    const auto file = posix_factory()(path, OpenMode::replace);
    file->write_at(0, pattern(1));
    file->take_place();
  }
  void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "file";
};

TEST_F(PosixTransportTest, RefusesADirectory) {
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write, OpenMode::replace}) {
    const Error error = open_error(directory_.path().string(), mode);
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(error.system_errno(), EISDIR);
  }
  EXPECT_TRUE(fs::is_directory(directory_.path()));
}

TEST_F(PosixTransportTest, RefusesAPipeWithoutWaiting) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write, OpenMode::replace}) {
    const Error error = open_error(path_, mode);
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(error.system_errno(), ESPIPE);
    EXPECT_NE(std::string(error.what()).find("a pipe"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_fifo(path_));
}

TEST_F(PosixTransportTest, RefusesADevice) {
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write, OpenMode::replace})
    EXPECT_EQ(open_error("/dev/null", mode).code(), ErrorCode::io);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(PosixTransportTest, RefusesANameWithNul) {
  for (const OpenMode mode : kAllModes) {
    const Error error = open_error(path_ + std::string(1, '\0') + "x", mode);
    EXPECT_EQ(error.system_errno(), EINVAL);
  }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(PosixTransportTest, NamesMissingPermission) {
  write_text(path_, "secret");
  ASSERT_EQ(chmod(path_.c_str(), 0), 0);
  constexpr uid_t kNobody = 65534;
  const uid_t me = geteuid();
  if (me == 0) {  // root may read everything
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const Error error = open_error(path_, OpenMode::read_only);
  if (me == 0) {
    ASSERT_EQ(seteuid(me), 0);
  }
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(error.system_errno(), EACCES);
}

TEST_F(PosixTransportTest, FollowsASymbolicLinkButReplacesTheLinkItself) {
  const std::string link = directory_ / "link";
  write_text(path_, "target");
  fs::create_symlink(path_, link);
  EXPECT_EQ(PosixTransport(link, OpenMode::read_only).size(), 6U);
  EXPECT_EQ(open_error(link, OpenMode::create).code(), ErrorCode::already_exists);

  replace(link);
  EXPECT_FALSE(fs::is_symlink(link));
  EXPECT_EQ(fs::file_size(link), 1U);
  EXPECT_EQ(fs::file_size(path_), 6U) << "the file behind the link is left alone";
}

TEST_F(PosixTransportTest, AFileThatReplacesAnotherHasItsRights) {
  constexpr uid_t kNobody = 65534;
  write_text(path_, "old");
  ASSERT_EQ(chmod(path_.c_str(), 0640), 0);
  if (geteuid() == 0) {  // root may give files away
    ASSERT_EQ(chown(path_.c_str(), kNobody, kNobody), 0);
  }
  struct stat before = {};
  ASSERT_EQ(stat(path_.c_str(), &before), 0);
  replace(path_);
  struct stat after = {};
  ASSERT_EQ(stat(path_.c_str(), &after), 0);
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_EQ(after.st_uid, before.st_uid);
  EXPECT_EQ(after.st_gid, before.st_gid);
}

TEST_F(PosixTransportTest, DoesNotReplaceAFileThatIsWriteProtected) {
  constexpr uid_t kNobody = 65534;
  write_text(path_, "keep");
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(chmod(directory_.path().c_str(), 0777), 0);
  const uid_t me = geteuid();
  if (me == 0) {  // root may write everything
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const Error error = open_error(path_, OpenMode::replace);
  if (me == 0) {
    ASSERT_EQ(seteuid(me), 0);
  }
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(error.system_errno(), EACCES);
  EXPECT_EQ(fs::file_size(path_), 4U);
}

TEST_F(PosixTransportTest, ReadsAndWritesBeyondFourGiB) {
  constexpr std::uint64_t kFar = (std::uint64_t{5} << 30U) + 3;
  PosixTransport file(path_, OpenMode::create);
  file.write_at(kFar, pattern(1000));
  EXPECT_EQ(file.size(), kFar + 1000);
  std::vector<std::byte> bytes(1000);
  EXPECT_EQ(file.read_at(kFar, bytes), 1000U);
  EXPECT_EQ(bytes, pattern(1000));
}

TEST_F(PosixTransportTest, NamesTheReasonOfAFailedWrite) {
  // This runs in a child, since the limit and the signal are those of the process.
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    PosixTransport file(path_, OpenMode::create);
    int reason = 0;
    try {
      file.write_at(50, pattern(100));  // 50 bytes fit, so the first call is short
    } catch (const Error& error) {
      reason = error.system_errno();
    }
    _exit(reason == EFBIG && file.size() == 100 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(PosixTransportTest, LeavesNoDescriptorOpen) {
  const int before = dup(STDIN_FILENO);
  close(before);
  {
    PosixTransport file(path_, OpenMode::create);
  }
  EXPECT_EQ(open_error(directory_.path().string(), OpenMode::read_only).code(), ErrorCode::io);
  const int after = dup(STDIN_FILENO);
  close(after);
  EXPECT_EQ(after, before);
}

TEST_F(PosixTransportTest, GivesTheLastBlockBack) {
  const auto file = posix_factory()(path_, OpenMode::create);
  file->write_at(0, pattern(100'000));
  file->give_back(0, 100'000);
  struct stat now{};
  ASSERT_EQ(stat(path_.c_str(), &now), 0);
  EXPECT_EQ(now.st_size, 100'000);
  if (now.st_blocks * 512 >= 100'000) GTEST_SKIP() << "the file system takes nothing back";
  EXPECT_EQ(now.st_blocks, 0);
}

}  // namespace
}  // namespace onecast::transport
