#include "session/open_cgns.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "grammar/failure.hpp"
#include "session/memory_file.hpp"

namespace onecast::cgns {

namespace {

Mode mode_of(int mode) {
  if (mode < 0 || mode > 2) throw failure("the mode ", mode, " is not 0, 1 or 2");
  return static_cast<Mode>(mode);
}

std::vector<std::byte> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<std::byte> bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw Failure(path + " cannot be read");
  return bytes;
}

/// Opens a file in memory. Changes are lost when it is closed.
File open_in_memory(const std::string& path, Mode mode, const FileOptions& options) {
  if (mode == Mode::write)
    return File::create(std::make_shared<MemoryFile>(path, std::vector<std::byte>()), options);
  return File::open(std::make_shared<MemoryFile>(path, bytes_of(path)), Access::read_write,
                    options);
}

File open_any(const std::string& path, Mode mode, const Communicator* communicator,
              const FileOptions& options) {
  // A file that is kept or not changed is not loaded as a whole.
  const auto& wanted = session().configuration.hdf5;
  if (wanted.in_memory && !wanted.is_kept && mode != Mode::read && communicator == nullptr)
    return open_in_memory(path, mode, options);
  if (mode == Mode::write)
    return communicator != nullptr ? File::create(path, *communicator, options)
                                   : File::create(path, options);
  const Access access = mode == Mode::read ? Access::read_only : Access::read_write;
  return communicator != nullptr ? File::open(path, access, *communicator, options)
                                 : File::open(path, access, options);
}

/// Moves a file that programs only read out of the way of a new one, and back if the new one cannot
/// be created.
class MovedAside {
 public:
  explicit MovedAside(const std::string& path) {
    std::error_code failed;  // the creation of the new file reports errors
    path_ = std::filesystem::canonical(path, failed).string();  // a symbolic link stays one
    const int descriptor = failed ? -1 : open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    // If the lock can be shared, only readers have the file open.
    if (flock(descriptor, LOCK_SH | LOCK_NB) == 0) move(descriptor);
    close(descriptor);
  }
  MovedAside(const MovedAside&) = delete;
  MovedAside& operator=(const MovedAside&) = delete;
  ~MovedAside() {
    if (!aside_.empty()) move_back();
  }

  void forget() {
    if (!aside_.empty()) std::remove(aside_.c_str());
    aside_.clear();
  }

 private:
  void move(int descriptor) {
    const std::filesystem::path path(path_);
    aside_ = (path.parent_path() / (".onecast-old-" + std::to_string(getpid()))).string();
    struct stat mine = {};
    struct stat moved = {};
    const bool is_moved =
        fstat(descriptor, &mine) == 0 && std::rename(path_.c_str(), aside_.c_str()) == 0;
    if (!is_moved) {
      aside_.clear();
    } else if (stat(aside_.c_str(), &moved) != 0 || moved.st_ino != mine.st_ino ||
               moved.st_dev != mine.st_dev) {
      move_back();  // another program has just created a new file
      aside_.clear();
    }
  }
  void move_back() const {
    // A file that another program has created there meanwhile stays.
    if (link(aside_.c_str(), path_.c_str()) == 0)
      std::remove(aside_.c_str());
    else if (!std::filesystem::exists(path_))
      std::rename(aside_.c_str(), path_.c_str());
  }

  std::string path_;
  std::string aside_;
};

/// Creates a file in place of one that programs only read, as the CGNS library does. Readers keep
/// the old file. A file that a program has open for writing stays. @collective
File replace_what_is_only_read(const std::string& path, const Communicator* communicator,
                               const FileOptions& options) {
  std::optional<MovedAside> old;
  if (communicator == nullptr || communicator->rank() == 0) old.emplace(path);
  File file = open_any(path, Mode::write, communicator, options);
  if (old) old->forget();
  return file;
}

}  // namespace

bool is_adf(const std::string& path) {
  constexpr std::string_view kMagic = "ADF Database Version";
  std::array<char, 32> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  return std::string_view(start.data(), start.size()).substr(4).starts_with(kMagic);
}

File open_hdf5(const std::string& path, Mode mode, const Communicator* communicator,
               FileOptions options) {
  options.locking = FileLocking::best_effort;
  try {
    return open_any(path, mode, communicator, options);
  } catch (const Error& error) {
    if (mode == Mode::write && error.system_errno() == EAGAIN)
      return replace_what_is_only_read(path, communicator, options);
    if (error.code() == ErrorCode::format && is_adf(path))
      throw Failure(path + " is an ADF file; convert it: cgnsconvert -h " + path + " NEW.cgns");
    throw;
  }
}

OpenFile& open_cgns(const char* path, int mode, const Communicator* communicator,
                    const FileOptions& options, VersionNode version) {
  if (path == nullptr || *path == '\0') throw Failure("the name of the file is empty");
  const Mode how = mode_of(mode);
  File file = open_hdf5(path, how, communicator, options);
  try {
    return session().enter(file, how, communicator != nullptr, version);
  } catch (...) {
    file.abandon("it could not be opened as a CGNS file");
    throw;
  }
}

}  // namespace onecast::cgns
