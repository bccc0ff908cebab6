#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "comm/check_mpi.hpp"
#include "comm/mpi_communicators.hpp"
#include "comm/mpi_headers.hpp"

namespace onecast::comm {

MpiCommunicators& MpiCommunicators::get() {
  // Never destroyed: MPI may be finalized after the destructors of static objects.
  static auto* const kTheOne = new MpiCommunicators;
  return *kTheOne;
}

/// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, when messages can still be sent.
MpiCommunicators::MpiCommunicators() {
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, this),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, this), "MPI_Comm_set_attr");
  MPI_Comm_free_keyval(&key);
}

int MpiCommunicators::at_finalize(MPI_Comm /*self*/, int /*key*/, void* value, void* /*state*/) {
  static_cast<MpiCommunicators*>(value)->finish();
  return MPI_SUCCESS;
}

void MpiCommunicators::add(InUse& communicator) {
  const std::scoped_lock lock(mutex_);
  in_use_.push_back(&communicator);
}

void MpiCommunicators::remove(InUse& communicator) {
  const std::scoped_lock lock(mutex_);
  std::erase(in_use_, &communicator);
}

void MpiCommunicators::retire(MPI_Comm communicator, Answers answers) noexcept {
  const std::scoped_lock lock(mutex_);
  retired_.push_back({communicator, std::move(answers)});
  tidy();
}

/// Other ranks may have met the answer in a call, or with an answer for a file that they left. They
/// then part later, and this rank parts again, until all ranks part in one reduction.
bool MpiCommunicators::is_over(Retired& retired) {
  Answers& answers = retired.answers;
  while (!answers.empty() && answers.front()->is_done()) {
    const CallHeader heard = answers.front()->value();
    answers.pop_front();
    if (!answers.empty() || heard.all(CallKind::part)) continue;
    CallHeader again;
    MPI_Comm_rank(retired.communicator, &again.first.rank);
    again.first.kind = CallKind::part;
    again.kinds = CallHeader::bit(CallKind::part);
    again.set_reason("it has released the file");
    answers.push_back(begin_mpi_header(retired.communicator, again));
  }
  return answers.empty();
}

void MpiCommunicators::tidy() noexcept {
  const std::scoped_lock lock(mutex_);
  try {
    std::erase_if(retired_, [](Retired& retired) {
      if (!is_over(retired)) return false;
      MPI_Comm_free(&retired.communicator);
      return true;
    });
  } catch (...) {
    // MPI refuses, so the communicators are never freed.
    retired_.clear();
  }
}

bool MpiCommunicators::has_retired() {
  const std::scoped_lock lock(mutex_);
  return !retired_.empty();
}

/// All ranks get here, or the job ends. Each has parted by then, so all reductions complete. If one
/// does not, giving up is better than a program that never ends.
void MpiCommunicators::finish() noexcept {
  constexpr std::chrono::seconds kPatience(60);
  constexpr std::chrono::microseconds kPause(100);
  {
    const std::scoped_lock lock(mutex_);
    const std::vector<InUse*> all = std::exchange(in_use_, {});
    for (InUse* communicator : all) communicator->finish();
  }
  const auto start = std::chrono::steady_clock::now();
  for (tidy(); has_retired() && std::chrono::steady_clock::now() - start < kPatience; tidy())
    std::this_thread::sleep_for(kPause);
}

}  // namespace onecast::comm
