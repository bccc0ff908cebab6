#include <fcntl.h>
#include <sys/file.h>

#include <chrono>
#include <thread>

#include "request.hpp"

namespace onecast::lab {
namespace {

Mount& mount_of(fuse_req_t req) { return *static_cast<Mount*>(fuse_req_userdata(req)); }

FileLock owner_of(fuse_req_t req, const fuse_file_info* file, FileLockKind kind) {
  FileLock lock;
  lock.kind = kind;
  lock.client = mount_of(req).client;
  lock.owner = file->lock_owner;
  lock.process = fuse_req_ctx(req)->pid;
  return lock;
}

FileLockMode mode_of(int type) {
  if (type == F_UNLCK) return FileLockMode::kUnlock;
  return type == F_RDLCK ? FileLockMode::kShared : FileLockMode::kExclusive;
}

FileLock lock_of(fuse_req_t req, const fuse_file_info* file, const struct flock& wanted) {
  FileLock lock = owner_of(req, file, FileLockKind::kFcntl);
  lock.mode = mode_of(wanted.l_type);
  const auto start = static_cast<std::uint64_t>(wanted.l_start);
  lock.range = {start,
                wanted.l_len == 0 ? UINT64_MAX : start + static_cast<std::uint64_t>(wanted.l_len)};
  return lock;
}

void wake(Server& server, InodeNumber number) {
  for (const FileLocks::Key key : server.locks.grant(number)) {
    fuse_reply_err(static_cast<fuse_req_t>(const_cast<void*>(key)), 0);
  }
}

void interrupted(fuse_req_t req, void* data) {
  auto& server = *static_cast<Server*>(data);
  const std::lock_guard lock(server.mutex);
  if (server.locks.give_up(req)) fuse_reply_err(req, EINTR);
}

// The kernel reports the last close() of a file, which releases its flock, with a delay: a lock
// that may be in that state is worth a short wait.
constexpr auto kPatience = std::chrono::milliseconds(200);
constexpr auto kStep = std::chrono::milliseconds(1);

void wait_for_close(Server& server, InodeNumber number, const FileLock& wanted) {
  for (auto waited = kStep; waited < kPatience; waited += kStep) {
    {
      const std::lock_guard lock(server.mutex);
      const auto found = server.locks.conflict(number, wanted);
      const auto* open = found ? static_cast<const Handle*>(found->handle) : nullptr;
      if (open == nullptr || !open->may_close) return;
    }
    std::this_thread::sleep_for(kStep);
  }
}

// Answers at once, or when the lock has become free; an interrupted call gives up.
void set_lock(fuse_req_t req, InodeNumber number, const FileLock& wanted, bool may_wait) {
  Server& server = *mount_of(req).server;
  if (!may_wait) wait_for_close(server, number, wanted);
  // This precedes the lock of the server, since libfuse holds a lock of its own when it calls
  // `interrupted`.
  if (may_wait) fuse_req_interrupt_func(req, interrupted, &server);
  int result = 0;
  {
    const std::lock_guard lock(server.mutex);
    server.model.metadata(wanted.client, MetadataOp::kFileLock);
    if (!server.locks.conflict(number, wanted)) {
      server.locks.set(number, wanted);
      wake(server, number);
    } else if (!may_wait) {
      result = EAGAIN;
    } else if (fuse_req_interrupted(req) != 0) {
      result = EINTR;
    } else {
      server.locks.wait(number, wanted, req);
      return;
    }
  }
  fuse_reply_err(req, result);
}

void get_lock(fuse_req_t req, fuse_ino_t number, fuse_file_info* file, struct flock* wanted) {
  answer(req, [=, reply = *wanted](Request& request) mutable {
    request.count(MetadataOp::kFileLock);
    if (const auto found = request.server.locks.conflict(number, lock_of(req, file, reply))) {
      reply.l_type = found->mode == FileLockMode::kShared ? F_RDLCK : F_WRLCK;
      reply.l_whence = SEEK_SET;
      reply.l_start = static_cast<off_t>(found->range.start);
      const bool to_the_end = found->range.end == UINT64_MAX;
      reply.l_len = to_the_end ? 0 : static_cast<off_t>(found->range.size());
      reply.l_pid = found->process;
    } else {
      reply.l_type = F_UNLCK;
    }
    return [=] {
      struct flock told = reply;
      fuse_reply_lock(req, &told);
    };
  });
}

void set_range_lock(fuse_req_t req, fuse_ino_t number, fuse_file_info* file, struct flock* wanted,
                    int sleep) {
  set_lock(req, number, lock_of(req, file, *wanted), sleep != 0);
}

void set_whole_lock(fuse_req_t req, fuse_ino_t number, fuse_file_info* file, int operation) {
  FileLock lock = owner_of(req, file, FileLockKind::kFlock);
  lock.range = {0, UINT64_MAX};
  lock.handle = &handle(file);
  const int kind = operation & ~LOCK_NB;
  if (kind != LOCK_UN) {
    lock.mode = kind == LOCK_SH ? FileLockMode::kShared : FileLockMode::kExclusive;
  }
  set_lock(req, number, lock, (operation & LOCK_NB) == 0);
}

// Called on every close() of a descriptor: releases the fcntl locks of its process; the data stays
// cached.
void flush(fuse_req_t req, fuse_ino_t number, fuse_file_info* file) {
  answer_done(req, [=](Request& request) {
    handle(file).may_close = true;
    request.server.locks.release(number, owner_of(req, file, FileLockKind::kFcntl));
    wake(request.server, number);
  });
}

}  // namespace

void release_flock(fuse_req_t req, InodeNumber number, const fuse_file_info* file) {
  Server& server = *mount_of(req).server;
  server.locks.release(number, owner_of(req, file, FileLockKind::kFlock));
  wake(server, number);
}

void add_lock_operations(fuse_lowlevel_ops& operations) {
  operations.getlk = get_lock;
  operations.setlk = set_range_lock;
  operations.flock = set_whole_lock;
  operations.flush = flush;
}

}  // namespace onecast::lab
