#include "running/lane.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "running/blame.hpp"

namespace onecast::events {

Lane::Lane(const Shared& shared)
    : shared_(shared),
      cursor_(shared.source.cursor()),
      products_(shared.source.products().size()),
      groups_(std::clamp<std::size_t>(shared.groups, 1, std::max<std::size_t>(products_, 1))) {
  event_.products.resize(products_);
}

template <class F>
bool Lane::attempt(const std::string* const& at_work, F&& work) {
  try {
    work();
    return true;
  } catch (...) {
    shared_.batches.fail(place_, blamed(std::current_exception(), *at_work, event_at_work()));
    return false;
  }
}

template <class F>
bool Lane::attempt(const std::string& component, F&& work) {
  const std::string* const at_work = &component;
  return attempt(at_work, std::forward<F>(work));
}

std::string Lane::event_at_work() const {
  const std::string entry = fmt::format("entry {}", place_.entry);
  return knows_identity_ ? fmt::format("{}, event {}", entry, text_of(event_.identity)) : entry;
}

std::size_t Lane::first_of(std::size_t group) const { return group * products_ / groups_; }

void Lane::next() {
  switch (shared_.batches.claim(place_, [this] { next(); })) {
    case Batches::Claim::none:
      return shared_.lane_ended();
    case Batches::Claim::later:
      return;
    case Batches::Claim::taken:
      break;
  }
  knows_identity_ = false;
  if (shared_.source.goes_concurrently()) return go_to_event();
  if (!cursor_->go_to_known(place_.entry)) return shared_.reading.push([this] { go_to_event(); });
  if (could_read_ahead()) shared_.reading.push([this] { read_ahead(); });
  fetch_all();
}

bool Lane::could_read_ahead() { return shared_.reads_ahead && shared_.source.could_read_ahead(); }

/// Reads ahead in the queue in which lanes go to events, after this lane has gone to its own.
void Lane::read_ahead() {
  const Task rest = shared_.times.measure(Stage::read, [&] { return shared_.source.read_ahead(); });
  if (rest) shared_.computing.spawn([this, rest] { shared_.times.measure(Stage::prepare, rest); });
}

void Lane::go_to_event() {
  bool found = false;
  const bool ok = attempt(shared_.names.source, [&] {
    found = shared_.times.measure(Stage::read, [&] { return cursor_->go_to(place_.entry); });
  });
  if (ok && !found) shared_.batches.is_missing(place_);
  if (!found) return shared_.lane_ended();
  if (shared_.source.goes_concurrently()) return fetch_all();
  shared_.computing.spawn([this] { fetch_all(); });
  if (could_read_ahead()) read_ahead();
}

void Lane::fetch_all() {
  const bool ok = attempt(shared_.names.source, [&] {
    event_.identity = cursor_->identity();
    knows_identity_ = true;
    shared_.times.measure(Stage::prepare, [&] { cursor_->prepare(); });
  });
  if (!ok) return shared_.lane_ended();
  groups_left_ = groups_;
  if (products_ != 0 && shared_.source.fetches_later()) {
    for (std::size_t product = 0; product < products_; ++product) begin_fetch(product);
    return;
  }
  for (std::size_t group = 1; group < groups_; ++group)
    shared_.computing.spawn([this, group] { fetch_group(group); });
  fetch_group(0);
}

void Lane::begin_fetch(std::size_t product) {
  const bool ok = attempt(shared_.names.source, [&] {
    cursor_->begin_fetch(
        product, [this, product](std::size_t bytes, const std::exception_ptr& failure) {
          shared_.computing.spawn(
              [this, product, bytes, failure] { fetched(product, bytes, failure); });
        });
  });
  if (!ok) end_of_group();
}

void Lane::fetched(std::size_t product, std::size_t bytes, const std::exception_ptr& failure) {
  std::chrono::microseconds wait{0};
  const std::string* at_work = &shared_.names.source;
  const bool ok = attempt(at_work, [&] {
    if (failure) std::rethrow_exception(failure);
    at_work = &shared_.names.waiter;
    if (shared_.waiter != nullptr) wait = shared_.waiter->wait(place_.entry, product, bytes);
  });
  ok ? serialize_after(wait, product) : end_of_group();
}

void Lane::fetch_group(std::size_t group) {
  std::chrono::microseconds wait{0};
  const std::string* at_work = &shared_.names.source;
  const bool ok = attempt(at_work, [&] {
    shared_.times.measure(Stage::fetch, [&] {
      for (std::size_t p = first_of(group); p < first_of(group + 1); ++p) {
        at_work = &shared_.names.source;
        const std::size_t bytes = cursor_->fetch(p);
        at_work = &shared_.names.waiter;
        if (shared_.waiter != nullptr) wait += shared_.waiter->wait(place_.entry, p, bytes);
      }
    });
  });
  ok ? serialize_after(wait, group) : end_of_group();
}

void Lane::serialize_after(std::chrono::microseconds wait, std::size_t group) {
  if (wait.count() == 0) return serialize_group(group);
  shared_.times.add(Stage::wait, wait);
  shared_.timer->after(wait, [this, group] { serialize_group(group); });
}

void Lane::serialize_group(std::size_t group) {
  if (shared_.outputer.takes_products())
    attempt(shared_.names.source, [&] {
      shared_.times.measure(Stage::serialize, [&] {
        for (std::size_t p = first_of(group); p < first_of(group + 1); ++p)
          event_.products[p] = cursor_->serialized(p);
      });
    });
  end_of_group();
}

void Lane::end_of_group() {
  if (--groups_left_ == 0) end_of_event();
}

void Lane::end_of_event() {
  if (shared_.batches.is_lost(place_)) return shared_.lane_ended();
  const bool ok = attempt(shared_.names.outputer, [&] {
    event_.keeper = cursor_->keeper();
    EncodedEvent encoded =
        shared_.times.measure(Stage::encode, [&] { return shared_.outputer.encode(event_); });
    event_.keeper.reset();
    shared_.product_bytes += event_.total_bytes();
    shared_.batches.add(place_, std::move(encoded));
  });
  if (!ok) return shared_.lane_ended();
  if (++events_in_a_row_ < kMostInARow) return next();
  events_in_a_row_ = 0;
  shared_.computing.spawn([this] { next(); });
}

}  // namespace onecast::events
