#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "comm/call_header.hpp"

namespace onecast {

/// Says on stderr who waits for whom, once a rank has waited in one call for so many seconds as the
/// environment variable ONECAST_WATCH says (60; 0: never). With ONECAST_WATCH_ABORT=1 it ends the
/// job then.
///
/// Costs nothing before: only a rank that has waited that long asks all others, by messages of its
/// own, whether they wait in the same call, as they look out for from their first second on. Who
/// does not answer has not come. Whoever hears that a lower rank asks, or any asked before, does
/// not.
class MpiWatch {
 public:
  using Clock = std::chrono::steady_clock;

  MpiWatch(MPI_Comm comm, int rank, int size);
  MpiWatch(const MpiWatch&) = delete;
  MpiWatch& operator=(const MpiWatch&) = delete;
  /// Messages that nobody has taken stay in memory.
  ~MpiWatch();

  /// From here on this rank waits, since `since`, in a call.
  void begin(const AwaitedCall& call, Clock::time_point since);
  /// To be called again and again while it waits.
  void look();

  /// So long a rank waits before it looks out for others that ask.
  static Clock::duration unwatched();
  /// Takes what was asked of this rank, before it lets go of `comm`.
  static void drain(MPI_Comm comm) noexcept;

 private:
  struct Message {
    std::uint64_t number;  ///< of the call
    std::uint64_t kind;    ///< of the call of the rank that sends it
  };
  struct Sent {
    Message message;
    MPI_Request request;
  };

  static constexpr int kAsk = 2;
  static constexpr int kHere = 3;

  void send(int to, int tag);
  static std::optional<Message> received(MPI_Comm comm, int tag, int& from);
  void answer();
  void ask();
  void report() const;
  [[nodiscard]] std::string text(const std::vector<int>& missing) const;

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::list<Sent> sent_;

  std::string path_;
  std::string call_;
  Message mine_{};
  Clock::time_point since_;
  Clock::time_point next_look_;
  std::optional<Clock::time_point> asked_;
  bool is_told_ = false;               ///< another rank asked, or this one said what is to be said
  std::map<int, std::uint64_t> here_;  ///< ranks that wait as well, and the kind of their call
};

}  // namespace onecast
