#include "session/open_cgns.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>

#include "grammar/failure.hpp"
#include "session/memory_file.hpp"

namespace onecast::cgns {

namespace {

Mode mode_of(int mode) {
  if (mode < 0 || mode > 2) throw Failure("the mode " + std::to_string(mode) + " is not 0, 1 or 2");
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

/// What is written to such a file is lost when it is closed.
File open_in_memory(const std::string& path, Mode mode, const FileOptions& options) {
  if (mode == Mode::write)
    return File::create(std::make_shared<MemoryFile>(path, std::vector<std::byte>()), options);
  return File::open(std::make_shared<MemoryFile>(path, bytes_of(path)), Access::read_write,
                    options);
}

File open_any(const std::string& path, Mode mode, const Communicator* communicator,
              const FileOptions& options) {
  // A file that is kept, or is not changed, need not be in memory as a whole.
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

/// Who can still share the lock meets readers only.
bool is_only_read(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_shared = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  return is_shared;
}

/// As in the CGNS library, a new file takes the place of one that is only read: its readers keep
/// what they opened. A file that anyone writes stays. @collective
void remove_what_is_only_read(const std::string& path, const Communicator* communicator) {
  if ((communicator != nullptr && communicator->rank() != 0) || !is_only_read(path)) return;
  std::error_code failed;                                      // creating the file tells
  const auto file = std::filesystem::canonical(path, failed);  // a link stays one
  if (!failed) std::filesystem::remove(file, failed);
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
    if (mode == Mode::write && error.system_errno() == EAGAIN) {
      remove_what_is_only_read(path, communicator);
      return open_any(path, mode, communicator, options);
    }
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
