#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "hdf5/column_form.hpp"
#include "hdf5/event_layout.hpp"
#include "hdf5/hdf5.hpp"
#include "hdf5/stored_events.hpp"
#include "model/make_error.hpp"
#include "model/pool.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events::hdf5 {
namespace {

/// Loads runs of events for the cursors: longer runs, the longer the cursors go on in order, and
/// then the next runs before a cursor asks for them.
class Runs {
 public:
  explicit Runs(StoredEvents& events)
      : events_(events), selected_(events.products().size(), true) {}

  void select(const std::vector<std::size_t>& products) {
    selected_.assign(selected_.size(), false);
    for (const std::size_t p : products) selected_.at(p) = true;
  }

  /// Returns the run with the event if it is in memory.
  std::shared_ptr<EventRun> known(std::uint64_t entry) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = runs_.size(); i-- > 0;) {
      if (!runs_[i]->contains(entry)) continue;
      reached_ = std::max(reached_, i);
      return runs_[i];
    }
    return {};
  }

  /// Returns the run with the event. Only one thread calls this or read_ahead() at a time.
  std::shared_ptr<EventRun> with(std::uint64_t entry) {
    if (auto run = known(entry)) return run;
    constexpr std::uint64_t kNear = 64;  // lanes do not arrive exactly in their order
    const std::uint64_t end = end_of_last();
    const bool goes_on = end != 0 && entry >= end && entry - end < kNear;
    bytes_ = goes_on ? more() : 0;
    const std::shared_ptr<EventRun> run = pool_.take();
    try {
      events_.load(goes_on ? end : entry, bytes_, selected_, *run);
      if (!run->contains(entry)) events_.load(entry, bytes_, selected_, *run);
    } catch (const Error&) {
      // The damage may lie after this event, so the event is read alone.
      if (std::exchange(bytes_, 0) == 0) throw;
      events_.load(entry, 0, selected_, *run);
    }
    keep(run, goes_on);
    static_cast<void>(known(entry));
    return run;
  }

  /// True if a run should be loaded that no cursor has reached; read_ahead() is then called once.
  bool could_read_ahead() {
    const std::lock_guard lock(mutex_);
    if (!goes_on_ || runs_.back()->end() >= events_.size()) return false;
    return runs_.size() - 1 - reached_ < most_ahead(*runs_.back()) &&
           !std::exchange(is_reading_ahead_, true);
  }

  /// Returns null if it fails; the failure occurs again when a cursor asks for the run.
  std::shared_ptr<EventRun> read_ahead() {
    std::shared_ptr<EventRun> run;
    try {
      run = pool_.take();
      bytes_ = more();
      events_.load(end_of_last(), bytes_, selected_, *run);
      keep(run, true);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      goes_on_ = false;
      run.reset();
    }
    const std::lock_guard lock(mutex_);
    is_reading_ahead_ = false;
    return run;
  }

 private:
  [[nodiscard]] std::uint64_t more() const {
    constexpr std::uint64_t kLeast = std::uint64_t{128} << 10U;
    return std::clamp(2 * bytes_, kLeast, events_.most_at_once());
  }

  /// Returns how many runs are loaded before a cursor reaches them. Packed runs are unpacked
  /// concurrently: the next run is ready when a thread reaches the end of one.
  static std::size_t most_ahead(const EventRun& run) {
    constexpr std::size_t kBytes = std::size_t{8} << 20U;
    return run.is_packed() ? std::clamp<std::size_t>(kBytes / (run.stored_bytes() + 1), 2, 4) : 1;
  }

  /// Returns 0 if there is no run.
  std::uint64_t end_of_last() {
    const std::lock_guard lock(mutex_);
    return runs_.empty() ? 0 : runs_.back()->end();
  }

  void keep(const std::shared_ptr<EventRun>& run, bool goes_on) {
    const std::lock_guard lock(mutex_);
    goes_on_ = goes_on;
    // The previous run is kept for cursors that come late.
    for (; reached_ > 1; --reached_) runs_.pop_front();
    runs_.push_back(run);
  }

  StoredEvents& events_;
  std::vector<bool> selected_;
  std::uint64_t bytes_ = 0;  ///< to load at once
  Pool<EventRun> pool_;
  std::mutex mutex_;  ///< guards all following members
  std::deque<std::shared_ptr<EventRun>> runs_;
  std::size_t reached_ = 0;  ///< the last of the runs that a cursor reached
  bool goes_on_ = false;
  bool is_reading_ahead_ = false;
};

class Hdf5Cursor final : public Cursor {
 public:
  Hdf5Cursor(StoredEvents& events, Runs& runs)
      : events_(events),
        runs_(runs),
        products_(events.products().size()),
        rooms_(products_.size()) {}

  bool go_to(std::uint64_t entry) override {
    if (entry >= events_.size()) return false;
    run_ = runs_.with(entry);
    run_->wait();
    at_ = static_cast<std::size_t>(entry - run_->first);
    return true;
  }
  bool go_to_known(std::uint64_t entry) override {
    run_ = runs_.known(entry);
    if (run_ == nullptr || run_->is_awaited()) return false;
    at_ = static_cast<std::size_t>(entry - run_->first);
    return true;
  }
  Identity identity() const override { return run_->identities[at_]; }

  void prepare() override {
    run_->unpack();
    if (run_->events.empty()) return;
    const std::size_t count = products_.size();
    const auto ends = std::span(run_->ends).subspan(at_ * count, count);
    Bytes event = run_->bytes(run_->events[at_]);
    if (run_->of_event != Codec::none) event = unpacked(event, count == 0 ? 0 : ends.back());
    std::uint64_t before = 0;
    for (std::size_t p = 0; p < count; ++p) {
      if (ends[p] < before || ends[p] > event.size())
        throw format_error("{}: product {}: bytes {} to {} of {}", where(), p, before, ends[p],
                           event.size());
      products_[p] = event.subspan(static_cast<std::size_t>(before),
                                   static_cast<std::size_t>(ends[p] - before));
      before = ends[p];
    }
  }

  std::size_t fetch(std::size_t product) override {
    Bytes& bytes = products_[product];
    if (run_->events.empty()) bytes = run_->bytes(run_->products[at_ * products_.size() + product]);
    if (run_->of_product != Codec::none)
      bytes = open_piece(run_->of_product, bytes, rooms_[product], where());
    return bytes.size();
  }
  Bytes serialized(std::size_t product) override { return products_[product]; }
  std::shared_ptr<const void> keeper() override {
    const bool lie_in_run = run_->of_event == Codec::none && run_->of_product == Codec::none;
    return lie_in_run ? run_ : nullptr;
  }

 private:
  Bytes unpacked(Bytes event, std::uint64_t size) {
    if (run_->has_sizes) return open_piece(run_->of_event, event, room_, where());
    check_ratio(run_->of_event, event.size(), size, where());
    room_.resize(static_cast<std::size_t>(size));
    decompress(run_->of_event, event, room_, where());
    return room_;
  }
  [[nodiscard]] std::string where() const { return run_->where_is(run_->first + at_); }

  StoredEvents& events_;
  Runs& runs_;
  std::shared_ptr<EventRun> run_;
  std::size_t at_ = 0;
  std::vector<Bytes> products_;
  std::vector<std::byte> room_;
  std::vector<std::vector<std::byte>> rooms_;
};

class Hdf5Source final : public Source {
 public:
  explicit Hdf5Source(const Request& request)
      : events_(open_events(request.file, request.options.text("group"))), runs_(*events_) {}
  const ProductList& products() const override { return events_->products(); }
  std::optional<std::uint64_t> size() const override { return events_->size(); }
  bool is_interrupted() const override { return events_->is_interrupted(); }
  std::vector<std::string> left_out() const override { return events_->left_out(); }
  bool blocks() const override { return true; }
  std::unique_ptr<Cursor> cursor() override {
    return std::make_unique<Hdf5Cursor>(*events_, runs_);
  }
  void select(const std::vector<std::size_t>& products) override { runs_.select(products); }
  bool could_read_ahead() override { return runs_.could_read_ahead(); }
  std::function<void()> read_ahead() override {
    const auto run = runs_.read_ahead();
    if (!run || !run->is_packed()) return {};
    run->announce_unpacking();
    return [run] {
      try {
        run->unpack();
      } catch (...) {  // NOLINT(bugprone-empty-catch): prepare() reports it for its event
      }
      run->end_unpacking();
    };
  }
  std::optional<std::uint64_t> find(const Identity& identity) override {
    return events_->find(identity);
  }

 private:
  std::unique_ptr<StoredEvents> events_;
  Runs runs_;
};

}  // namespace

std::unique_ptr<StoredEvents> open_events(const std::string& path, const std::string& group) {
  if (!group.empty()) return open_columns(path, group);
  const File file = File::open(path, Access::read_only, {.decode_threads = 1});
  const bool has_group = file.root().kind_of(kGroup) == ObjectKind::group;
  if (has_group && !has_columns(file.root().open_group(kGroup))) return open_version_2(file);
  if (auto columns = open_columns(path)) return columns;
  if (file.root().kind_of("Lumi") == ObjectKind::group) return open_version_1(file);
  throw format_error("{}: holds no events: it is an HDF5 file without a group {} or Lumi", path,
                     kGroup);
}

SourceInfo hdf5_source() {
  return {.name = "HDF5",
          .description = "events of an HDF5 file in any of the layouts",
          .file = FileUse::required,
          .options = {{.name = "group",
                       .description = "the group with the columns, if a file has several"}},
          .make = [](const Request& request) { return std::make_unique<Hdf5Source>(request); }};
}

}  // namespace onecast::events::hdf5
