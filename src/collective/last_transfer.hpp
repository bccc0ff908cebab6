#pragma once

#include <cstdint>
#include <string>

#include "collective/collective_file.hpp"
#include "onecast/transport/io_stats.hpp"

namespace onecast {

/// Do some ranks transfer for others?
bool uses_aggregators(Method method);
/// How many stripes there are from the first byte to the last.
std::uint64_t stripes_within(const AccessSummary& wanted, std::uint64_t stripe_size);
/// Why, and the counts, in words.
std::string describe(const Choice& choice, const AccessSummary& wanted, std::uint64_t stripe_size,
                     std::size_t aggregators);

/// How the last read_all or write_all of a file went, on this rank: what File::explain tells.
class LastTransfer {
 public:
  /// `call`: its name; it is kept. `now`: what was counted so far.
  void begin(const char* call, const IoStats& now);
  void end(const IoStats& now) { after_ = now; }

  /// The words are kept. `bytes`: of this rank, as they are stored.
  void took(const char* method, const char* why, std::uint64_t bytes);
  /// What its last call chose.
  void took(const CollectiveFile& file);

  [[nodiscard]] std::string sentence() const;

 private:
  [[nodiscard]] std::string what() const;

  const char* call_ = nullptr;
  const char* method_ = nullptr;  ///< null: it failed before there was one
  const char* why_ = nullptr;
  std::uint64_t bytes_ = 0;
  Choice choice_;  ///< if method_ is its
  AccessSummary wanted_;
  std::uint64_t stripe_size_ = 0;
  std::size_t aggregators_ = 0;
  IoStats before_;
  IoStats after_;
};

}  // namespace onecast
