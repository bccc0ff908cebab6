#include "name_space.hpp"

#include <cerrno>
#include <ctime>

#include "failure.hpp"

namespace onecast::lab {
namespace {

constexpr std::size_t kMaxName = 255;

timespec current_time() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

}  // namespace

void Inode::set_size(std::uint64_t size) {
  status.st_size = static_cast<off_t>(size);
  status.st_blocks = static_cast<blkcnt_t>((size + 511) / 512);
}

void Inode::changed(bool contents) {
  status.st_ctim = current_time();
  if (contents) status.st_mtim = status.st_ctim;
}

NameSpace::NameSpace(Owner owner) {
  Inode& root = inodes_[kRoot];
  root.status.st_ino = kRoot;
  root.status.st_mode = S_IFDIR | 0777;
  root.status.st_nlink = 2;
  root.status.st_uid = owner.user;
  root.status.st_gid = owner.group;
  root.parent = kRoot;
  root.changed(true);
  root.status.st_atim = root.status.st_mtim;
}

Inode& NameSpace::get(InodeNumber number) {
  const auto found = inodes_.find(number);
  if (found == inodes_.end()) fail(ENOENT);
  return found->second;
}

Inode& NameSpace::directory(InodeNumber number) {
  Inode& inode = get(number);
  if (!inode.is_directory()) fail(ENOTDIR);
  return inode;
}

Inode& NameSpace::file(InodeNumber number) {
  Inode& inode = get(number);
  if (!inode.is_file()) fail(inode.is_directory() ? EISDIR : EINVAL);
  return inode;
}

Inode* NameSpace::find(InodeNumber parent, const std::string& name) {
  Inode& folder = directory(parent);
  if (name == ".") return &folder;
  if (name == "..") return &get(folder.parent);
  const auto found = folder.children.find(name);
  return found == folder.children.end() ? nullptr : &get(found->second);
}

Inode& NameSpace::lookup(InodeNumber parent, const std::string& name) {
  Inode* found = find(parent, name);
  if (found == nullptr) fail(ENOENT);
  return *found;
}

Inode& NameSpace::make(InodeNumber parent, const std::string& name, mode_t mode, Owner owner) {
  Inode& folder = directory(parent);
  if (name.size() > kMaxName) fail(ENAMETOOLONG);
  if (folder.children.contains(name)) fail(EEXIST);
  const InodeNumber number = next_++;
  Inode& inode = inodes_[number];
  inode.status.st_ino = number;
  inode.status.st_mode = mode;
  inode.status.st_uid = owner.user;
  inode.status.st_gid = owner.group;
  inode.status.st_nlink = inode.is_directory() ? 1 : 0;
  inode.striping = folder.striping;
  inode.changed(true);
  inode.status.st_atim = inode.status.st_mtim;
  attach(folder, name, inode);
  return inode;
}

Inode& NameSpace::link(InodeNumber number, InodeNumber parent, const std::string& name) {
  Inode& inode = get(number);
  Inode& folder = directory(parent);
  if (inode.is_directory()) fail(EPERM);
  if (name.size() > kMaxName) fail(ENAMETOOLONG);
  if (folder.children.contains(name)) fail(EEXIST);
  attach(folder, name, inode);
  return inode;
}

InodeNumber NameSpace::unlink(InodeNumber parent, const std::string& name) {
  Inode& inode = lookup(parent, name);
  if (inode.is_directory()) fail(EISDIR);
  detach(get(parent), name, inode);
  return inode.status.st_ino;
}

void NameSpace::rmdir(InodeNumber parent, const std::string& name) {
  Inode& inode = lookup(parent, name);
  if (!inode.is_directory()) fail(ENOTDIR);
  if (!inode.children.empty()) fail(ENOTEMPTY);
  const InodeNumber number = inode.status.st_ino;
  detach(get(parent), name, inode);
  inodes_.erase(number);
}

std::optional<InodeNumber> NameSpace::rename(InodeNumber from, const std::string& name,
                                             InodeNumber to, const std::string& new_name,
                                             bool replace) {
  Inode& moved = lookup(from, name);
  Inode& target_folder = directory(to);
  if (new_name.size() > kMaxName) fail(ENAMETOOLONG);
  if (moved.is_directory() && is_below(to, moved.status.st_ino)) fail(EINVAL);
  std::optional<InodeNumber> replaced;
  if (const auto old = target_folder.children.find(new_name); old != target_folder.children.end()) {
    if (!replace) fail(EEXIST);
    if (old->second == moved.status.st_ino) return std::nullopt;
    const bool directory = get(old->second).is_directory();
    if (directory && !moved.is_directory()) fail(EISDIR);
    if (!directory && moved.is_directory()) fail(ENOTDIR);
    if (directory) {
      rmdir(to, new_name);
    } else {
      replaced = unlink(to, new_name);
    }
  }
  attach(target_folder, new_name, moved);
  detach(get(from), name, moved);
  if (moved.is_directory()) moved.parent = to;
  return replaced;
}

std::optional<Inode> NameSpace::collect(InodeNumber number) {
  const auto found = inodes_.find(number);
  if (found == inodes_.end()) return std::nullopt;
  const Inode& inode = found->second;
  if (inode.is_directory() || inode.status.st_nlink > 0 || inode.opens > 0) return std::nullopt;
  Inode gone = std::move(found->second);
  inodes_.erase(found);
  return gone;
}

void NameSpace::attach(Inode& parent, const std::string& name, Inode& child) {
  parent.children[name] = child.status.st_ino;
  parent.changed(true);
  ++child.status.st_nlink;
  child.changed(false);
  if (!child.is_directory()) return;
  child.parent = parent.status.st_ino;
  ++parent.status.st_nlink;  // its ".."
}

void NameSpace::detach(Inode& parent, const std::string& name, Inode& child) {
  parent.children.erase(name);
  parent.changed(true);
  --child.status.st_nlink;
  child.changed(false);
  if (child.is_directory()) --parent.status.st_nlink;
}

bool NameSpace::is_below(InodeNumber number, InodeNumber ancestor) {
  for (; number != kRoot; number = get(number).parent) {
    if (number == ancestor) return true;
  }
  return false;
}

}  // namespace onecast::lab
