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

/// The collective calls of all files that are open on the ranks of one communicator: they meet one
/// by one, in the order in which each rank makes them.
///
/// A rank that leaves a file answers the next call of the others, whatever it is: it begins that
/// reduction and does not wait for it. So all hear of it, and each rank has taken part in as many
/// reductions as the others. Who heard of a file that was left, knows that all have.
class CollectiveCalls {
 public:
  explicit CollectiveCalls(HeaderReducer& comm) : comm_(comm) {}
  CollectiveCalls(const CollectiveCalls&) = delete;
  CollectiveCalls& operator=(const CollectiveCalls&) = delete;
  ~CollectiveCalls() = default;

  /// The number of the next file that all ranks open.
  std::uint32_t next_file() { return ++files_; }
  /// How many calls met so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// `header`, this rank's, of a `call` of the file at `path`, becomes that of all ranks. Throws
  /// Error (diverged) if a rank has left the file, or parted; later calls of it then throw at once.
  /// @collective
  void meet(CallHeader& header, const std::string& path, const CollectiveCall& call);

  /// This rank makes no further call of the file, for the `reason`: the others hear it in their
  /// next call. Does not wait.
  void leave(std::uint32_t file, std::string_view reason);
  /// The file is not to be used by any rank any more, as all ranks know.
  void end(std::uint32_t file, std::string_view reason) { left_.emplace(file, reason); }
  /// This rank makes no further call at all. Does not wait.
  void part(std::string_view reason);
  /// No rank makes any: there is nobody to tell.
  void conclude() { parted_ = true; }
  [[nodiscard]] bool has_parted() const { return parted_; }
  /// Answers that nobody has heard yet, the last of them that this rank parts.
  std::deque<std::unique_ptr<HeaderReduction>> take_answers() {
    return std::exchange(answers_, {});
  }

  /// What a collective call may do to the state of a file before its header meets those of the
  /// others. If calls differ, all ranks do it to all files that are open on them: so they stay
  /// alike, and can go on. It does nothing more if it was done already.
  using Preparation = std::function<void()>;
  /// For as long as `preparation` is there.
  void add(const std::shared_ptr<const Preparation>& preparation);
  void prepare_all() const;

  /// Why the file can have no collective call any more; null if it can.
  [[nodiscard]] const std::string* why_left(std::uint32_t file) const;

 private:
  void begin(CallKind kind, std::uint32_t file, std::string_view reason);
  void settle_answers(const AwaitedCall& call);
  void hear(const CallHeader& answer);

  HeaderReducer& comm_;
  std::uint32_t files_ = 0;
  std::uint64_t count_ = 0;
  std::map<std::uint32_t, std::string> left_;  ///< files, and why
  std::string over_;                           ///< why no file can have calls; empty: they can
  bool parted_ = false;
  std::vector<std::weak_ptr<const Preparation>> preparations_;  ///< as files were opened
  struct Answer {
    std::uint32_t file;
    std::string reason;
  };
  std::deque<Answer> own_;  ///< of each of `answers_`
  std::deque<std::unique_ptr<HeaderReduction>> answers_;
};

}  // namespace onecast::comm
