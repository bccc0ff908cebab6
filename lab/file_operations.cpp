#include <fcntl.h>
#include <linux/falloc.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "request.hpp"

namespace onecast::lab {
namespace {

// The flag with which Lustre creates a file without a layout. (O_LOV_DELAY_CREATE is this flag and
// O_NOCTTY, which FUSE does not report.)
constexpr int kDelayLayout = O_ASYNC;

// How long to wait for the next part of a call that the kernel has split: if there must be one (it
// takes its time on a busy machine), and if there may be one.
constexpr auto kLongPatience = std::chrono::milliseconds(500);
constexpr auto kPatience = std::chrono::milliseconds(20);

Handle* open_file(Request& request, Inode& inode, int flags) {
  auto opened = std::make_unique<Handle>();
  opened->flags = flags;
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (writes && (flags & kDelayLayout) == 0) request.server.need_layout(inode);
  if (writes && (flags & O_TRUNC) != 0 && inode.size() > 0) {
    request.wait(request.server.truncate(request.client, inode, 0));
  }
  ++inode.opens;
  return opened.release();
}

void open(fuse_req_t req, fuse_ino_t number, fuse_file_info* file) {
  answer(req, [=](Request& request) {
    if (is_virtual(number)) {
      auto opened = std::make_unique<Handle>();
      opened->text = virtual_contents(request.server, number);
      keep(file, opened.release());
    } else {
      request.count(MetadataOp::kOpen);
      keep(file, open_file(request, request.server.names.file(number), file->flags));
    }
    return [=] { fuse_reply_open(req, file); };
  });
}

// Another mount may have created the file since this one looked for it.
void create(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode,
            fuse_file_info* file) {
  answer(req, [=](Request& request) {
    if (is_virtual(parent)) fail(EACCES);
    NameSpace& names = request.server.names;
    Inode* inode = (file->flags & O_EXCL) == 0 ? names.find(parent, name) : nullptr;
    request.count(inode == nullptr ? MetadataOp::kCreate : MetadataOp::kOpen);
    if (inode == nullptr) {
      inode = &names.make(parent, name, S_IFREG | (mode & 07777), request.owner);
    } else if (!inode->is_file()) {
      fail(inode->is_directory() ? EISDIR : EEXIST);
    }
    keep(file, open_file(request, *inode, file->flags));
    return [req, file, entry = entry_of(inode->status)] { fuse_reply_create(req, &entry, file); };
  });
}

void release(fuse_req_t req, fuse_ino_t number, fuse_file_info* file) {
  const std::unique_ptr<Handle> closed(&handle(file));
  answer_done(req, [=](Request& request) {
    if (is_virtual(number)) return;
    request.count(MetadataOp::kClose);
    if (file->flock_release != 0) release_flock(req, number, file);
    --request.server.names.file(number).opens;
    request.server.collect(number);
  });
}

// Returns true if a request is as large as FUSE carries (less if the buffer does not start on a
// page), so that more of the same call may follow.
bool may_go_on(std::size_t size) { return size > kLargestRequest - kPageSize; }

// Waits while another client has begun, but not finished, a write to the object.
void wait_for_object(Request& request, const Inode& inode, std::uint32_t object) {
  request.wait_until([&] {
    const auto found = inode.unfinished.find(object);
    return found == inode.unfinished.end() || found->second.client == request.client ||
           found->second.until < Clock::now();
  });
}

// Returns the part of `text` that a read at `offset` gets.
std::vector<std::uint8_t> part(const std::string& text, std::size_t size, std::size_t offset) {
  const std::size_t start = std::min(offset, text.size());
  const std::size_t end = start + std::min(size, text.size() - start);
  return {text.begin() + static_cast<std::ptrdiff_t>(start),
          text.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::vector<std::uint8_t> read_file(Request& request, Inode& inode, std::size_t size,
                                    std::uint64_t offset, Handle& from) {
  if (offset >= inode.size()) return {};
  std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(size, inode.size() - offset));
  request.server.need_layout(inode);
  const Range range{offset, offset + bytes.size()};
  const bool sequential = from.next_read == offset || may_go_on(size);
  for (const Piece& piece : inode.striped.layout.split(range)) {
    wait_for_object(request, inode, piece.object);
    const Range part{piece.offset, piece.offset + piece.range.size()};
    request.wait(request.server.model.read(request.client, inode.striped, part, inode.size(),
                                           sequential, (from.flags & O_DIRECT) != 0));
  }
  from.next_read = range.end;
  ObjectStore::read(inode.objects, inode.striped.layout, bytes, offset);
  return bytes;
}

void read(fuse_req_t req, fuse_ino_t number, std::size_t size, off_t offset, fuse_file_info* file) {
  answer(req, [=](Request& request) {
    Handle& from = handle(file);
    const auto start = static_cast<std::uint64_t>(offset);
    std::vector<std::uint8_t> bytes =
        is_virtual(number)
            ? part(from.text, size, start)
            : read_file(request, request.server.names.file(number), size, start, from);
    return [req, bytes = std::move(bytes)] {
      fuse_reply_buf(req, reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
  });
}

// Writes stripe by stripe, in the order in which a client gets its locks.
void write_file(Request& request, Inode& inode, std::span<const std::uint8_t> bytes,
                std::uint64_t offset, int flags) {
  if ((flags & O_APPEND) != 0) {
    // The kernel's idea of the end may be older than the data that another mount has appended.
    offset = inode.size();
    inode.set_size(offset + bytes.size());
  }
  const bool at_once = (flags & (O_DIRECT | O_DSYNC | O_SYNC)) != 0;
  request.server.need_layout(inode);
  const Layout& layout = inode.striped.layout;
  const Range range{offset, offset + bytes.size()};
  bool certain = bytes.size() < kLargestRequest;
  for (const Piece& piece : layout.split(range)) {
    wait_for_object(request, inode, piece.object);
    if (const auto begun = inode.unfinished.find(piece.object); begun != inode.unfinished.end()) {
      certain = certain || begun->second.client == request.client;
      inode.unfinished.erase(begun);
    }
    request.wait(request.server.write(request.client, inode,
                                      bytes.subspan(piece.offset - offset, piece.range.size()),
                                      piece.offset, at_once));
    if (!piece.ends_stripe && may_go_on(bytes.size())) {
      inode.unfinished[piece.object] = {request.client,
                                        request.until + (certain ? kLongPatience : kPatience)};
    }
  }
}

void write(fuse_req_t req, fuse_ino_t number, const char* buffer, std::size_t size, off_t offset,
           fuse_file_info* file) {
  answer(req, [=](Request& request) {
    if (is_virtual(number)) {
      virtual_write(request.server, number);
    } else {
      write_file(request, request.server.names.file(number),
                 {reinterpret_cast<const std::uint8_t*>(buffer), size},
                 static_cast<std::uint64_t>(offset), file->flags);
    }
    return [=] { fuse_reply_write(req, size); };
  });
}

void sync(fuse_req_t req, fuse_ino_t number, int, fuse_file_info*) {
  answer_done(req, [=](Request& request) {
    if (is_virtual(number)) return;
    request.count(MetadataOp::kFsync);
    Inode& inode = request.server.names.file(number);
    request.wait(request.server.model.flush(request.client, inode.striped));
  });
}

void sync_directory(fuse_req_t req, fuse_ino_t, int, fuse_file_info*) {
  answer_done(req, [](Request& request) { request.count(MetadataOp::kFsync); });
}

void allocate(fuse_req_t req, fuse_ino_t number, int mode, off_t offset, off_t length,
              fuse_file_info*) {
  answer_done(req, [=](Request& request) {
    request.count(MetadataOp::kAllocate);
    if (offset < 0 || length <= 0) fail(EINVAL);
    Inode& inode = request.server.names.file(number);
    const auto start = static_cast<std::uint64_t>(offset);
    const Range range{start, start + static_cast<std::uint64_t>(length)};
    const bool punch = mode == (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
    const bool zero = (mode & ~FALLOC_FL_KEEP_SIZE) == FALLOC_FL_ZERO_RANGE;
    if (!punch && !zero && (mode & ~FALLOC_FL_KEEP_SIZE) != 0) fail(EOPNOTSUPP);
    if (punch || zero) request.wait(request.server.zero(request.client, inode, range));
    if ((mode & FALLOC_FL_KEEP_SIZE) == 0) inode.set_size(std::max(inode.size(), range.end));
  });
}

}  // namespace

void add_file_operations(fuse_lowlevel_ops& operations) {
  operations.open = open;
  operations.create = create;
  operations.release = release;
  operations.read = read;
  operations.write = write;
  operations.fsync = sync;
  operations.fsyncdir = sync_directory;
  operations.fallocate = allocate;
}

}  // namespace onecast::lab
