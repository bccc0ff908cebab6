#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "comm/mpi/mpi_watch.hpp"

namespace onecast::comm {
namespace {

using Seconds = std::chrono::duration<double>;

/// 0: never.
Seconds patience() {
  constexpr double kDefault = 60;
  const char* wanted = std::getenv("ONECAST_WATCH");
  if (wanted == nullptr || *wanted == '\0') return Seconds(kDefault);
  char* end = nullptr;
  const double seconds = std::strtod(wanted, &end);
  return Seconds(*end == '\0' && seconds >= 0 ? seconds : kDefault);
}

bool aborts() {
  const char* wanted = std::getenv("ONECAST_WATCH_ABORT");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

/// Formats ranks: "rank 3", "ranks 0, 2 to 5".
std::string ranks_in_words(const std::vector<int>& ranks) {
  constexpr std::size_t kMost = 16;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  std::size_t stretches = 0;
  for (std::size_t i = 0; i < ranks.size(); ++stretches) {
    if (stretches == kMost) return text + ", ...";
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    text += (stretches == 0 ? "" : ", ") + std::to_string(ranks[i]);
    if (end - i > 1) text += (end - i > 2 ? " to " : ", ") + std::to_string(ranks[end - 1]);
    i = end;
  }
  return text;
}

std::string time_of_day(std::chrono::steady_clock::time_point then) {
  const auto ago =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - then);
  const std::time_t at =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() - ago);
  std::tm local{};
  localtime_r(&at, &local);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%H:%M:%S", &local);
  return text.data();
}

/// Looks at the watches of all communicators. Started with the first watch and never ended; it
/// sleeps while there is none.
class WatchThread {
 public:
  static WatchThread& get() {
    static auto* const kTheOne = new WatchThread;
    return *kTheOne;
  }

  void add(MpiWatch& watch) {
    if (patience().count() <= 0) return;
    const std::scoped_lock lock(mutex_);
    watches_.push_back(&watch);
    if (std::exchange(runs_, true)) return changed_.notify_all();
    try {
      std::thread([this] { run(); }).detach();
    } catch (const std::system_error&) {
      return;  // then only headers are watched
    }
  }
  void remove(MpiWatch& watch) {
    const std::scoped_lock lock(mutex_);
    std::erase(watches_, &watch);
  }
  /// The longest delay until it notices that this rank waits.
  static Seconds pace() { return std::clamp(patience() / 10, Seconds(0.02), Seconds(6)); }

 private:
  void run() {
    constexpr Seconds kWhileOneWaits(0.02);
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return !watches_.empty(); });
      bool waits = false;
      for (MpiWatch* watch : watches_) waits = watch->look_from_beside() || waits;
      lock.unlock();
      std::this_thread::sleep_for(waits ? kWhileOneWaits : pace());
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<MpiWatch*> watches_;
  bool runs_ = false;
};

}  // namespace

MpiWatch::MpiWatch(const Mpi& mpi, std::optional<MpiComm> comm, int rank, int size)
    : mpi_(mpi), comm_(comm), rank_(rank), size_(size), may_ask_(comm && mpi.allows_threads()) {
  WatchThread::get().add(*this);
}

void MpiWatch::close() noexcept {
  WatchThread::get().remove(*this);
  std::erase_if(sent_, [this](Sent& sent) {
    try {
      return !mpi_.is_running() || mpi_.test(sent.request, "MPI_Test");
    } catch (const Error&) {
      return false;
    }
  });
  // MPI may still read the messages.
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
  if (!sent_.empty()) static_cast<void>(new std::list<Sent>(std::move(sent_)));
  sent_.clear();
}

MpiWatch::Clock::duration MpiWatch::unwatched() {
  constexpr Seconds kMost(1);
  const Seconds limit = patience();
  return std::chrono::duration_cast<Clock::duration>(limit.count() > 0 ? std::min(kMost, limit / 2)
                                                                       : kMost);
}

void MpiWatch::begin(const AwaitedCall& call, Clock::time_point since) {
  has_met(call);
  const std::scoped_lock lock(mutex_);
  is_beside_ = false;
  start(since);
}

void MpiWatch::has_met(const AwaitedCall& call) {
  const std::scoped_lock lock(mutex_);
  path_ = call.path;
  call_ = call.call.in_words();
  mine_ = {call.number, static_cast<std::uint64_t>(call.call.kind)};
}

void MpiWatch::start(Clock::time_point since) {
  since_ = next_look_ = since;
  asked_.reset();
  is_told_ = false;
  here_.clear();
}

void MpiWatch::look() {
  constexpr std::chrono::milliseconds kPause(20);
  const auto now = Clock::now();
  if (now < next_look_) return;
  next_look_ = now + kPause;
  const std::scoped_lock lock(mutex_);
  look_at(now);
}

bool MpiWatch::look_from_beside() {
  const Clock::rep waits_since = waits_since_;
  const Clock::time_point since{Clock::duration(waits_since)};
  const auto now = Clock::now();
  if (waits_since == 0 || now - since < unwatched()) return false;
  const std::scoped_lock lock(mutex_);
  if (!std::exchange(is_beside_, true) || since_ != since) start(since);
  try {
    look_at(now);
  } catch (const Error&) {
    is_told_ = true;  // MPI refuses
  }
  return true;
}

void MpiWatch::look_at(Clock::time_point now) {
  constexpr Seconds kForAnswers(1);
  constexpr Seconds kAfterLowerRank(0.1);
  const Seconds limit = patience();
  if (is_beside_ && !may_ask_) {
    if (is_told_ || rank_ > 1 || now - since_ < limit) return;
    is_told_ = true;
    return report_alone();
  }
  answer();
  if (is_told_) return;
  if (asked_) {
    int from = 0;
    while (const auto there = received(mpi_, *comm_, kHere, from))
      if (there->number == mine_.number) here_[from] = there->kind;
    if (now - *asked_ < kForAnswers + (is_beside_ ? WatchThread::pace() : Seconds(0))) return;
    is_told_ = true;
    return report();
  }
  if (limit.count() > 0 && now - since_ > limit + rank_ * kAfterLowerRank) {
    asked_ = now;
    ask();
  }
}

void MpiWatch::send(int to, int tag) {
  Sent& sent = sent_.emplace_back(Sent{mine_, mpi_.constants().request_null});
  sent.request = mpi_.isend(std::as_bytes(std::span(&sent.message, 1)), to, tag, *comm_);
}

std::optional<MpiWatch::Message> MpiWatch::received(const Mpi& mpi, MpiComm comm, int tag,
                                                    int& from) {
  const std::optional<int> there = mpi.iprobe(tag, comm);
  if (!there) return {};
  from = *there;
  Message message{};
  mpi.recv(std::as_writable_bytes(std::span(&message, 1)), from, tag, comm);
  return message;
}

/// Answers ranks that ask whether this rank waits.
void MpiWatch::answer() {
  int from = 0;
  while (const auto asked = received(mpi_, *comm_, kAsk, from)) {
    if (asked->number != mine_.number) continue;
    send(from, kHere);
    // Of two ranks that ask at once, the lower one reports.
    if (!asked_ || from < rank_) is_told_ = true;
  }
}

void MpiWatch::ask() {
  for (int r = 0; r < size_; ++r)
    if (r != rank_) send(r, kAsk);
}

/// Formats "rank 0 and 2 others wait in ..., since ...".
std::string MpiWatch::waits(std::size_t others) const {
  const std::string who = others == 0 ? fmt::format("rank {} waits", rank_)
                                      : fmt::format("rank {} and {} other{} wait", rank_, others,
                                                    others == 1 ? "" : "s");
  const std::string since = fmt::format("since {} ({:.0f} s)", time_of_day(since_),
                                        Seconds(Clock::now() - since_).count());
  if (!comm_)
    return fmt::format("onecast: {} for a communicator of {} to be made, as to open a file, {}",
                       who, size_, since);
  return fmt::format("onecast: {}: {} in {}{} (collective call {}), {}", path_, who,
                     is_beside_ ? "the messages that follow " : "", call_, mine_.number, since);
}

void MpiWatch::report() const {
  std::vector<int> missing;
  for (int r = 0; r < size_; ++r)
    if (r != rank_ && !here_.contains(r)) missing.push_back(r);
  if (missing.empty()) return;
  std::string said = waits(here_.size()) + "; missing: " + ranks_in_words(missing);
  for (const auto& [rank, kind] : here_)
    if (kind != mine_.kind) {
      said += fmt::format("; rank {} waits in {}", rank, name_of(static_cast<CallKind>(kind)));
      break;
    }
  std::fprintf(stderr, "%s\n", said.c_str());
  std::fflush(stderr);
  end_the_job();
}

void MpiWatch::report_alone() const {
  std::fprintf(stderr, "%s; missing: %s\n", waits(0).c_str(),
               !comm_ ? "a rank that does not make it"
                      : "to find out, MPI must be initialized with MPI_THREAD_MULTIPLE");
  std::fflush(stderr);
  end_the_job();
}

void MpiWatch::end_the_job() const {
  if (!aborts()) return;
  std::fprintf(stderr, "onecast: ending the job, as ONECAST_WATCH_ABORT says\n");
  std::fflush(stderr);
  // An exit without MPI_Finalize is noticed by the launcher.
  if (is_beside_ && !mpi_.allows_threads()) std::_Exit(1);
  mpi_.abort();
}

void MpiWatch::drain(const Mpi& mpi, MpiComm comm) noexcept {
  int from = 0;
  try {
    for (const int tag : {kAsk, kHere})
      while (received(mpi, comm, tag, from)) continue;
  } catch (...) {  // NOLINT(bugprone-empty-catch): MPI refuses; then they stay
  }
}

}  // namespace onecast::comm
