#include "objects/files/open_files.hpp"

#include <algorithm>

#include "base/of_process.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::files {
namespace {

/// An inode of another node (machine) is compared by its path as seen from here.
bool is_at(const FileIdentity& here, const FileIdentity& identity, const std::string& path) {
  if (identity.node == here.node) return identity == here;
  return identity.inode == here.inode && FileIdentity::at(path) == here;
}

}  // namespace

OpenFiles& OpenFiles::of_this_process() { return of_process<OpenFiles>(); }

void OpenFiles::add(const std::shared_ptr<FileState>& file) {
  const FileName& name = file->name();
  if (!name.identity.is_known()) return;
  const std::scoped_lock lock(mutex_);
  std::erase_if(files_, [](const Known& known) { return known.file.expired(); });
  files_.push_back({file, file.get(), name.identity, name.full_path, name.number});
}

void OpenFiles::remove(const FileState& file) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(files_, [&](const Known& known) { return known.of == &file; });
}

template <class Wanted>
std::vector<std::shared_ptr<FileState>> OpenFiles::those(Wanted&& wanted) {
  std::vector<std::shared_ptr<FileState>> open;
  const std::scoped_lock lock(mutex_);
  for (const Known& known : files_) {
    if (!wanted(known)) continue;
    if (auto file = known.file.lock()) open.push_back(std::move(file));
  }
  return open;
}

std::vector<std::shared_ptr<FileState>> OpenFiles::all() {
  return those([](const Known&) { return true; });
}

std::vector<std::shared_ptr<FileState>> OpenFiles::at(const std::string& path,
                                                      const CommunicatorBackend& comm) {
  if (is_empty()) return {};
  const auto here = FileIdentity::at(path);
  if (!here) return {};
  auto open = those([&](const Known& known) { return is_at(*here, known.identity, known.path); });
  // A forked process does not use the openings of its parent.
  std::erase_if(open, [&](const auto& file) {
    return file->is_of_another_process() || comm.is_beside(file->comm());
  });
  return open;
}

bool OpenFiles::is_empty() {
  const std::scoped_lock lock(mutex_);
  return std::ranges::all_of(files_, [](const Known& known) { return known.file.expired(); });
}

std::shared_ptr<FileState> OpenFiles::numbered(std::uint64_t number,
                                               const CommunicatorBackend& ranks) {
  const auto open = those([&](const Known& known) { return known.number == number; });
  const auto found = std::ranges::find_if(
      open, [&](const auto& file) { return file->comm().has_ranks_of(ranks); });
  return found == open.end() ? nullptr : *found;
}

}  // namespace onecast::files
