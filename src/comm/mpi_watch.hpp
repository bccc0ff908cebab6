#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"

namespace onecast::comm {

/// Says on stderr who waits for whom, once a rank has waited in one call for so many seconds as the
/// environment variable ONECAST_WATCH says (60; 0: never). With ONECAST_WATCH_ABORT=1 it ends the
/// job then.
///
/// Costs nothing before: only a rank that has waited that long asks all others, by messages of its
/// own, whether they wait in the same call, as they look out for from their first second on. Who
/// does not answer has not come. Whoever hears that a lower rank asks, or any asked before, does
/// not.
///
/// A rank that waits for a header asks and looks out itself. For one that waits in any other
/// message (`Wait`) a thread of the process does, which looks at a clock now and then. It needs
/// MPI_THREAD_MULTIPLE to ask; with less the lowest two ranks say that they wait.
class MpiWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `comm`: MPI_COMM_NULL where it is still being made, so that nobody can be asked.
  MpiWatch(MPI_Comm comm, int rank, int size);
  MpiWatch(const MpiWatch&) = delete;
  MpiWatch& operator=(const MpiWatch&) = delete;
  ~MpiWatch() { close(); }
  /// Before `comm` goes. Messages that nobody has taken stay in memory.
  void close() noexcept;

  /// From here on this rank waits, since `since`, for the header of a call.
  void begin(const AwaitedCall& call, Clock::time_point since);
  /// To be called again and again while it waits.
  void look();
  /// Its header is there: what this rank waits for next belongs to this call.
  void has_met(const AwaitedCall& call);

  /// As long as it lives this rank waits for something else than a header.
  class Wait {
   public:
    explicit Wait(MpiWatch* watch) : watch_(watch) {
      if (watch_ != nullptr) watch_->waits_since_ = Clock::now().time_since_epoch().count();
    }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    ~Wait() {
      if (watch_ != nullptr) watch_->waits_since_ = 0;
    }

   private:
    MpiWatch* watch_;
  };
  /// By the thread, now and then. Does this rank wait for long?
  bool look_from_beside();

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

  void start(Clock::time_point since);
  void look_at(Clock::time_point now);
  void send(int to, int tag);
  static std::optional<Message> received(MPI_Comm comm, int tag, int& from);
  void answer();
  void ask();
  void report() const;
  void report_alone() const;
  void end_the_job() const;
  [[nodiscard]] std::string waits(std::size_t others) const;

  MPI_Comm comm_;
  int rank_;
  int size_;
  bool may_ask_;                             ///< also the thread
  std::atomic<Clock::rep> waits_since_ = 0;  ///< see Wait; 0: it does not
  std::mutex mutex_;                         ///< of what follows
  std::list<Sent> sent_;

  std::string path_;
  std::string call_;
  Message mine_{};
  bool is_beside_ = false;  ///< it is the thread that looks
  Clock::time_point since_;
  Clock::time_point next_look_;
  std::optional<Clock::time_point> asked_;
  bool is_told_ = false;               ///< another rank asked, or this one said what is to be said
  std::map<int, std::uint64_t> here_;  ///< ranks that wait as well, and the kind of their call
};

}  // namespace onecast::comm
