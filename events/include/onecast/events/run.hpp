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

/// The names that texts of errors give to the components of a run, such as "source HDF5". An empty
/// name is not mentioned.
struct ComponentNames {
  std::string source{}, outputer{}, waiter{};
};

/// The options of one run.
struct RunOptions {
  std::size_t threads = 1;
  std::size_t lanes = 0;  ///< events in progress at a time; 0: two for each thread
  std::optional<std::uint64_t> events = {};  ///< at most
  std::uint64_t first = 0;                   ///< the entry of the source to begin with
  bool shares_source = true;                 ///< true if the ranks of the team share one source
  /// No further event is begun once this is true. Ranks that write together end after the round
  /// that they are writing.
  const std::atomic<bool>* stop = nullptr;
  /// Called now and then, on any thread, with the number of events written so far.
  std::function<void(std::uint64_t)> progress{};
  /// If given, texts of errors end with the component that failed and the event.
  ComponentNames names{};

  [[nodiscard]] std::size_t lanes_in_use() const { return lanes != 0 ? lanes : 2 * threads; }
};

/// What a run has done on this rank.
struct Statistics {
  std::uint64_t events = 0;
  std::uint64_t product_bytes = 0;  ///< serialised, before compression
  std::uint64_t bytes_written = 0;
  double seconds = 0;             ///< from the first event to the end of finish
  double processor_seconds = 0;   ///< of all threads of the process during the run
  std::uint64_t peak_memory = 0;  ///< resident bytes of the process
  /// Seconds in each stage, over all lanes.
  std::map<std::string, double> stages{};
  bool stopped = false;  ///< true if RunOptions::stop ended the run before the end of the source
};

/// Brings the events of a source to an outputer, several at a time. Throws the first error; what
/// was written before it is a valid file. Throws Error (invalid_argument) if the source has no
/// entry `first`, unless that is 0. @collective if the outputer is
Statistics run(Source& source, Outputer& outputer, Waiter* waiter, const RunOptions& options,
               Team& team = *alone());

}  // namespace onecast::events
