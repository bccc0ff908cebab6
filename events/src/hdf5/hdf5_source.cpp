#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "hdf5/event_layout.hpp"
#include "hdf5/hdf5.hpp"
#include "hdf5/stored_events.hpp"
#include "onecast/base/error.hpp"

namespace onecast::events::hdf5 {
namespace {

/// Loads runs of events for the cursors: more at once, the longer they go on one after the other.
class Runs {
 public:
  explicit Runs(StoredEvents& events)
      : events_(events), selected_(events.products().size(), true) {}

  void select(const std::vector<std::size_t>& products) {
    selected_.assign(selected_.size(), false);
    for (const std::size_t p : products) selected_.at(p) = true;
  }

  /// The run with the event, if it is in memory.
  std::shared_ptr<EventRun> known(std::uint64_t entry) {
    const std::lock_guard lock(mutex_);
    for (const auto& run : {last_, before_})
      if (run && run->contains(entry)) return run;
    return {};
  }

  /// The run with the event. Calls are made one at a time.
  std::shared_ptr<EventRun> with(std::uint64_t entry) {
    if (auto run = known(entry)) return run;
    constexpr std::uint64_t kLeast = std::uint64_t{128} << 10U;
    constexpr std::uint64_t kMost = std::uint64_t{2} << 20U;
    constexpr std::uint64_t kNear = 64;  // lanes do not come exactly in their order
    const bool goes_on = last_ && entry >= last_->end() && entry - last_->end() < kNear;
    bytes_ = goes_on ? std::clamp(2 * bytes_, kLeast, kMost) : 0;
    const std::shared_ptr<EventRun> run = unused();
    try {
      events_.load(goes_on ? last_->end() : entry, bytes_, selected_, *run);
      if (!run->contains(entry)) events_.load(entry, bytes_, selected_, *run);
    } catch (const Error&) {
      // What is damaged may be behind this event.
      if (std::exchange(bytes_, 0) == 0) throw;
      events_.load(entry, 0, selected_, *run);
    }
    const std::lock_guard lock(mutex_);
    before_ = std::exchange(last_, run);
    return run;
  }

  /// Of a cursor that goes elsewhere.
  void release(std::shared_ptr<EventRun>& run) {
    const std::lock_guard lock(mutex_);
    run.reset();
  }

 private:
  /// One that no cursor has any more: its memory is there.
  std::shared_ptr<EventRun> unused() {
    const std::lock_guard lock(mutex_);
    before_.reset();
    for (const auto& run : all_)
      if (run.use_count() == 1) return run;
    return all_.emplace_back(std::make_shared<EventRun>());
  }

  StoredEvents& events_;
  std::vector<bool> selected_;
  std::mutex mutex_;  ///< of all that follows but bytes_
  std::shared_ptr<EventRun> last_;
  std::shared_ptr<EventRun> before_;  ///< for lanes that come late
  std::vector<std::shared_ptr<EventRun>> all_;
  std::uint64_t bytes_ = 0;
};

class Hdf5Cursor final : public Cursor {
 public:
  Hdf5Cursor(StoredEvents& events, Runs& runs)
      : events_(events),
        runs_(runs),
        products_(events.products().size()),
        rooms_(products_.size()) {}

  bool go_to(std::uint64_t entry) override {
    runs_.release(run_);
    if (entry >= events_.size()) return false;
    run_ = runs_.with(entry);
    at_ = static_cast<std::size_t>(entry - run_->first);
    return true;
  }
  bool go_to_known(std::uint64_t entry) override {
    runs_.release(run_);
    run_ = runs_.known(entry);
    if (run_) at_ = static_cast<std::size_t>(entry - run_->first);
    return run_ != nullptr;
  }
  Identity identity() const override { return run_->identities[at_]; }

  void prepare() override {
    run_->unpack_batch();
    if (run_->events.empty()) return;
    const std::size_t count = products_.size();
    const auto ends = std::span(run_->ends).subspan(at_ * count, count);
    Bytes event = run_->bytes(run_->events[at_]);
    if (run_->of_event != Codec::none) event = unpacked(event, count == 0 ? 0 : ends.back());
    std::uint64_t before = 0;
    for (std::size_t p = 0; p < count; ++p) {
      if (ends[p] < before || ends[p] > event.size())
        throw Error(ErrorCode::format, fmt::format("{}: product {}: bytes {} to {} of {}", where(),
                                                   p, before, ends[p], event.size()));
      products_[p] = event.subspan(static_cast<std::size_t>(before),
                                   static_cast<std::size_t>(ends[p] - before));
      before = ends[p];
    }
  }

  std::size_t fetch(std::size_t product) override {
    Bytes& bytes = products_[product];
    if (run_->events.empty()) bytes = run_->bytes(run_->products[at_ * products_.size() + product]);
    bytes = open_piece(run_->of_product, bytes, rooms_[product], where());
    return bytes.size();
  }
  Bytes serialized(std::size_t product) override { return products_[product]; }

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
  explicit Hdf5Source(const std::string& path) : events_(open_events(path)), runs_(*events_) {}
  const ProductList& products() const override { return events_->products(); }
  std::optional<std::uint64_t> size() const override { return events_->size(); }
  bool blocks() const override { return true; }
  std::unique_ptr<Cursor> cursor() override {
    return std::make_unique<Hdf5Cursor>(*events_, runs_);
  }
  void select(const std::vector<std::size_t>& products) override { runs_.select(products); }
  std::optional<std::uint64_t> find(const Identity& identity) override {
    return events_->find(identity);
  }

 private:
  std::unique_ptr<StoredEvents> events_;
  Runs runs_;
};

}  // namespace

std::unique_ptr<StoredEvents> open_events(const std::string& path) {
  const File file = File::open(path, Access::read_only, {.decode_threads = 1});
  if (file.root().kind_of(kGroup) == ObjectKind::group) return open_version_2(file);
  if (file.root().kind_of("Lumi") == ObjectKind::group) return open_version_1(file);
  throw Error(ErrorCode::format,
              fmt::format("{}: has neither a group {} nor a group Lumi", path, kGroup));
}

SourceInfo hdf5_source() {
  return {
      .name = "HDF5",
      .description = "events of an HDF5 file in any of the layouts",
      .file = FileUse::required,
      .options = {},
      .make = [](const Request& request) { return std::make_unique<Hdf5Source>(request.file); }};
}

}  // namespace onecast::events::hdf5
