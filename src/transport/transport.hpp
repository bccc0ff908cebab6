#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/namespaces.hpp"
#include "transport/file_identity.hpp"

namespace onecast::transport {

/// HDF5's kinds of locks: one writer, or several readers.
enum class LockKind : unsigned char { shared, exclusive };

/// The bytes of one file at offsets from its start (including a user block). Calls are independent
/// of other ranks. Errors are Error (io) that name the file, the call and the offset.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Reads into all of `out`; fewer bytes only at the end of the file. Returns how many it read.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Writes all of `bytes`.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;

  /// Writes pieces of memory one after the other, as one write. If the system takes no list of
  /// pieces, they are joined.
  virtual void write_parts_at(std::uint64_t offset,
                              std::span<const std::span<const std::byte>> parts);

  /// Allocates space for [offset, offset + size), so that later writes find room. Keeps existing
  /// bytes. Does nothing if the system cannot allocate ahead.
  virtual void reserve(std::uint64_t /*offset*/, std::uint64_t /*size*/) {}

  /// Frees the space of unused bytes [offset, offset + size): they read as zeros, or as before,
  /// until they are written. The size of the file stays. Does nothing, and throws nothing, if the
  /// system cannot do this.
  virtual void give_back(std::uint64_t /*offset*/, std::uint64_t /*size*/) {}

  /// True if a call found no room, on the disk or in the quota, since the last call of this
  /// function.
  virtual bool take_lack_of_room() { return false; }

  /// Forces written bytes to stable storage.
  virtual void sync() = 0;

  /// False if this process opens the file only when it first reads or writes.
  [[nodiscard]] virtual bool is_open() { return true; }

  /// The size of the file in bytes.
  virtual std::uint64_t size() = 0;

  /// Locks the file until it is closed; waits at most half a second. Throws Error (io): with errno
  /// EAGAIN if another process holds a lock, with ENOSYS, EOPNOTSUPP or ENOLCK if the file system
  /// has no locks.
  virtual void lock(LockKind kind) = 0;

  /// Forces the name of a new file to stable storage.
  virtual void sync_name() = 0;

  /// The descriptor of a file of the operating system that has the same bytes at the same offsets;
  /// -1 if there is none. It is valid as long as the transport exists.
  virtual int descriptor() { return -1; }

  /// Identifies the file; not known unless it is a file of the operating system.
  virtual FileIdentity identity() { return {}; }

  /// A different stamp means that the file was written.
  virtual FileStamp stamp() { return {size()}; }

  /// Puts a file of OpenMode::replace at its path, in place of what was there. Throws Error (io),
  /// with nothing changed there.
  virtual void take_place() {}
  /// Notes that the file has a new path.
  virtual void moved_to(const std::string& /*path*/) {}

  /// The current path, without symbolic links, if the system tells it.
  virtual std::string resolved_path() { return {}; }

  /// Removes the name; the bytes exist as long as a process has the file open.
  virtual void remove() = 0;
};

/// The ways in which a transport opens its file.
enum class OpenMode : unsigned char {
  read_only,
  read_write,
  create,  ///< a new file; fails if one exists
  /// A new file that is not at its path before take_place(): an existing file (which must be
  /// regular) stays until then. Without take_place(), the new file is removed with the transport.
  replace,
  /// A new unnamed file beside `path`, which no other process can open; it is removed when closed.
  temporary,
};

}  // namespace onecast::transport
