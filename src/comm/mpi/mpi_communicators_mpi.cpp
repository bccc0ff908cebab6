#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "comm/mpi/mpi_communicators.hpp"

namespace onecast::comm {

MpiCommunicators& MpiCommunicators::of(const Mpi& mpi) {
  struct All {
    std::mutex mutex;
    std::map<const Mpi*, MpiCommunicators*> by_mpi;
  };
  // Never destroyed: MPI may be finalized after the destructors of static objects.
  static auto* const kAll = new All;
  const std::scoped_lock lock(kAll->mutex);
  MpiCommunicators*& found = kAll->by_mpi[&mpi];
  if (found == nullptr) found = new MpiCommunicators(mpi);
  return *found;
}

MpiCommunicators::MpiCommunicators(const Mpi& mpi)
    : mpi_(mpi),
      headers_(mpi),
      at_finalize_{[](void* self) { static_cast<MpiCommunicators*>(self)->finish(); }, this} {
  mpi.at_finalize(&at_finalize_);
}

void MpiCommunicators::add(InUse& communicator) {
  const std::scoped_lock lock(mutex_);
  in_use_.push_back(&communicator);
}

void MpiCommunicators::remove(InUse& communicator) {
  const std::scoped_lock lock(mutex_);
  std::erase(in_use_, &communicator);
}

void MpiCommunicators::retire(MpiComm communicator, Answers answers) noexcept {
  const std::scoped_lock lock(mutex_);
  retired_.push_back({communicator, std::move(answers)});
  tidy();
}

/// Other ranks may have met the answer in a call, or with an answer for a file that they left. They
/// then part later, and this rank parts again, until all ranks part in one reduction.
bool MpiCommunicators::is_over(Retired& retired) const {
  Answers& answers = retired.answers;
  while (!answers.empty() && answers.front()->is_done()) {
    const CallHeader heard = answers.front()->value();
    answers.pop_front();
    if (!answers.empty() || heard.all(CallKind::part)) continue;
    CallHeader again;
    again.first.rank = mpi_.comm_rank(retired.communicator);
    again.first.kind = CallKind::part;
    again.kinds = CallHeader::bit(CallKind::part);
    again.set_reason("it has released the file");
    answers.push_back(headers_.begin(retired.communicator, again));
  }
  return answers.empty();
}

void MpiCommunicators::tidy() noexcept {
  const std::scoped_lock lock(mutex_);
  try {
    std::erase_if(retired_, [this](Retired& retired) {
      if (!is_over(retired)) return false;
      mpi_.comm_free(retired.communicator);
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
  headers_.free();
}

}  // namespace onecast::comm
