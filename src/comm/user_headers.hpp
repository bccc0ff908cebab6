#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "comm/user_messages.hpp"

namespace onecast::comm {

/// The headers of ranks that a user connects: reductions along a binomial tree, and the notes of
/// ranks that leave.
///
/// A rank that leaves sends a note to its neighbours in the tree and does not wait. Each rank
/// passes a note on to its other neighbours when it first receives one about that file, so the
/// notes of ranks that leave one file together meet, and no rank handles more than a few.
///
/// A rank that waits in a reduction and receives a new note gives the reduction up: its call
/// begins again, or throws. Headers carry the number of notes that their sender knew, and a
/// receiver that knows more discards them: the sender will receive these notes, too, and send
/// again. A receiver never knows less, since the sender has passed on what it knew. A reduction is
/// complete only if all ranks took part with the same notes, so it is complete on all of them.
class UserHeaders {
 public:
  UserHeaders(UserMessages& messages, int rank, int size);

  /// Returns the header of all ranks, or the note of a rank that has left. @collective
  CallHeader reduce(const CallHeader& mine);
  /// Tells the neighbours that this rank leaves. Does not wait.
  void leave(const CallHeader& note);

 private:
  struct Message {
    CallHeader header;
    std::uint64_t notes = 0;  ///< the number of notes that the sender knew
  };

  [[nodiscard]] bool knows(const CallHeader& note) const;
  /// Keeps a new note and sends it to all neighbours except `from`.
  void pass_on(const CallHeader& note, int from);
  void send(int to, const CallHeader& header);
  /// Returns false if the message is a new note, which is `header` then.
  bool receive(int from, CallHeader& header);

  UserMessages& messages_;
  int parent_ = -1;            ///< -1: this rank is the root
  std::vector<int> children_;  ///< with ever larger ranges of ranks below them, in rank order
  std::set<std::pair<CallKind, std::uint32_t>> notes_;  ///< kinds of answers and their files
};

}  // namespace onecast::comm
