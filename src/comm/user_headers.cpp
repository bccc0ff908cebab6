#include "comm/user_headers.hpp"

#include <span>
#include <type_traits>

namespace onecast::comm {

UserHeaders::UserHeaders(UserMessages& messages, int rank, int size) : messages_(messages) {
  for (int step = 1; step < size && parent_ < 0; step *= 2) {
    if ((rank & step) != 0)
      parent_ = rank - step;
    else if (rank + step < size)
      children_.push_back(rank + step);
  }
}

CallHeader UserHeaders::reduce(const CallHeader& mine) {
  CallHeader all = mine;
  for (const int child : children_) {
    CallHeader theirs;
    if (!receive(child, theirs)) return theirs;
    combine_headers(all.bytes().data(), theirs.bytes().data());
    all = theirs;
  }
  if (parent_ >= 0) {
    send(parent_, all);
    if (!receive(parent_, all)) return all;
  }
  for (const int child : children_) send(child, all);
  return all;
}

void UserHeaders::leave(const CallHeader& note) {
  constexpr int kNobody = -1;
  if (!knows(note)) pass_on(note, kNobody);
}

bool UserHeaders::knows(const CallHeader& note) const {
  return notes_.contains({note.first.kind, note.first.file});
}

void UserHeaders::pass_on(const CallHeader& note, int from) {
  notes_.emplace(note.first.kind, note.first.file);
  if (parent_ >= 0 && parent_ != from) send(parent_, note);
  for (const int child : children_)
    if (child != from) send(child, note);
}

void UserHeaders::send(int to, const CallHeader& header) {
  static_assert(std::is_trivially_copyable_v<Message>);
  const Message message{header, notes_.size()};
  messages_.send(to, UserMessages::Kind::header, std::as_bytes(std::span(&message, 1)));
}

bool UserHeaders::receive(int from, CallHeader& header) {
  while (true) {
    Message message;
    messages_.receive(from, UserMessages::Kind::header,
                      std::as_writable_bytes(std::span(&message, 1)));
    header = message.header;
    if (!is_answer(header.first.kind)) {
      if (message.notes == notes_.size()) return true;
    } else if (!knows(header)) {
      pass_on(header, from);
      return false;
    }
  }
}

}  // namespace onecast::comm
