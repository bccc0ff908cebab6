#pragma once

#include <mutex>
#include <string>

#include "file_locks.hpp"
#include "name_space.hpp"
#include "object_store.hpp"
#include "storage_model.hpp"

namespace onecast::lab {

struct ServerOptions {
  ModelOptions model;
  StripeRequest striping;      // of files that ask for nothing
  std::string store;           // a directory; empty for memory
  bool strict_layout = false;  // a layout is set before the file has one, or not at all
  Owner owner;
};

// The one file system behind all mounts. Whoever uses it holds `mutex`.
class Server {
 public:
  explicit Server(const ServerOptions& options);

  std::mutex mutex;
  NameSpace names;
  StorageModel model;
  FileLocks locks;

  // Gives a file its objects, if it has none yet.
  void need_layout(Inode& inode);
  void set_striping(Inode& inode, const StripeRequests& requests);
  // The value of lustre.lov; empty where there is none.
  std::vector<std::uint8_t> lov(const Inode& inode) const;

  Time write(std::uint32_t client, Inode& inode, std::span<const std::uint8_t> bytes,
             std::uint64_t offset, bool at_once);
  Time truncate(std::uint32_t client, Inode& inode, std::uint64_t size);
  Time zero(std::uint32_t client, Inode& inode, Range hole);
  // Removes the inode if nothing refers to it any more.
  void collect(InodeNumber number);

  // What the clients still hold back is sent first, if asked for.
  std::string counters(bool send_all);

 private:
  StripeRequest complete(const StripeRequest& request) const;

  ServerOptions options_;
  ObjectStore store_;
  std::uint32_t next_ost_ = 0;
};

}  // namespace onecast::lab
