#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "onecast/comm/communicator.hpp"

namespace onecast {

/// Messages between the ranks of a program that has them without MPI: threads, UCX, sockets. Derive
/// from it, and user_communicator() makes a Communicator of it: Onecast builds all else from these
/// functions. Each rank has an object of its own.
///
/// - The messages of one Communicator never meet others: neither the program's nor those of another
///   Communicator. When the last copy of it goes, up to one message from each rank to each other
///   may be left that nobody receives.
/// - Messages of one sender, receiver and tag arrive in the order in which they were sent.
/// - One call at a time, on the thread that calls Onecast, unless any_thread() says otherwise.
/// - A function that cannot do its work throws. Onecast then calls fail(), once, and the call of
///   Onecast throws Error (io) that names the function, the other rank and what was thrown. The
///   Communicator is of no further use on this rank: calls throw Error (state), and closing a file
///   closes it without a flush, as if the rank had been killed.
/// - Nobody waits for ever if receive() throws once the sender cannot send any more: because it is
///   gone, or because its fail() was called. Onecast has no other means to reach it then.
class PointToPoint {
 public:
  PointToPoint() = default;
  PointToPoint(const PointToPoint&) = delete;
  PointToPoint& operator=(const PointToPoint&) = delete;
  virtual ~PointToPoint() = default;

  /// This rank, 0 ... size() - 1, and how many there are. They stay the same.
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Sends to another rank: 1 byte to 64 MiB. Does not wait until the receiver takes them, so it
  /// has a copy where it must; the caller may change `bytes` afterwards. @param tag 0, 1 or 2
  virtual void send(int to, int tag, std::span<const std::byte> bytes) = 0;

  /// Waits for the next message of that rank and tag. It has the size of `bytes`; anything else is
  /// for the function to throw. @param tag 0, 1 or 2
  virtual void receive(int from, int tag, std::span<std::byte> bytes) = 0;

  /// A function of this rank threw, for the `reason`: receive() of other ranks must not wait for
  /// this one any more, but throw.
  virtual void fail(std::string_view reason) noexcept { static_cast<void>(reason); }

  /// May the functions be called on another thread than the one that calls Onecast? Then calls
  /// whose names end in _async are carried out beside their caller, else when they are begun. Still
  /// one call at a time.
  [[nodiscard]] virtual bool any_thread() const { return false; }

  /// A number that this rank has in common with those on the same machine. It decides which ranks
  /// write for others.
  [[nodiscard]] virtual std::uint64_t node() const { return 0; }
};

/// The processes, or threads, that `ranks` connects. It is kept until the last copy of the result
/// goes, open files included. Threads of one process may be ranks, each with an object of its own:
/// files that one of them has open are to the others as those of another process. The bytes of a
/// file do not depend on what its ranks are.
///
/// Every collective call begins with a message from each rank to rank 0 and one back; so this suits
/// tens of ranks, and MPI thousands. Throws Error (invalid_argument): `ranks` is null, its rank is
/// not below its size. Does not communicate. @independent
Communicator user_communicator(std::shared_ptr<PointToPoint> ranks);

}  // namespace onecast
