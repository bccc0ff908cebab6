#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "onecast/events/component.hpp"

namespace onecast::events {

/// What errors of a run call its components, such as "source HDF5". Empty: they do not.
struct ComponentNames {
  std::string source{}, outputer{}, waiter{};
};

/// What one run does.
struct RunOptions {
  std::size_t threads = 1;
  std::size_t lanes = 0;                     ///< events at the same time; 0: two for each thread
  std::optional<std::uint64_t> events = {};  ///< at most
  std::uint64_t first = 0;                   ///< entry of the source to begin with
  bool shares_source = true;                 ///< do the ranks of the team read one source?
  /// True: no further event is begun. Ranks that write together end behind the round that they
  /// write.
  const std::atomic<bool>* stop = nullptr;
  /// Called now and then with the number of events that are written, on any thread.
  std::function<void(std::uint64_t)> progress{};
  /// If given, the text of an error has behind it which component failed, and at which event.
  ComponentNames names{};

  [[nodiscard]] std::size_t lanes_in_use() const { return lanes != 0 ? lanes : 2 * threads; }
};

/// What a run has done, on this rank.
struct Statistics {
  std::uint64_t events = 0;
  std::uint64_t product_bytes = 0;  ///< serialised, before compression
  std::uint64_t bytes_written = 0;
  double seconds = 0;             ///< from the first event to the end of finish
  double processor_seconds = 0;   ///< of all threads of the process, meanwhile
  std::uint64_t peak_memory = 0;  ///< bytes of the process, resident
  /// Seconds in each stage, over all lanes.
  std::map<std::string, double> stages{};
  bool stopped = false;  ///< before the end of the source: by RunOptions::stop
};

/// Brings the events of a source to an outputer, several at a time. Throws the first error; what
/// was written before it is in a valid file. Throws Error (invalid_argument) if the source has no
/// entry `first`, unless that is 0. @collective if the outputer is
Statistics run(Source& source, Outputer& outputer, Waiter* waiter, const RunOptions& options,
               Team& team = *alone());

}  // namespace onecast::events
