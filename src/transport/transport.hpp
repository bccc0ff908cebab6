#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/namespaces.hpp"
#include "transport/file_identity.hpp"

namespace onecast::transport {

/// As HDF5 locks files: writers alone, readers together.
enum class LockKind : unsigned char { shared, exclusive };

/// Bytes at offsets of one file. Offsets count from the start of the file (a user block included).
/// Calls are independent of other ranks. Errors are Error (io) naming the file, the call and the
/// offset.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Reads into all of `out`; fewer bytes only at the end of the file. Returns how many.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Writes all of `bytes`.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;

  /// Writes pieces of memory one behind the other, as one write. Where the system takes no list of
  /// pieces, they are joined.
  virtual void write_parts_at(std::uint64_t offset,
                              std::span<const std::span<const std::byte>> parts);

  /// Takes the space for [offset, offset + size), so that later writes there find room. Keeps the
  /// bytes that are there. Does nothing where the system cannot take space ahead.
  virtual void reserve(std::uint64_t /*offset*/, std::uint64_t /*size*/) {}

  /// Gives the space of [offset, offset + size) back, which nobody needs: it reads as zeros, or as
  /// before, until somebody writes. The size of the file stays. Does nothing, and throws nothing,
  /// where the system cannot.
  virtual void give_back(std::uint64_t /*offset*/, std::uint64_t /*size*/) {}

  /// Has a call found no room, on the disk or in the quota, since somebody asked here?
  virtual bool take_lack_of_room() { return false; }

  /// Forces what was written to stable storage.
  virtual void sync() = 0;

  /// False: this process opens the file when it first reads or writes.
  [[nodiscard]] virtual bool is_open() { return true; }

  /// The size of the file in bytes.
  virtual std::uint64_t size() = 0;

  /// Locks the file until it is closed; waits half a second at most. Throws Error (io): with errno
  /// EAGAIN if another has it locked, with ENOSYS, EOPNOTSUPP or ENOLCK if the file system has no
  /// locks.
  virtual void lock(LockKind kind) = 0;

  /// Forces the name of a new file to stable storage.
  virtual void sync_name() = 0;

  /// Which file it is; not known of what is no file of the system.
  virtual FileIdentity identity() { return {}; }

  /// Another one than before says that somebody has written to the file.
  virtual FileStamp stamp() { return {size()}; }

  /// A file of OpenMode::replace takes the place of what was at its path, which is gone then.
  /// Throws Error (io); then nothing has changed there.
  virtual void take_place() {}
  /// It was given another path.
  virtual void moved_to(const std::string& /*path*/) {}

  /// Where it lies now, without symbolic links, if the system says so.
  virtual std::string resolved_path() { return {}; }

  /// Removes the name; the bytes are there for as long as someone has the file open.
  virtual void remove() = 0;
};

/// How a transport opens its file.
enum class OpenMode : unsigned char {
  read_only,
  read_write,
  create,  ///< a new file; fails if one is there
  /// A new file, which is not at its path before take_place(): what is there (only a regular file)
  /// stays till then. If it never is called, the new file is gone with the transport.
  replace,
  /// A new file without a name, beside `path`, which nobody else can open: it is gone once closed.
  temporary,
};

}  // namespace onecast::transport
