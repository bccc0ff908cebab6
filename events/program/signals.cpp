#include "signals.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>
#include <string_view>

#include "model/files_beside.hpp"

namespace onecast::events {
namespace {

constexpr unsigned kPatience = 2;  // seconds

std::atomic<bool> stop_requested = false;
std::atomic<bool> is_speaking = false;

void say(std::string_view text) {
  if (is_speaking) static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

std::string removed, removed_too;
constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP};

extern "C" void remove_and_end(int signal) {
  if (!removed.empty()) {
    unlink(removed.c_str());
    unlink(removed_too.c_str());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void say_what_is_awaited(int) {
  say("onecast-events: stopped by a signal: waits for the events that have begun; another signal "
      "ends it at once\n");
}

/// A signal that a parent passes on arrives at once; it does not count as a second one.
extern "C" void request_stop(int signal) {
  static std::atomic<std::time_t> first = 0;
  const std::time_t now = std::time(nullptr);
  std::time_t before = 0;
  if (first.compare_exchange_strong(before, now)) {
    stop_requested = true;
    alarm(kPatience);
  } else if (now - before >= static_cast<std::time_t>(kPatience)) {
    say("onecast-events: ended by a second signal; the events that had begun are lost\n");
    remove_and_end(signal);
  }
}

}  // namespace

StopBySignal::StopBySignal(bool speaks) {
  is_speaking = speaks;
  std::signal(SIGALRM, say_what_is_awaited);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

// The handlers stay: a signal that arrives now is too late for the job.
StopBySignal::~StopBySignal() { is_speaking = false; }

const std::atomic<bool>& StopBySignal::requested() const { return stop_requested; }

void remove_at_signal(const std::string& path) {
  removed.clear();
  removed_too = path.empty() ? std::string() : journal_beside(path);
  removed = path;
}

EndBySignal::EndBySignal() {
  for (const int signal : kEnding)
    if (std::signal(signal, remove_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
}

EndBySignal::~EndBySignal() {
  for (const int signal : kEnding)
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace onecast::events
