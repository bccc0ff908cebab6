#pragma once

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "failure.hpp"
#include "server.hpp"

namespace onecast::lab {

constexpr unsigned kLargestRequest = 1 << 20;  // bytes that FUSE carries

// A mount: the view of one client node on the server.
struct Mount {
  Server* server = nullptr;
  std::uint32_t client = 0;
};

// An open file or directory.
struct Handle {
  struct Entry {
    std::string name;
    struct stat status{};
  };

  int flags = 0;
  bool may_close = false;          // a descriptor of it was closed, perhaps the last one
  std::uint64_t next_read = kEof;  // the offset at which a sequential reader would go on
  std::string text;                // of a virtual file
  std::vector<Entry> entries;      // of a directory
};

inline Handle& handle(const fuse_file_info* file) { return *std::bit_cast<Handle*>(file->fh); }

inline void keep(fuse_file_info* file, Handle* handle) {
  file->fh = std::bit_cast<std::uint64_t>(handle);
  file->direct_io = 1;
}

// A request that holds the server's lock.
struct Request {
  Server& server;
  std::unique_lock<std::mutex>& lock;
  std::uint32_t client;
  Owner owner;
  Time until;  // the time before which it is not answered

  void count(MetadataOp op) { until = std::max(until, server.model.metadata(client, op)); }
  void wait(Time time) { until = std::max(until, time); }
  // Releases the server until `ready`.
  template <typename Ready>
  void wait_until(Ready ready) {
    constexpr auto kPause = std::chrono::microseconds(200);
    while (!ready()) {
      lock.unlock();
      std::this_thread::sleep_for(kPause);
      lock.lock();
    }
  }
};

// Runs `body` with the server locked. It returns the reply as a function, which is called after the
// server is unlocked and the modelled time has passed; if it throws, the error is the reply.
template <typename Body>
void answer(fuse_req_t req, Body body) {
  const auto& mount = *static_cast<const Mount*>(fuse_req_userdata(req));
  const fuse_ctx* context = fuse_req_ctx(req);
  int failed = 0;
  try {
    std::unique_lock lock(mount.server->mutex);
    const Owner owner{context->uid, context->gid};
    Request request{*mount.server, lock, mount.client, owner, Clock::now()};
    const auto reply = body(request);
    lock.unlock();
    std::this_thread::sleep_until(request.until);
    reply();
    return;
  } catch (const std::system_error& error) {
    failed = error.code().value();
  } catch (const std::bad_alloc&) {
    failed = ENOMEM;
  }
  fuse_reply_err(req, failed);
}

// Runs requests whose reply is only success.
template <typename Body>
void answer_done(fuse_req_t req, Body body) {
  answer(req, [&](Request& request) {
    body(request);
    return [req] { fuse_reply_err(req, 0); };
  });
}

inline fuse_entry_param entry_of(const struct stat& status) {
  fuse_entry_param entry{};
  entry.ino = status.st_ino;
  entry.generation = 1;
  entry.attr = status;
  return entry;  // no timeouts: every mount always asks
}

// Releases the flock after the last descriptor of an open file is closed; the server is locked.
void release_flock(fuse_req_t req, InodeNumber number, const fuse_file_info* file);

// .lab in the root of every mount has the files counters, peek, reset. See virtual_files.cpp.
std::optional<struct stat> virtual_lookup(InodeNumber parent, const std::string& name);
std::optional<struct stat> virtual_status(InodeNumber number);
std::string virtual_contents(Server& server, InodeNumber number);
void virtual_write(Server& server, InodeNumber number);
std::vector<Handle::Entry> virtual_entries(InodeNumber number);
inline bool is_virtual(InodeNumber number) { return number != kRoot && number < kFirstInode; }

void add_name_operations(fuse_lowlevel_ops& operations);
void add_attribute_operations(fuse_lowlevel_ops& operations);
void add_file_operations(fuse_lowlevel_ops& operations);
void add_lock_operations(fuse_lowlevel_ops& operations);

}  // namespace onecast::lab
