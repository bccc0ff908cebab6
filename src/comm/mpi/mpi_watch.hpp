#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "comm/mpi/mpi_names.hpp"

namespace onecast::comm {

/// Reports on stderr which ranks wait for which, once a rank has waited in one call for the number
/// of seconds in the environment variable ONECAST_WATCH (default 60; 0: never). With
/// ONECAST_WATCH_ABORT=1 it then ends the job.
///
/// Costs nothing before that: only a rank that has waited so long asks all others, in messages of
/// its own, whether they wait in the same call. Ranks look for such messages after they have waited
/// for a second. A rank that does not answer has not arrived. A rank does not ask if a lower rank,
/// or any earlier one, has asked.
///
/// A rank that waits for a header asks and answers itself. While a rank waits in any other message
/// (`Wait`), a thread of the process does so at intervals. The thread needs MPI_THREAD_MULTIPLE to
/// ask; with less, the lowest two ranks report that they wait.
class MpiWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `comm` is null while it is being created, so that no rank can be asked.
  MpiWatch(const Mpi& mpi, std::optional<MpiComm> comm, int rank, int size);
  MpiWatch(const MpiWatch&) = delete;
  MpiWatch& operator=(const MpiWatch&) = delete;
  ~MpiWatch() { close(); }
  /// Must be called before `comm` is freed. The memory of messages that no rank received is kept.
  void close() noexcept;

  /// Notes that this rank waits, since `since`, for the header of a call.
  void begin(const AwaitedCall& call, Clock::time_point since);
  /// Must be called repeatedly while the rank waits.
  void look();
  /// Notes that the header has arrived: later waits of this rank belong to this call.
  void has_met(const AwaitedCall& call);

  /// While it exists, this rank waits for something other than a header.
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
  /// Called by the thread at intervals. Returns true if this rank has waited for long.
  bool look_from_beside();

  /// The time that a rank waits before it looks for ranks that ask.
  static Clock::duration unwatched();
  /// Receives pending questions to this rank, before it releases `comm`.
  static void drain(const Mpi& mpi, MpiComm comm) noexcept;

 private:
  struct Message {
    std::uint64_t number;  ///< the number of the call
    std::uint64_t kind;    ///< the kind of call of the sending rank
  };
  struct Sent {
    Message message;
    MpiRequest request;
  };

  static constexpr int kAsk = 2;
  static constexpr int kHere = 3;

  void start(Clock::time_point since);
  void look_at(Clock::time_point now);
  void send(int to, int tag);
  static std::optional<Message> received(const Mpi& mpi, MpiComm comm, int tag, int& from);
  void answer();
  void ask();
  void report() const;
  void report_alone() const;
  void end_the_job() const;
  [[nodiscard]] std::string waits(std::size_t others) const;

  const Mpi& mpi_;
  std::optional<MpiComm> comm_;
  int rank_;
  int size_;
  bool may_ask_;                             ///< the thread, too, may ask
  std::atomic<Clock::rep> waits_since_ = 0;  ///< see Wait; 0: this rank does not wait
  std::mutex mutex_;                         ///< guards what follows
  std::list<Sent> sent_;

  std::string path_;
  std::string call_;
  Message mine_{};
  bool is_beside_ = false;  ///< the thread is looking, not the rank
  Clock::time_point since_;
  Clock::time_point next_look_;
  std::optional<Clock::time_point> asked_;
  bool is_told_ = false;               ///< another rank asked, or this one has reported
  std::map<int, std::uint64_t> here_;  ///< ranks that wait as well, with the kind of their call
};

}  // namespace onecast::comm
