#include "comm/collective_calls.hpp"

#include <fmt/format.h>

#include "base/make_error.hpp"

namespace onecast::comm {
namespace {

std::string in_words(const CallHeader& answer) {
  return fmt::format("rank {} left: {}", answer.first.rank, answer.reason());
}

}  // namespace

void CollectiveCalls::meet(CallHeader& header, const std::string& path,
                           const CollectiveCall& call) {
  await_answers({path, call, count_});
  const CallHeader mine = header;
  while (true) {
    if (const std::string* why = why_left(mine.first.file))
      throw diverged_error("{}: {}", path, *why);
    const auto reduction = comm_.begin_header(mine);
    comm_.wait_for(*reduction, {path, call, count_});
    ++count_;
    header = reduction->value();
    if (!is_answer(header.first.kind)) return;
    // The answer is for another file, so all ranks of this call make it once more.
    hear(header);
  }
}

void CollectiveCalls::hear(const CallHeader& answer) {
  if (answer.first.kind == CallKind::part)
    over_ = in_words(answer);
  else
    left_.emplace(answer.first.file, in_words(answer));
}

const std::string* CollectiveCalls::why_left(std::uint32_t file) const {
  const auto left = left_.find(file);
  if (left != left_.end()) return &left->second;
  return over_.empty() ? nullptr : &over_;
}

void CollectiveCalls::begin(CallKind kind, std::uint32_t file, std::string_view reason) {
  CallHeader header;
  header.first.rank = comm_.rank();
  header.first.kind = kind;
  header.first.file = file;
  header.kinds = CallHeader::bit(kind);
  header.set_reason(reason);
  answers_.push_back(comm_.begin_header(header));
  own_.push_back({file, std::string(reason)});
}

void CollectiveCalls::await_answers(const AwaitedCall& call) {
  while (!answers_.empty()) {
    const auto reduction = std::move(answers_.front());
    const Answer mine = std::move(own_.front());
    answers_.pop_front();
    own_.pop_front();
    comm_.wait_for(*reduction, call);
    ++count_;
    const CallHeader& heard = reduction->value();
    hear(heard);
    // Two ranks left two files at once, and the other ranks learned of only one.
    if (heard.first.kind == CallKind::leave && heard.first.file != mine.file)
      begin(CallKind::leave, mine.file, mine.reason);
  }
}

void CollectiveCalls::leave(std::uint32_t file, std::string_view reason) {
  if (parted_ || why_left(file) != nullptr || comm_.size() == 1) return;
  begin(CallKind::leave, file, reason);
  left_.emplace(file, fmt::format("rank {} left: {}", comm_.rank(), reason));
}

void CollectiveCalls::part(std::string_view reason) {
  if (parted_ || comm_.size() == 1) return;
  parted_ = true;
  begin(CallKind::part, 0, reason);
  over_ = fmt::format("rank {} left: {}", comm_.rank(), reason);
}

void CollectiveCalls::add(const std::shared_ptr<const Preparation>& preparation) {
  std::erase_if(preparations_, [](const auto& one) { return one.expired(); });
  preparations_.push_back(preparation);
}

void CollectiveCalls::prepare_all() const {
  for (const auto& one : preparations_)
    if (const auto prepare = one.lock()) (*prepare)();
}

}  // namespace onecast::comm
