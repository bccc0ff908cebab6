#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "layout.hpp"

namespace onecast::lab {

// The bytes of one object: a file in memory or in a directory. Empty until it is written.
class ObjectFile {
 public:
  ObjectFile() = default;
  ObjectFile(ObjectFile&& other) noexcept;
  ObjectFile& operator=(ObjectFile&& other) noexcept;
  ~ObjectFile();

  // `path` is empty for memory.
  void create(const std::string& path);
  bool exists() const { return descriptor_ >= 0; }
  void write(std::span<const std::uint8_t> bytes, std::uint64_t at);
  // Zeros where nothing was written.
  void read(std::span<std::uint8_t> bytes, std::uint64_t at) const;
  void truncate(std::uint64_t size);
  void punch(Range hole);

 private:
  int descriptor_ = -1;
  std::string path_;
};

// Where the objects of all files are kept.
class ObjectStore {
 public:
  // In DIRECTORY/ostN/, or in memory where `directory` is empty.
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
