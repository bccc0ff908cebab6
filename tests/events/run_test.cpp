#include "onecast/events/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <thread>

#include "onecast/base/error.hpp"

namespace onecast::events {
namespace {

/// Each event has two products: its entry, and as many zeros. Violations of the interface's rules
/// are counted. Products that are kept are overwritten when nobody holds them any more.
class Entries final : public Source {
 public:
  struct Rules {
    std::uint64_t events = 0;
    bool knows_size = true;
    bool blocks = false;
    bool concurrent = false;
    std::optional<std::uint64_t> fails_at = {};
    bool keeps = false;        ///< products are valid as long as somebody holds them
    bool reads_ahead = false;  ///< there is always something to load
  };

  explicit Entries(Rules rules) : rules_(rules) {}
  const ProductList& products() const override { return list_; }
  std::optional<std::uint64_t> size() const override {
    return rules_.knows_size ? std::optional(rules_.events) : std::nullopt;
  }
  bool blocks() const override { return rules_.blocks; }
  bool goes_concurrently() const override { return rules_.concurrent; }
  std::unique_ptr<Cursor> cursor() override { return std::make_unique<Entry>(*this); }

  bool could_read_ahead() override { return rules_.reads_ahead; }
  std::function<void()> read_ahead() override {
    const Going going(*this);
    ++read_ahead_;
    return [this] { ++prepared_; };
  }

  [[nodiscard]] int going_at_once() const { return going_at_once_; }
  [[nodiscard]] int read_ahead_count() const { return read_ahead_; }
  [[nodiscard]] int prepared_count() const { return prepared_; }

 private:
  /// An operation of which at most one may run at a time.
  struct Going {
    explicit Going(Entries& of) : source(of) {
      if (++source.going_ > 1) ++source.going_at_once_;
    }
    Going(const Going&) = delete;
    Going& operator=(const Going&) = delete;
    ~Going() { --source.going_; }
    Entries& source;
  };
  struct Products {
    ~Products() { std::ranges::fill(zeros, std::byte{1}); }
    std::vector<std::byte> zeros;
  };
  struct Entry final : Cursor {
    explicit Entry(Entries& of) : source(of) {}
    bool go_to(std::uint64_t wanted) override {
      const Going going(source);
      number = wanted;
      products = std::make_shared<Products>();
      products->zeros.assign(wanted % 50 + (source.rules_.keeps ? 4096 : 0), std::byte{0});
      if (source.rules_.fails_at == wanted) throw Error(ErrorCode::io, "damaged");
      return wanted < source.rules_.events;
    }
    Identity identity() const override { return {1, 2, number}; }
    std::size_t fetch(std::size_t product) override {
      return product == 0 ? sizeof number : products->zeros.size();
    }
    Bytes serialized(std::size_t product) override {
      return product == 0 ? std::as_bytes(std::span(&number, 1)) : Bytes(products->zeros);
    }
    std::shared_ptr<const void> keeper() override {
      return source.rules_.keeps ? products : nullptr;
    }
    Entries& source;
    std::uint64_t number = 0;
    std::shared_ptr<Products> products;
  };

  Rules rules_;
  ProductList list_{"raw", {{"number", "unsigned long"}, {"zeros", "std::vector<char>"}}};
  std::atomic<int> going_ = 0, going_at_once_ = 0, read_ahead_ = 0, prepared_ = 0;
};

/// Keeps the entries in the order of writing, and the highest number of events that were encoded
/// and not written yet.
class Kept final : public Outputer {
 public:
  struct Rules {
    std::uint64_t batch_events = 3;
    bool blocks = false;
    std::optional<std::uint64_t> encode_fails_at = {}, write_fails_at = {};
  };

  explicit Kept(Rules rules) : rules_(rules) {}
  void begin(const ProductList& products, const Expectation&) override {
    EXPECT_EQ(products.size(), 2U);
  }
  std::uint64_t batch_events() const override { return rules_.batch_events; }
  bool blocks() const override { return rules_.blocks; }
  EncodedEvent encode(const Event& event) override {
    const std::uint64_t waiting = ++encoded_ - written_;
    std::uint64_t most = most_waiting_;
    while (most < waiting && !most_waiting_.compare_exchange_weak(most, waiting)) {
    }
    if (rules_.encode_fails_at == event.identity.event) throw Error(ErrorCode::io, "encode");
    EXPECT_EQ(event.products[1].size() % 4096, event.identity.event % 50);
    if (!event.can_stay()) return Outputer::encode(event);
    return {event.identity, {}, {}, {event.products[1]}, event.keeper};
  }
  void write(const Batch& batch) override {
    if (++writing_ > 1) ADD_FAILURE() << "two batches at once";
    for (const EncodedEvent& event : batch.events) {
      if (rules_.write_fails_at == event.identity.event) {
        --writing_;
        throw Error(ErrorCode::io, "disk full");
      }
      entries.push_back(event.identity.event);
      for (const Bytes& part : event.parts)
        EXPECT_TRUE(std::ranges::all_of(part, [](std::byte b) { return b == std::byte{0}; }));
      stayed += event.parts.size();
    }
    written_ += batch.events.size();
    --writing_;
  }
  void finish() override { ++finished; }

  std::vector<std::uint64_t> entries;
  std::size_t stayed = 0;  ///< events that were not copied
  int finished = 0;
  [[nodiscard]] std::uint64_t most_waiting() const { return most_waiting_; }

 private:
  Rules rules_;
  std::atomic<int> writing_ = 0;
  std::atomic<std::uint64_t> encoded_ = 0, written_ = 0, most_waiting_ = 0;
};

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t end) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t n = first; n < end; ++n) all.push_back(n);
  return all;
}

struct Shape {
  std::size_t threads, lanes;
  bool source_blocks, outputer_blocks, concurrent;
};

class RunTest : public ::testing::TestWithParam<Shape> {
 protected:
  [[nodiscard]] Entries::Rules source_rules(std::uint64_t events) const {
    return {
        .events = events, .blocks = GetParam().source_blocks, .concurrent = GetParam().concurrent};
  }
  [[nodiscard]] Kept::Rules outputer_rules() const {
    return {.blocks = GetParam().outputer_blocks};
  }
  [[nodiscard]] RunOptions options() const {
    RunOptions all;
    all.threads = GetParam().threads;
    all.lanes = GetParam().lanes;
    return all;
  }
};

TEST_P(RunTest, AllEventsAreWrittenInTheOrderOfTheSource) {
  for (const std::uint64_t events : {0U, 1U, 3U, 40U}) {
    Entries source(source_rules(events));
    Kept kept(outputer_rules());
    const Statistics found = run(source, kept, nullptr, options());
    EXPECT_EQ(kept.entries, numbers(0, events));
    EXPECT_EQ(found.events, events);
    EXPECT_EQ(kept.finished, 1);
    EXPECT_FALSE(found.stopped);
    // The events of batches in flight, and those in the lanes.
    const std::uint64_t lanes = options().lanes != 0 ? options().lanes : 2 * options().threads;
    EXPECT_LE(kept.most_waiting(), (options().threads + 3) * 3 + lanes);
    EXPECT_TRUE(GetParam().concurrent || source.going_at_once() == 0);
  }
}

TEST_P(RunTest, LargeProductsStayWhereTheyAreUntilTheyAreWritten) {
  Entries::Rules rules = source_rules(60);
  rules.keeps = true;
  Entries source(rules);
  Kept kept(outputer_rules());
  run(source, kept, nullptr, options());
  EXPECT_EQ(kept.entries, numbers(0, 60));
  EXPECT_EQ(kept.stayed, 60U);
}

TEST_P(RunTest, ASourceReadsAheadWhereItGoes) {
  Entries::Rules rules = source_rules(60);
  rules.reads_ahead = true;
  Entries source(rules);
  Kept kept(outputer_rules());
  run(source, kept, nullptr, options());
  EXPECT_EQ(kept.entries, numbers(0, 60));
  EXPECT_EQ(source.read_ahead_count() == 0, GetParam().concurrent);
  EXPECT_EQ(source.prepared_count(), source.read_ahead_count());
  EXPECT_TRUE(GetParam().concurrent || source.going_at_once() == 0);
}

TEST_P(RunTest, APartOfASourceOfUnknownSize) {
  Entries::Rules rules = source_rules(40);
  rules.knows_size = false;
  Entries source(rules);
  Kept kept(outputer_rules());
  RunOptions some = options();
  some.first = 30;
  run(source, kept, nullptr, some);
  EXPECT_EQ(kept.entries, numbers(30, 40));
  some.first = 20;
  some.events = 7;
  Kept few(outputer_rules());
  run(source, few, nullptr, some);
  EXPECT_EQ(few.entries, numbers(20, 27));
}

/// The failure of the earliest event counts, and the batches before it are written.
TEST_P(RunTest, AFailureEndsARunWithWhatIsBeforeIt) {
  const auto expect = [&](Entries::Rules source_rules, Kept::Rules kept_rules, const char* text) {
    Entries source(source_rules);
    Kept kept(kept_rules);
    try {
      run(source, kept, nullptr, options());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), text);
    }
    EXPECT_EQ(kept.finished, 1);
    return kept.entries;
  };
  Entries::Rules source = source_rules(40);
  Kept::Rules kept = outputer_rules();
  kept.encode_fails_at = 31;
  EXPECT_EQ(expect(source, kept, "encode"), numbers(0, 30));
  source.fails_at = 22;
  EXPECT_EQ(expect(source, kept, "damaged"), numbers(0, 21));
  kept.write_fails_at = 9;
  EXPECT_EQ(expect(source_rules(40), kept, "disk full"), numbers(0, 9));
}

TEST_P(RunTest, AStopEndsARunWithAllEventsThatWereBegun) {
  Entries source(source_rules(1'000'000'000));
  Kept kept(outputer_rules());
  std::atomic<bool> stop = false;
  RunOptions stopping = options();
  stopping.stop = &stop;
  stopping.progress = [&](std::uint64_t done) {
    if (done >= 30) stop = true;
  };
  const Statistics found = run(source, kept, nullptr, stopping);
  EXPECT_TRUE(found.stopped);
  EXPECT_GE(kept.entries.size(), 30U);
  EXPECT_EQ(kept.entries, numbers(0, kept.entries.size()));
}

/// Waits for different times, so that the lanes finish out of order.
class SomeTime final : public Waiter {
 public:
  std::chrono::microseconds wait(std::uint64_t entry, std::size_t product, std::size_t) override {
    return std::chrono::microseconds(entry % 3 == 0 ? 200 * static_cast<std::int64_t>(product) : 0);
  }
};

TEST_P(RunTest, WaitingDoesNotChangeTheOrder) {
  Entries source(source_rules(40));
  Kept kept(outputer_rules());
  SomeTime waiter;
  run(source, kept, &waiter, options());
  EXPECT_EQ(kept.entries, numbers(0, 40));
}

INSTANTIATE_TEST_SUITE_P(Shapes, RunTest,
                         ::testing::Values(Shape{1, 1, false, false, false},
                                           Shape{1, 8, true, false, false},
                                           Shape{3, 2, false, true, true},
                                           Shape{2, 7, true, true, false},
                                           Shape{4, 0, false, false, true}));

}  // namespace
}  // namespace onecast::events
