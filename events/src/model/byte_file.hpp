#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "onecast/events/product.hpp"

namespace onecast::events {

/// The file that a link leads to, which may not be there yet. Throws Error (io).
std::string behind_links(const std::string& path);

/// A file of the system. Throws Error (io, not_found) that names the file. read() may be called by
/// several threads.
class ByteFile {
 public:
  /// To read it. Throws if somebody writes it.
  static ByteFile open(const std::string& path);
  /// To write it, as it is until truncate(). Throws if it is open, also as an HDF5 file.
  static ByteFile open_for_writing(const std::string& path);
  /// To write it anew. Throws as open_for_writing(), and leaves the file as it is.
  static ByteFile create(const std::string& path);
  /// To write behind what stands there.
  static ByteFile standard_output();
  /// Throws as create() if the file is open.
  static void require_closed(const std::string& path);
  ByteFile(ByteFile&& other) noexcept;
  ByteFile& operator=(ByteFile&&) = delete;
  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;
  ~ByteFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const;
  /// Reads up to out.size() bytes; fewer only at the end of the file.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const;
  /// Of a regular file.
  void truncate();
  /// Writes behind what was written before, one behind the other.
  void append(std::span<const Bytes> pieces);
  /// Closes the file; throws if what was written did not arrive.
  void close();

 private:
  ByteFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  [[noreturn]] void fail(const char* what) const;
  /// Throws if another descriptor has a lock.
  void lock() const;

  std::string path_;
  int descriptor_;
};

}  // namespace onecast::events
