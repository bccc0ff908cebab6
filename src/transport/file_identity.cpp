#include "transport/file_identity.hpp"

#include <fmt/format.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <functional>

#include "onecast/base/error.hpp"

namespace onecast::transport {
namespace {

/// Processes with equal numbers share one running system and its mounts, so they see equal devices.
std::uint64_t this_node() {
  // Threads that compute it at the same time get the same number.
  static std::atomic<std::uint64_t> known{0};
  if (const std::uint64_t number = known) return number;
  std::string name;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), name);
  std::array<char, 256> text{};
  if (name.empty() && gethostname(text.data(), text.size() - 1) == 0) name = text.data();
  const ssize_t length = readlink("/proc/self/ns/mnt", text.data(), text.size());
  if (length > 0) name.append(text.data(), static_cast<std::size_t>(length));
  known = std::hash<std::string>()(name);
  return known;
}

/// True for file systems that may number their files differently on each node.
bool numbers_files_per_node(const std::string& path) {
  constexpr auto kFuse = 0x65735546;
  struct statfs system = {};
  return statfs(path.c_str(), &system) == 0 && system.f_type == kFuse;
}

}  // namespace

FileIdentity FileIdentity::of(const struct stat& status) {
  return {this_node(), std::uint64_t{status.st_dev}, std::uint64_t{status.st_ino}};
}

std::optional<FileIdentity> FileIdentity::at(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return of(status);
}

FileStamp FileStamp::of(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

std::optional<FileStamp> FileStamp::at(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return of(status);
}

void require_same_file(const FileIdentity& found, const FileIdentity& first,
                       const std::string& path) {
  if (!found.is_known() || !first.is_known()) return;
  const bool one_node = found.node == first.node;
  if (found.inode == first.inode && (!one_node || found.device == first.device)) return;
  if (!one_node && numbers_files_per_node(path)) return;
  throw Error(ErrorCode::io,
              fmt::format("{}: another file has this name now (inode {}, not {}): the file was "
                          "renamed or replaced while it was open",
                          path, found.inode, first.inode),
              ESTALE);
}

}  // namespace onecast::transport
