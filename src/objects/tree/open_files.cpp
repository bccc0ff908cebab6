#include "objects/tree/open_files.hpp"

#include <algorithm>

#include "objects/tree/file_state.hpp"

namespace onecast::tree {
namespace {

/// Inodes of another node are looked at from here, by the path.
bool is_at(const FileIdentity& here, const FileState& file) {
  if (file.name().identity.node == here.node) return file.name().identity == here;
  return file.name().identity.inode == here.inode && FileIdentity::at(file.name().place) == here;
}

}  // namespace

OpenFiles& OpenFiles::of_this_process() {
  // Never destroyed: files in static memory are closed after it would be.
  static auto& all = *new OpenFiles;
  return all;
}

namespace {

/// Before there are threads: a process that was forked while one made it would wait for it for
/// ever.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): nothing works without memory.
[[maybe_unused]] const OpenFiles& open_files_ready = OpenFiles::of_this_process();

}  // namespace

void OpenFiles::add(const std::shared_ptr<FileState>& file) {
  if (!file->name().identity.is_known()) return;
  const std::scoped_lock lock(mutex_);
  std::erase_if(files_, [](const auto& known) { return known.expired(); });
  files_.push_back(file);
}

void OpenFiles::remove(const FileState& file) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(files_, [&](const auto& known) {
    const auto held = known.lock();
    return !held || held.get() == &file;
  });
}

std::vector<std::shared_ptr<FileState>> OpenFiles::all() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<FileState>> open;
  for (const auto& known : files_)
    if (auto file = known.lock()) open.push_back(std::move(file));
  return open;
}

std::vector<std::shared_ptr<FileState>> OpenFiles::at(const std::string& place,
                                                      const CommunicatorBackend& comm) {
  auto open = all();
  // A forked process does not go on with what the one before has open.
  std::erase_if(open, [&](const auto& file) {
    return file->is_of_another_process() || comm.is_beside(file->comm());
  });
  if (open.empty()) return open;
  const auto here = FileIdentity::at(place);
  std::erase_if(open, [&](const auto& file) { return !here || !is_at(*here, *file); });
  return open;
}

std::shared_ptr<FileState> OpenFiles::numbered(std::uint64_t number,
                                               const CommunicatorBackend& ranks) {
  const auto open = all();
  const auto found = std::ranges::find_if(open, [&](const auto& file) {
    return file->name().number == number && file->comm().has_ranks_of(ranks);
  });
  return found == open.end() ? nullptr : *found;
}

}  // namespace onecast::tree
