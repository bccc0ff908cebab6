#pragma once

#include <cstdint>
#include <string>

#include "onecast/events/product.hpp"

namespace onecast::events {

/// Returns the target of a link, which may not exist yet. Throws Error (io).
std::string behind_links(const std::string& path);

/// A file of the system. Its functions throw Error (io, not_found) that names the file. Several
/// threads may call read().
class ByteFile {
 public:
  /// Opens a file for reading. Throws if another process is writing it.
  static ByteFile open(const std::string& path);
  /// Opens a file for writing and keeps its contents until truncate(). Throws if it is open
  /// elsewhere, also as an HDF5 file.
  static ByteFile open_for_writing(const std::string& path);
  /// Opens a file and truncates it. If it throws, as open_for_writing() does, the file is
  /// unchanged.
  static ByteFile create(const std::string& path);
  /// Appends to standard output.
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
  /// The file must be a regular one.
  void truncate();
  /// Appends the pieces, one after the other.
  void append(std::span<const Bytes> pieces);
  /// Closes the file; throws if written data did not arrive.
  void close();

 private:
  ByteFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  [[noreturn]] void fail(const char* what) const;
  /// Throws if another descriptor holds a lock.
  void lock() const;

  std::string path_;
  int descriptor_;
};

}  // namespace onecast::events
