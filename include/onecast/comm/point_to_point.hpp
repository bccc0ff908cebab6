#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "onecast/comm/communicator.hpp"

namespace onecast {

/// Messages between the ranks of a program without MPI: between threads, or over UCX or sockets. A
/// program derives a class from this one, and user_communicator() makes a Communicator of it.
/// Onecast builds all its communication from these functions. Each rank has its own object.
///
/// - The messages of one Communicator never meet other messages: neither those of the program nor
///   those of another Communicator. After the last copy of a Communicator is released, a few small
///   messages of each rank may be left that no rank receives.
/// - Messages with one sender, receiver and tag arrive in the order in which they were sent.
/// - Onecast makes one call at a time, on the thread that calls Onecast, unless any_thread()
///   returns true.
/// - A function that fails throws. Onecast then calls fail() once, and the current call of Onecast
///   throws Error (io), which names the function, the other rank and what was thrown. The
///   Communicator cannot be used on this rank any more: further calls throw Error (state), and
///   closing a file closes it without a flush, as if the rank had been killed.
/// - receive() must throw once the sender cannot send any more, because the sender is gone or
///   because its fail() was called. Otherwise ranks wait forever: Onecast has no other way to reach
///   them.
/// - Each rank calls its functions by itself: all functions are @independent.
class PointToPoint {
 public:
  PointToPoint() = default;
  PointToPoint(const PointToPoint&) = delete;
  PointToPoint& operator=(const PointToPoint&) = delete;
  virtual ~PointToPoint() = default;

  /// The number of this rank, 0 ... size() - 1, and the number of ranks. They must not change.
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Sends 1 byte to 64 MiB to another rank. Must not wait until the receiver takes the message, so
  /// the function copies the bytes if necessary: the caller may change `bytes` afterwards. @param
  /// tag 0, 1 or 2
  virtual void send(int to, int tag, std::span<const std::byte> bytes) = 0;

  /// Waits for the next message from rank `from` with `tag`. The message must have the size of
  /// `bytes`; the function throws if it has another. @param tag 0, 1 or 2
  virtual void receive(int from, int tag, std::span<std::byte> bytes) = 0;

  /// Called after a function of this rank threw, with the `reason`: receive() on other ranks must
  /// then throw instead of waiting for this rank.
  virtual void fail(std::string_view reason) noexcept { static_cast<void>(reason); }

  /// True if the functions may be called on a thread that does not call Onecast. Then calls whose
  /// names end in _async run in the background; otherwise they are complete when they return. In
  /// both cases Onecast makes one call at a time.
  [[nodiscard]] virtual bool any_thread() const { return false; }

  /// A number that is equal for all ranks on one machine. It decides which ranks write for others.
  [[nodiscard]] virtual std::uint64_t node() const { return 0; }
};

/// Makes a Communicator of the processes or threads that `ranks` connects. The object is kept until
/// the last copy of the result is released, including those in open files. Threads of one process
/// may be ranks, each with its own object. A file that one of these threads has open looks to the
/// others as if another process had it open. The bytes of a file do not depend on whether its ranks
/// are threads or processes.
///
/// Collective calls send messages along binary trees, so the busiest rank handles a few for each
/// doubling of the ranks. Throws Error (invalid_argument): `ranks` is null, or its
/// rank is not below its size. Does not communicate. @independent
Communicator user_communicator(std::shared_ptr<PointToPoint> ranks);

}  // namespace onecast
