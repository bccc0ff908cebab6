#include "running/batches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/divided.hpp"
#include "running/blame.hpp"

namespace onecast::events {
Batches::Batches(Outputer& outputer, Team& team, const RunOptions& options,
                 std::optional<std::uint64_t> source_size, Executor& computing,
                 SerialQueue& writing, StageTimes& times)
    : outputer_(outputer),
      options_(options),
      computing_(computing),
      writing_(writing),
      times_(times),
      together_(outputer.is_collective()),
      ranks_(options.shares_source ? static_cast<std::uint64_t>(team.size()) : 1),
      rank_(options.shares_source ? static_cast<std::uint64_t>(team.rank()) : 0),
      batch_events_(std::max<std::uint64_t>(outputer.batch_events(), 1)),
      entries_end_(source_size.value_or(~std::uint64_t{0})) {
  if (options.events && *options.events < entries_end_ - std::min(options.first, entries_end_))
    entries_end_ = options.first + *options.events;
  share_little(source_size.has_value());
  most_in_flight_ =
      std::max<std::uint64_t>(options.threads, divided(options.lanes_in_use(), batch_events_)) + 2;
}

/// Makes batches smaller if there are few events and ranks write files of their own, so that one
/// rank does not get all events in one batch.
void Batches::share_little(bool is_size_known) {
  if (together_ || ranks_ == 1 || (!is_size_known && !options_.events)) return;
  const std::uint64_t events = entries_end_ - std::min(options_.first, entries_end_);
  batch_events_ = std::clamp<std::uint64_t>(divided(events, ranks_), 1, batch_events_);
}

/// Returns the entry of an event. Batches are dealt to the ranks in turn.
std::uint64_t Batches::entry_of(std::uint64_t number) const {
  const std::uint64_t batch = number / batch_events_ * ranks_ + rank_;
  std::uint64_t entry = batch * batch_events_ + number % batch_events_;
  // No source has that many entries.
  if (__builtin_add_overflow(options_.first, entry, &entry)) return ~std::uint64_t{0};
  return entry;
}

std::uint64_t Batches::events_of_batch(std::uint64_t batch) const {
  const std::uint64_t first = batch * batch_events_;
  return end_ <= first ? 0 : std::min(batch_events_, end_ - first);
}

Batches::Claim Batches::claim(Place& place, const Task& come_back) {
  const std::lock_guard lock(mutex_);
  if (next_ < end_ && entry_of(next_) >= entries_end_) end_at(next_);
  if (!together_ && next_ < end_ && is_asked_to_stop()) {
    stopped_ = true;
    end_at(next_);
  }
  if (next_ >= end_) return Claim::none;
  if (next_ / batch_events_ >= written_ + most_in_flight_) {
    waiting_.push_back(come_back);
    return Claim::later;
  }
  place = {entry_of(next_), next_};
  Collected& batch = collected_[next_ / batch_events_];
  batch.batch.number = next_ / batch_events_;
  ++next_;
  return Claim::taken;
}

void Batches::is_missing(const Place& place) {
  const std::lock_guard lock(mutex_);
  end_at(place.number);
}

void Batches::end_at(std::uint64_t number) {
  if (number >= end_) return;
  end_ = number;
  std::vector<std::uint64_t> batches;
  batches.reserve(collected_.size());
  for (const auto& [batch, collected] : collected_) batches.push_back(batch);
  for (const std::uint64_t batch : batches) hand_on_if_complete(batch);
}

void Batches::add(const Place& place, EncodedEvent event) {
  const std::lock_guard lock(mutex_);
  if (place.number >= end_) return;
  const std::uint64_t batch = place.number / batch_events_;
  Collected& collected = collected_[batch];
  const auto at = static_cast<std::size_t>(place.number % batch_events_);
  if (collected.batch.events.size() <= at) collected.batch.events.resize(at + 1);
  collected.batch.events[at] = std::move(event);
  ++collected.filled;
  hand_on_if_complete(batch);
}

void Batches::hand_on_if_complete(std::uint64_t batch) {
  Collected& collected = collected_[batch];
  const std::uint64_t expected = events_of_batch(batch);
  if (collected.is_handed_on || expected == 0 || collected.filled != expected) return;
  collected.is_handed_on = true;
  auto whole = std::make_shared<Batch>(std::move(collected.batch));
  computing_.spawn([this, batch, whole] { encode(batch, std::move(*whole)); });
}

std::exception_ptr Batches::blamed_on_outputer(const Batch& batch) const {
  if (batch.events.empty()) return blamed(std::current_exception(), options_.names.outputer);
  return blamed(std::current_exception(), options_.names.outputer,
                fmt::format("events {} to {}", text_of(batch.events.front().identity),
                            text_of(batch.events.back().identity)));
}

void Batches::encode(std::uint64_t number, Batch batch) {
  try {
    times_.measure(Stage::encode_batch, [&] { outputer_.encode_batch(batch); });
  } catch (...) {
    return fail(number * batch_events_, blamed_on_outputer(batch));
  }
  const std::lock_guard lock(mutex_);
  encoded_.emplace(number, std::move(batch));
  while (!encoded_.empty() && encoded_.begin()->first == next_to_write_) {
    auto next = std::make_shared<Batch>(std::move(encoded_.begin()->second));
    encoded_.erase(encoded_.begin());
    ++next_to_write_;
    writing_.push([this, next] { write(*next); });
  }
}

void Batches::write(const Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    if (cannot_write_ || is_over_) return;
  }
  bool stops = false;
  try {
    times_.measure(Stage::write, [&] {
      if (together_)
        stops = outputer_.write_together(&batch, {}, is_asked_to_stop()).stops;
      else
        outputer_.write(batch);
    });
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      cannot_write_ = true;
    }
    // An error of another rank already names its components.
    return fail(batch.number * batch_events_,
                together_ ? std::current_exception() : blamed_on_outputer(batch));
  }
  std::uint64_t done = 0;
  {
    const std::lock_guard lock(mutex_);
    collected_.erase(batch.number);
    ++written_;
    done = events_written_ += batch.events.size();
    if (stops) end_behind_this_round();
    resume();
  }
  if (options_.progress) options_.progress(done);
}

void Batches::end_behind_this_round() {
  is_over_ = true;
  const std::uint64_t next = written_ * batch_events_;
  stopped_ = next < end_ && entry_of(next) < entries_end_;
  end_at(next);
}

void Batches::resume() {
  for (Task& task : std::exchange(waiting_, {})) computing_.spawn(std::move(task));
}

void Batches::fail(std::uint64_t number, std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_ || number < failed_number_) {
    failure_ = std::move(failure);
    failed_number_ = number;
  }
  end_at(number / batch_events_ * batch_events_);
  resume();
}

bool Batches::is_lost(const Place& place) const {
  const std::lock_guard lock(mutex_);
  return place.number >= end_;
}

std::exception_ptr Batches::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Batches::finish_together() {
  if (!together_ || cannot_write_) return;
  try {
    while (outputer_.write_together(nullptr, failure(), is_asked_to_stop()).has_batches);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();  // names the rank that failed, as all other ranks hear it
  }
}

std::uint64_t Batches::events_written() const {
  const std::lock_guard lock(mutex_);
  return events_written_;
}

bool Batches::was_stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

}  // namespace onecast::events
