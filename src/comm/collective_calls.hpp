#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "comm/header_reducer.hpp"

namespace onecast::comm {

/// The collective calls of all files that are open on the ranks of one communicator. They meet one
/// by one, in the order in which each rank makes them.
///
/// A rank that leaves a file answers the next call of the others, whatever it is: it begins that
/// reduction and does not wait for it. So all ranks learn of it, and each rank has taken part in as
/// many reductions as the others. A rank that learns that a file was left knows that all ranks
/// have.
class CollectiveCalls {
 public:
  explicit CollectiveCalls(HeaderReducer& comm) : comm_(comm) {}
  CollectiveCalls(const CollectiveCalls&) = delete;
  CollectiveCalls& operator=(const CollectiveCalls&) = delete;
  ~CollectiveCalls() = default;

  /// The number of the next file that all ranks open.
  std::uint32_t next_file() { return ++files_; }
  /// The number of calls that met so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The number of the next call of these ranks, if it meets no answer.
  [[nodiscard]] std::uint64_t next() const { return count_ + answers_.size(); }

  /// Replaces this rank's `header`, for a `call` of the file at `path`, by the header of all ranks.
  /// Throws Error (diverged) if a rank has left the file, or parted; later calls for the file then
  /// throw at once. @collective
  void meet(CallHeader& header, const std::string& path, const CollectiveCall& call);

  /// Notes that this rank makes no further call for the file, for this `reason`, which the other
  /// ranks learn in their next call. Does not wait.
  void leave(std::uint32_t file, std::string_view reason);
  /// Notes that no rank may use the file any more, as all ranks know.
  void end(std::uint32_t file, std::string_view reason) { left_.emplace(file, reason); }
  /// Notes that this rank makes no further call at all. Does not wait.
  void part(std::string_view reason);
  /// Notes that no rank makes a further call, so no rank need be told.
  void conclude() { parted_ = true; }
  /// Takes the answers that no rank has received yet; the last one says that this rank parts.
  std::deque<std::unique_ptr<HeaderReduction>> take_answers() {
    return std::exchange(answers_, {});
  }

  /// The work that a collective call does on the state of a file before its header meets those of
  /// the other ranks. If calls differ, all ranks do it for all open files, so their states stay
  /// equal and the program can go on. Repeating it must have no effect.
  using Preparation = std::function<void()>;
  /// Keeps the preparation as long as it exists.
  void add(const std::shared_ptr<const Preparation>& preparation);
  void prepare_all() const;

  /// Why the file can have no collective calls any more; null if it can.
  [[nodiscard]] const std::string* why_left(std::uint32_t file) const;

 private:
  void begin(CallKind kind, std::uint32_t file, std::string_view reason);
  void await_answers(const AwaitedCall& call);
  void hear(const CallHeader& answer);

  HeaderReducer& comm_;
  std::uint32_t files_ = 0;
  std::uint64_t count_ = 0;
  std::map<std::uint32_t, std::string> left_;  ///< files, and the reasons
  std::string over_;                           ///< why no file can have calls; empty if they can
  bool parted_ = false;
  std::vector<std::weak_ptr<const Preparation>> preparations_;  ///< in the order in which files
                                                                ///< were opened
  struct Answer {
    std::uint32_t file;
    std::string reason;
  };
  std::deque<Answer> own_;  ///< one for each of `answers_`
  std::deque<std::unique_ptr<HeaderReduction>> answers_;
};

}  // namespace onecast::comm
