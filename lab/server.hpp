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
  StripeRequest striping;      // of files without a request
  std::string store;           // a directory; empty for memory
  bool strict_layout = false;  // a layout can be set only before the file has one
  Owner owner;
};

// The one file system behind all mounts. Users of it hold `mutex`.
class Server {
 public:
  explicit Server(const ServerOptions& options);

  std::mutex mutex;
  NameSpace names;
  StorageModel model;
  FileLocks locks;

  // Gives a file its objects, unless it has them.
  void need_layout(Inode& inode);
  void set_striping(Inode& inode, const StripeRequests& requests);
  // Returns the value of lustre.lov; empty if there is none.
  std::vector<std::uint8_t> lov(const Inode& inode) const;

  Time write(std::uint32_t client, Inode& inode, std::span<const std::uint8_t> bytes,
             std::uint64_t offset, bool at_once);
  Time truncate(std::uint32_t client, Inode& inode, std::uint64_t size);
  Time zero(std::uint32_t client, Inode& inode, Range hole);
  // Removes the inode if nothing refers to it any more.
  void collect(InodeNumber number);

  // Returns the counters; if requested, the clients first send the data that they hold back.
  std::string counters(bool send_all);

 private:
  StripeRequest complete(const StripeRequest& request) const;

  ServerOptions options_;
  ObjectStore store_;
  std::uint32_t next_ost_ = 0;
};

}  // namespace onecast::lab
