#include <cstdio>
#include <cstring>
#include <memory>

#include "request.hpp"

namespace onecast::lab {
namespace {

void forbid_virtual(InodeNumber number) {
  if (is_virtual(number)) fail(EACCES);
}

auto reply_entry(fuse_req_t req, const Inode& inode) {
  return [req, entry = entry_of(inode.status)] { fuse_reply_entry(req, &entry); };
}

void lookup(fuse_req_t req, fuse_ino_t parent, const char* name) {
  answer(req, [=](Request& request) {
    if (const auto status = virtual_lookup(parent, name)) {
      Inode seen;
      seen.status = *status;
      return reply_entry(req, seen);
    }
    forbid_virtual(parent);
    request.count(MetadataOp::kLookup);
    return reply_entry(req, request.server.names.lookup(parent, name));
  });
}

void make_directory(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode) {
  answer(req, [=](Request& request) {
    forbid_virtual(parent);
    request.count(MetadataOp::kMkdir);
    return reply_entry(
        req, request.server.names.make(parent, name, S_IFDIR | (mode & 07777), request.owner));
  });
}

// Makes a file or a fifo; a file made in this way has no layout yet.
void make_node(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode, dev_t) {
  answer(req, [=](Request& request) {
    forbid_virtual(parent);
    request.count(MetadataOp::kCreate);
    return reply_entry(req, request.server.names.make(parent, name, mode, request.owner));
  });
}

void make_symlink(fuse_req_t req, const char* target, fuse_ino_t parent, const char* name) {
  answer(req, [=](Request& request) {
    forbid_virtual(parent);
    request.count(MetadataOp::kSymlink);
    Inode& inode = request.server.names.make(parent, name, S_IFLNK | 0777, request.owner);
    inode.target = target;
    inode.set_size(inode.target.size());
    return reply_entry(req, inode);
  });
}

void read_symlink(fuse_req_t req, fuse_ino_t number) {
  answer(req, [=](Request& request) {
    request.count(MetadataOp::kReadlink);
    return [req, target = request.server.names.get(number).target] {
      fuse_reply_readlink(req, target.c_str());
    };
  });
}

void link(fuse_req_t req, fuse_ino_t number, fuse_ino_t parent, const char* name) {
  answer(req, [=](Request& request) {
    forbid_virtual(number);
    forbid_virtual(parent);
    request.count(MetadataOp::kLink);
    return reply_entry(req, request.server.names.link(number, parent, name));
  });
}

void unlink(fuse_req_t req, fuse_ino_t parent, const char* name) {
  answer_done(req, [=](Request& request) {
    forbid_virtual(parent);
    request.count(MetadataOp::kUnlink);
    request.server.collect(request.server.names.unlink(parent, name));
  });
}

void remove_directory(fuse_req_t req, fuse_ino_t parent, const char* name) {
  answer_done(req, [=](Request& request) {
    forbid_virtual(parent);
    request.count(MetadataOp::kRmdir);
    request.server.names.rmdir(parent, name);
  });
}

void rename(fuse_req_t req, fuse_ino_t parent, const char* name, fuse_ino_t new_parent,
            const char* new_name, unsigned flags) {
  answer_done(req, [=](Request& request) {
    forbid_virtual(parent);
    forbid_virtual(new_parent);
    if ((flags & ~static_cast<unsigned>(RENAME_NOREPLACE)) != 0) fail(EINVAL);
    request.count(MetadataOp::kRename);
    const auto replaced =
        request.server.names.rename(parent, name, new_parent, new_name, flags == 0);
    if (replaced) request.server.collect(*replaced);
  });
}

// Copies the names, so that a reader does not see later changes.
void open_directory(fuse_req_t req, fuse_ino_t number, fuse_file_info* file) {
  answer(req, [=](Request& request) {
    auto opened = std::make_unique<Handle>();
    if (is_virtual(number)) {
      opened->entries = virtual_entries(number);
    } else {
      request.count(MetadataOp::kReaddir);
      NameSpace& names = request.server.names;
      Inode& folder = names.directory(number);
      opened->entries.push_back({".", folder.status});
      opened->entries.push_back({"..", names.get(folder.parent).status});
      for (const auto& [name, child] : folder.children) {
        opened->entries.push_back({name, names.get(child).status});
      }
    }
    file->fh = std::bit_cast<std::uint64_t>(opened.release());
    return [=] { fuse_reply_open(req, file); };
  });
}

void read_directory(fuse_req_t req, fuse_ino_t, std::size_t size, off_t offset,
                    fuse_file_info* file) {
  std::vector<char> buffer(size);
  std::size_t used = 0;
  const auto& entries = handle(file).entries;
  for (auto at = static_cast<std::size_t>(offset); at < entries.size(); ++at) {
    const std::size_t needed =
        fuse_add_direntry(req, buffer.data() + used, size - used, entries[at].name.c_str(),
                          &entries[at].status, static_cast<off_t>(at + 1));
    if (used + needed > size) break;
    used += needed;
  }
  fuse_reply_buf(req, buffer.data(), used);
}

void release_directory(fuse_req_t req, fuse_ino_t, fuse_file_info* file) {
  delete &handle(file);
  fuse_reply_err(req, 0);
}

void file_system_status(fuse_req_t req, fuse_ino_t) {
  answer(req, [=](Request& request) {
    request.count(MetadataOp::kStatfs);
    struct statvfs status{};
    status.f_bsize = 1 << 20;
    status.f_frsize = kPageSize;
    status.f_blocks = (std::uint64_t{1} << 40) / kPageSize * request.server.model.options().osts;
    status.f_bfree = status.f_bavail = status.f_blocks;
    status.f_files = status.f_ffree = status.f_favail = 1 << 30;
    status.f_namemax = 255;
    return [=] { fuse_reply_statfs(req, &status); };
  });
}

}  // namespace

void add_name_operations(fuse_lowlevel_ops& operations) {
  operations.lookup = lookup;
  operations.mkdir = make_directory;
  operations.mknod = make_node;
  operations.symlink = make_symlink;
  operations.readlink = read_symlink;
  operations.link = link;
  operations.unlink = unlink;
  operations.rmdir = remove_directory;
  operations.rename = rename;
  operations.opendir = open_directory;
  operations.readdir = read_directory;
  operations.releasedir = release_directory;
  operations.statfs = file_system_status;
}

}  // namespace onecast::lab
