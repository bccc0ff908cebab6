#include <array>
#include <cstring>

#include "request.hpp"

namespace onecast::lab {
namespace {

constexpr InodeNumber kFolder = 2;
constexpr InodeNumber kCounters = 3;
constexpr InodeNumber kPeek = 4;
constexpr InodeNumber kReset = 5;
constexpr const char* kFolderName = ".lab";

struct VirtualFile {
  const char* name;
  InodeNumber number;
  mode_t mode;
};
constexpr std::array<VirtualFile, 3> kFiles = {
    {{"counters", kCounters, 0444}, {"peek", kPeek, 0444}, {"reset", kReset, 0666}}};

}  // namespace

std::optional<struct stat> virtual_status(InodeNumber number) {
  struct stat status{};
  status.st_ino = number;
  status.st_nlink = 1;
  if (number == kFolder) {
    status.st_mode = S_IFDIR | 0555;
    return status;
  }
  for (const VirtualFile& file : kFiles) {
    if (file.number != number) continue;
    status.st_mode = S_IFREG | file.mode;
    return status;
  }
  return std::nullopt;
}

std::optional<struct stat> virtual_lookup(InodeNumber parent, const std::string& name) {
  if (parent == kRoot && name == kFolderName) return virtual_status(kFolder);
  if (parent != kFolder) return std::nullopt;
  for (const VirtualFile& file : kFiles) {
    if (name == file.name) return virtual_status(file.number);
  }
  return std::nullopt;
}

std::string virtual_contents(Server& server, InodeNumber number) {
  if (number == kCounters) return server.counters(true);
  if (number == kPeek) return server.counters(false);
  return "";
}

void virtual_write(Server& server, InodeNumber number) {
  if (number != kReset) fail(EACCES);
  server.counters(true);
  server.model.reset_counters();
}

std::vector<Handle::Entry> virtual_entries(InodeNumber number) {
  std::vector<Handle::Entry> entries;
  if (number != kFolder) return entries;
  for (const VirtualFile& file : kFiles) {
    entries.push_back({file.name, *virtual_status(file.number)});
  }
  return entries;
}

}  // namespace onecast::lab
