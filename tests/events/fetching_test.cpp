// A source that fetches its products later: lanes request all of them, and no thread waits.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "onecast/base/error.hpp"
#include "onecast/events/run.hpp"

namespace onecast::events {
namespace {

constexpr std::size_t kProducts = 3;

/// Answers as soon as `together` products are requested, the last one first, on a thread of its
/// own.
class FarAway final : public Source {
 public:
  FarAway(std::uint64_t events, std::size_t together, std::optional<std::uint64_t> fails_at = {})
      : events_(events), together_(together), fails_at_(fails_at), thread_([this] { answer(); }) {
    for (std::size_t p = 0; p < kProducts; ++p)
      list_.products.push_back({std::string(1, static_cast<char>('a' + p)), "Entry"});
  }
  FarAway(const FarAway&) = delete;
  FarAway& operator=(const FarAway&) = delete;
  ~FarAway() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    asked_.notify_all();
    thread_.join();
  }
  const ProductList& products() const override { return list_; }
  std::optional<std::uint64_t> size() const override { return events_; }
  bool fetches_later() const override { return true; }
  std::unique_ptr<Cursor> cursor() override { return std::make_unique<Entry>(*this); }

  [[nodiscard]] std::size_t most_at_once() const { return most_; }

 private:
  struct Entry final : Cursor {
    explicit Entry(FarAway& of) : source(of) {}
    bool go_to(std::uint64_t wanted) override { return (entry = wanted) < source.events_; }
    Identity identity() const override { return {1, 1, entry}; }
    std::size_t fetch(std::size_t) override { return sizeof(entry); }
    void begin_fetch(std::size_t product, Fetched fetched) override {
      const bool fails = entry == source.fails_at_ && product == 1;
      source.ask([fetched = std::move(fetched), fails] {
        if (!fails) return fetched(sizeof(std::uint64_t), {});
        fetched(0, std::make_exception_ptr(Error(ErrorCode::io, "far away: gone")));
      });
    }
    Bytes serialized(std::size_t) override { return std::as_bytes(std::span(&entry, 1)); }
    FarAway& source;
    std::uint64_t entry = 0;
  };

  void ask(std::function<void()> what) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(what));
      most_ = std::max(most_, waiting_.size());
    }
    asked_.notify_all();
  }

  void answer() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      // The last events are fewer, so after a while it answers what was requested.
      asked_.wait_for(lock, std::chrono::milliseconds(200),
                      [this] { return ends_ || waiting_.size() >= together_; });
      const auto now = std::exchange(waiting_, {});
      lock.unlock();
      for (auto each = now.rbegin(); each != now.rend(); ++each) (*each)();
      lock.lock();
    }
  }

  std::uint64_t events_;
  std::size_t together_;
  std::optional<std::uint64_t> fails_at_;
  ProductList list_;
  std::mutex mutex_;
  std::condition_variable asked_;
  std::vector<std::function<void()>> waiting_;
  std::size_t most_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

/// Keeps the entries that the products name.
class Kept final : public Outputer {
 public:
  void begin(const ProductList&, const Expectation&) override {}
  void write(const Batch& batch) override {
    for (const EncodedEvent& event : batch.events)
      for (std::size_t at = 0; at < event.bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t entry = 0;
        std::memcpy(&entry, event.bytes.data() + at, sizeof(entry));
        entries.push_back(entry);
      }
  }
  std::vector<std::uint64_t> entries;
};

TEST(Fetching, OneThreadAsksForAllProductsOfAllLanes) {
  constexpr std::size_t kLanes = 4;
  FarAway source(20, kLanes * kProducts);
  Kept kept;
  const Statistics found = run(source, kept, nullptr, {.threads = 1, .lanes = kLanes});
  EXPECT_EQ(found.events, 20U);
  EXPECT_EQ(source.most_at_once(), kLanes * kProducts);
  ASSERT_EQ(kept.entries.size(), 20 * kProducts);
  for (std::size_t i = 0; i < kept.entries.size(); ++i) EXPECT_EQ(kept.entries[i], i / kProducts);
}

TEST(Fetching, AlsoOfSomeProducts) {
  const auto some = with_products(std::make_unique<FarAway>(6, 2), {"c"});
  Kept kept;
  run(*some, kept, nullptr, {.threads = 2, .lanes = 2});
  EXPECT_EQ(kept.entries, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Fetching, AFailureNamesTheEvent) {
  FarAway source(20, 6, 5);
  Kept kept;
  try {
    run(source, kept, nullptr, {.threads = 2, .lanes = 2, .names = {"source FarAway", "", ""}});
    FAIL();
  } catch (const Error& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("far away: gone"), std::string::npos) << said;
    EXPECT_NE(said.find("event 1:1:5"), std::string::npos) << said;
  }
  EXPECT_EQ(kept.entries.size(), 5 * kProducts);
}

}  // namespace
}  // namespace onecast::events
