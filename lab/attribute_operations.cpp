#include <sys/xattr.h>

#include <cstring>

#include "request.hpp"

namespace onecast::lab {
namespace {

constexpr const char* kLov = "lustre.lov";
constexpr int kModeOrOwner = FUSE_SET_ATTR_MODE | FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID;

auto reply_status(fuse_req_t req, const struct stat& status) {
  return [req, status] { fuse_reply_attr(req, &status, 0); };
}

void get_status(fuse_req_t req, fuse_ino_t number, fuse_file_info*) {
  answer(req, [=](Request& request) {
    if (const auto status = virtual_status(number)) return reply_status(req, *status);
    request.count(MetadataOp::kGetattr);
    const Inode& inode = request.server.names.get(number);
    request.wait(request.server.model.glimpse(request.client, inode.striped, inode.size()));
    return reply_status(req, inode.status);
  });
}

void set_times(struct stat& now, const struct stat& wanted, int what) {
  timespec current{};
  ::clock_gettime(CLOCK_REALTIME, &current);
  if ((what & FUSE_SET_ATTR_ATIME) != 0) now.st_atim = wanted.st_atim;
  if ((what & FUSE_SET_ATTR_MTIME) != 0) now.st_mtim = wanted.st_mtim;
  if ((what & FUSE_SET_ATTR_ATIME_NOW) != 0) now.st_atim = current;
  if ((what & FUSE_SET_ATTR_MTIME_NOW) != 0) now.st_mtim = current;
}

void set_status(fuse_req_t req, fuse_ino_t number, struct stat* given, int what, fuse_file_info*) {
  answer(req, [=, wanted = *given](Request& request) {
    if (const auto status = virtual_status(number)) return reply_status(req, *status);
    Inode& inode = request.server.names.get(number);
    if ((what & FUSE_SET_ATTR_SIZE) != 0) {
      request.count(MetadataOp::kTruncate);
      if (wanted.st_size < 0) fail(EINVAL);
      request.server.names.file(number);
      request.wait(request.server.truncate(request.client, inode,
                                           static_cast<std::uint64_t>(wanted.st_size)));
    } else {
      request.count(MetadataOp::kSetattr);
    }
    struct stat& now = inode.status;
    if ((what & kModeOrOwner) != 0) inode.changed(false);
    if ((what & FUSE_SET_ATTR_MODE) != 0) {
      now.st_mode = (now.st_mode & S_IFMT) | (wanted.st_mode & 07777);
    }
    if ((what & FUSE_SET_ATTR_UID) != 0) now.st_uid = wanted.st_uid;
    if ((what & FUSE_SET_ATTR_GID) != 0) now.st_gid = wanted.st_gid;
    set_times(now, wanted, what);
    return reply_status(req, now);
  });
}

// Replies as getxattr requires: with the size alone if `size` is zero.
auto reply_bytes(fuse_req_t req, std::vector<std::uint8_t> bytes, std::size_t size) {
  if (size > 0 && size < bytes.size()) fail(ERANGE);
  return [req, size, bytes = std::move(bytes)] {
    if (size == 0) {
      fuse_reply_xattr(req, bytes.size());
    } else {
      fuse_reply_buf(req, reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  };
}

void get_attribute(fuse_req_t req, fuse_ino_t number, const char* name, std::size_t size) {
  answer(req, [=](Request& request) {
    const Inode& inode = request.server.names.get(number);
    if (std::strcmp(name, kLov) == 0) {
      request.count(MetadataOp::kGetxattr);
      std::vector<std::uint8_t> lov = request.server.lov(inode);
      if (lov.empty()) fail(ENODATA);
      return reply_bytes(req, std::move(lov), size);
    }
    const auto found = inode.attributes.find(name);
    if (found == inode.attributes.end()) fail(ENODATA);
    return reply_bytes(req, found->second, size);
  });
}

void set_attribute(fuse_req_t req, fuse_ino_t number, const char* name, const char* value,
                   std::size_t size, int flags) {
  answer_done(req, [=](Request& request) {
    request.count(MetadataOp::kSetxattr);
    Inode& inode = request.server.names.get(number);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(value);
    if (std::strcmp(name, kLov) == 0) {
      const auto striping = decode_lov({bytes, size});
      if (!striping || !(inode.is_file() || inode.is_directory())) fail(EINVAL);
      request.server.set_striping(inode, *striping);
      return;
    }
    const bool exists = inode.attributes.contains(name);
    if (exists && (flags & XATTR_CREATE) != 0) fail(EEXIST);
    if (!exists && (flags & XATTR_REPLACE) != 0) fail(ENODATA);
    inode.attributes[name].assign(bytes, bytes + size);
    inode.changed(false);
  });
}

void list_attributes(fuse_req_t req, fuse_ino_t number, std::size_t size) {
  answer(req, [=](Request& request) {
    const Inode& inode = request.server.names.get(number);
    std::vector<std::uint8_t> list;
    const auto add = [&](const std::string& name) {
      list.insert(list.end(), name.begin(), name.end());
      list.push_back(0);
    };
    if (!request.server.lov(inode).empty()) add(kLov);
    for (const auto& [name, value] : inode.attributes) add(name);
    return reply_bytes(req, std::move(list), size);
  });
}

void remove_attribute(fuse_req_t req, fuse_ino_t number, const char* name) {
  answer_done(req, [=](Request& request) {
    request.count(MetadataOp::kSetxattr);
    Inode& inode = request.server.names.get(number);
    if (std::strcmp(name, kLov) == 0) {
      if (!inode.is_directory()) fail(EPERM);
      inode.striping.reset();
      return;
    }
    if (inode.attributes.erase(name) == 0) fail(ENODATA);
    inode.changed(false);
  });
}

}  // namespace

void add_attribute_operations(fuse_lowlevel_ops& operations) {
  operations.getattr = get_status;
  operations.setattr = set_status;
  operations.getxattr = get_attribute;
  operations.setxattr = set_attribute;
  operations.listxattr = list_attributes;
  operations.removexattr = remove_attribute;
}

}  // namespace onecast::lab
