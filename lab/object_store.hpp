#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "layout.hpp"

namespace onecast::lab {

// The bytes of one object: a file in memory or in a directory. It is empty until it is written.
class ObjectFile {
 public:
  ObjectFile() = default;
  ObjectFile(ObjectFile&& other) noexcept;
  ObjectFile& operator=(ObjectFile&& other) noexcept;
  ~ObjectFile();

  // An empty `path` means memory.
  void create(const std::string& path);
  bool exists() const { return descriptor_ >= 0; }
  void write(std::span<const std::uint8_t> bytes, std::uint64_t at);
  // Returns zeros for bytes that were not written.
  void read(std::span<std::uint8_t> bytes, std::uint64_t at) const;
  void truncate(std::uint64_t size);
  void punch(Range hole);

 private:
  int descriptor_ = -1;
  std::string path_;
};

// The objects of all files.
class ObjectStore {
 public:
  // Stores objects in DIRECTORY/ostN/, or in memory if `directory` is empty.
  ObjectStore(std::string directory, std::uint32_t osts);

  void write(std::vector<ObjectFile>& objects, const Layout& layout, std::uint64_t inode,
             std::span<const std::uint8_t> bytes, std::uint64_t offset) const;
  static void read(const std::vector<ObjectFile>& objects, const Layout& layout,
                   std::span<std::uint8_t> bytes, std::uint64_t offset);
  static void truncate(std::vector<ObjectFile>& objects, const Layout& layout, std::uint64_t size);
  static void punch(std::vector<ObjectFile>& objects, const Layout& layout, Range hole);

 private:
  std::string path_of(std::uint32_t ost, std::uint64_t inode, std::uint32_t object) const;

  std::string directory_;
};

}  // namespace onecast::lab
