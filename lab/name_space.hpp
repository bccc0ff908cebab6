#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "layout.hpp"
#include "object_store.hpp"
#include "storage_model.hpp"

namespace onecast::lab {

using InodeNumber = std::uint64_t;
constexpr InodeNumber kRoot = 1;
// Lower numbers belong to the virtual files.
constexpr InodeNumber kFirstInode = 16;

struct Owner {
  uid_t user = 0;
  gid_t group = 0;
};

// A write that the kernel passes in several requests, because FUSE carries at most 1 MiB. The rest
// will follow, and no other request may come in between.
struct Unfinished {
  std::uint32_t client = 0;
  Time until;  // if the rest has not come by then, there is none
};

// A file, a directory or a symbolic link.
struct Inode {
  struct stat status{};
  std::map<std::string, std::vector<std::uint8_t>> attributes;
  // The striping of new files in this directory, or of this file while it is empty.
  std::optional<StripeRequests> striping;

  std::map<std::string, InodeNumber> children;  // of a directory
  InodeNumber parent = 0;
  std::string target;  // of a symbolic link

  StripedState striped;  // of a file; without objects until it has a layout
  std::vector<ObjectFile> objects;
  std::map<std::uint32_t, Unfinished> unfinished;  // by object
  std::uint32_t opens = 0;

  bool is_directory() const { return S_ISDIR(status.st_mode); }
  bool is_file() const { return S_ISREG(status.st_mode); }
  bool has_layout() const { return !striped.objects.empty(); }
  std::uint64_t size() const { return static_cast<std::uint64_t>(status.st_size); }
  void set_size(std::uint64_t size);
  void changed(bool contents);
};

// The tree of names. Operations that are not possible throw std::system_error.
class NameSpace {
 public:
  explicit NameSpace(Owner owner);

  Inode& get(InodeNumber number);
  Inode& directory(InodeNumber number);
  Inode& file(InodeNumber number);
  Inode* find(InodeNumber parent, const std::string& name);
  Inode& lookup(InodeNumber parent, const std::string& name);
  Inode& make(InodeNumber parent, const std::string& name, mode_t mode, Owner owner);
  Inode& link(InodeNumber number, InodeNumber parent, const std::string& name);
  // Returns the inode, which may have lost its last name: see `collect`.
  InodeNumber unlink(InodeNumber parent, const std::string& name);
  void rmdir(InodeNumber parent, const std::string& name);
  std::optional<InodeNumber> rename(InodeNumber from, const std::string& name, InodeNumber to,
                                    const std::string& new_name, bool replace);
  // Removes an inode that has no names and is not open; returns its contents.
  std::optional<Inode> collect(InodeNumber number);
  std::map<InodeNumber, Inode>& all() { return inodes_; }

 private:
  void attach(Inode& parent, const std::string& name, Inode& child);
  void detach(Inode& parent, const std::string& name, Inode& child);
  bool is_below(InodeNumber number, InodeNumber ancestor);

  std::map<InodeNumber, Inode> inodes_;
  InodeNumber next_ = kFirstInode;
};

}  // namespace onecast::lab
