#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/backend.hpp"
#include "onecast/base/error.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

/// Checks that every communicator must pass, made by all of its ranks together: see
/// communicator_checks().
namespace onecast::test {

using namespace comm;

class CheckedRank {
 public:
  explicit CheckedRank(CommunicatorBackend& comm) : comm_(comm) {}

  void broadcasts() {
    for (int root = 0; root < size(); ++root) {
      auto bytes = is(root) ? pattern(1000, 5) : std::vector<std::byte>(1000);
      EXPECT_EQ(collectives([&] { comm_.broadcast(bytes, root); }), 1U);
      EXPECT_EQ(bytes, pattern(1000, 5));
    }
    EXPECT_EQ(collectives([&] { comm_.broadcast({}, 0); }), 0U);
  }

  void broadcasts_two_blocks_at_once() {
    for (const int root : {0, last()}) {
      auto head = is(root) ? pattern(16, 1) : std::vector<std::byte>(16);
      auto tail = is(root) ? pattern(999, 2) : std::vector<std::byte>(999);
      EXPECT_EQ(collectives([&] { comm_.broadcast_both(head, tail, root); }), 1U);
      EXPECT_EQ(head, pattern(16, 1));
      EXPECT_EQ(tail, pattern(999, 2));
    }
  }

  void reduces_element_wise() {
    const auto rank = static_cast<std::uint64_t>(comm_.rank());
    const auto highest = static_cast<std::uint64_t>(last());
    std::array<std::uint64_t, 3> low{rank, ~rank, 7};
    EXPECT_EQ(collectives([&] { comm_.all_reduce_min(low); }), 1U);
    EXPECT_EQ(low, (std::array<std::uint64_t, 3>{0, ~highest, 7}));
    std::array<std::uint64_t, 3> high{rank, ~rank, 7};
    EXPECT_EQ(collectives([&] { comm_.all_reduce_max(high); }), 1U);
    EXPECT_EQ(high, (std::array<std::uint64_t, 3>{highest, ~std::uint64_t{0}, 7}));
  }

  /// The order of the ranks is kept: their digits make one number.
  void combines_in_the_order_of_the_ranks() {
    struct Digits {
      std::uint64_t value;
      std::uint64_t scale;
    };
    Digits digits{static_cast<std::uint64_t>(comm_.rank() + 1), 10};
    const auto combine = [](const std::byte* lower, std::byte* higher) {
      Digits a{};
      Digits b{};
      std::memcpy(&a, lower, sizeof a);
      std::memcpy(&b, higher, sizeof b);
      b = {a.value * b.scale + b.value, a.scale * b.scale};
      std::memcpy(higher, &b, sizeof b);
    };
    comm_.all_combine(std::as_writable_bytes(std::span(&digits, 1)), combine);
    std::uint64_t expected = 0;
    for (int r = 0; r < size(); ++r) expected = expected * 10 + static_cast<std::uint64_t>(r + 1);
    EXPECT_EQ(digits.value, expected);
  }

  void gathers_different_sizes() {
    const auto size_of = [](int rank) {
      return static_cast<std::size_t>(rank) * 100;
    };  // rank 0 gives 0
    const auto all = comm_.all_gather(pattern(size_of(comm_.rank())));
    ASSERT_EQ(all.size(), static_cast<std::size_t>(size()));
    for (int r = 0; r < size(); ++r)
      EXPECT_EQ(all[static_cast<std::size_t>(r)], pattern(size_of(r)));
    EXPECT_EQ(collectives([&] { EXPECT_TRUE(comm_.all_gather({}).back().empty()); }), 1U);
  }

  void gathers_padded_in_one_message() {
    std::vector<std::vector<std::byte>> all;
    const auto size_of = [](int rank) { return static_cast<std::size_t>(rank) * 10; };
    const auto gather = [&] {
      all = comm_.all_gather_padded(pattern(size_of(comm_.rank())), size_of(last()));
    };
    EXPECT_EQ(collectives(gather), 1U);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(size()));
    for (int r = 0; r < size(); ++r)
      EXPECT_EQ(all[static_cast<std::size_t>(r)], pattern(size_of(r)));
  }

  void gathers_more_than_a_segment_in_rounds() {
    if (size() > 3) return;  // it takes too much memory
    const std::size_t large = CommunicatorBackend::kSegment + 1;
    const auto all = comm_.all_gather(is(last()) ? pattern(large) : pattern(3, 1));
    EXPECT_TRUE(all.back() == pattern(large));
    if (last() != 0) {
      EXPECT_EQ(all.front(), pattern(3, 1));
    }
  }

  /// Rank a has 10 * a + b bytes for rank b, and none for the next rank.
  void exchanges() {
    const auto bytes_of = [&](int from, int to) {
      const bool none = to == (from + 1) % size();
      return pattern(none ? 0 : static_cast<std::size_t>(10 * from + to),
                     static_cast<std::size_t>(from));
    };
    std::vector<std::vector<std::byte>> to;
    for (int r = 0; r < size(); ++r) to.push_back(bytes_of(comm_.rank(), r));
    std::vector<std::vector<std::byte>> got;
    EXPECT_EQ(collectives([&] { got = comm_.exchange(to); }), 1U);
    ASSERT_EQ(got.size(), to.size());
    for (int r = 0; r < size(); ++r)
      EXPECT_EQ(got[static_cast<std::size_t>(r)],
                is(r) ? std::vector<std::byte>() : bytes_of(r, comm_.rank()));
  }

  /// Messages of a pair of ranks arrive in the order of sending, whatever their batch, and do not
  /// mix with collective calls in between.
  void keeps_the_order_of_messages() {
    if (size() == 1) return;
    const int next = (comm_.rank() + 1) % size();
    const int before = (comm_.rank() + last()) % size();
    std::vector<std::byte> a(100);
    std::vector<std::byte> b(200);
    std::vector<std::byte> c(300);
    const auto first = comm_.messages();
    const auto second = comm_.messages();
    first->receive(before, a);
    second->receive(before, b);
    comm_.barrier();
    first->receive(before, c);
    const auto sent = std::array{pattern(100, 1), pattern(200, 2), pattern(300, 3)};
    const auto out = comm_.messages();
    for (const auto& bytes : sent) out->send(next, bytes);
    comm_.barrier();
    second->wait();
    EXPECT_EQ(b, sent[1]);
    first->wait();
    EXPECT_EQ(a, sent[0]);
    EXPECT_EQ(c, sent[2]);
    out->wait();
    comm_.barrier();
  }

  void works_on_parts() {
    const auto part = comm_.split(comm_.rank() % 2);
    const int expected = (size() - comm_.rank() % 2 + 1) / 2;
    EXPECT_EQ(part->size(), expected);
    EXPECT_EQ(part->rank(), comm_.rank() / 2);
    std::array<std::uint64_t, 1> highest{static_cast<std::uint64_t>(comm_.rank())};
    part->all_reduce_max(highest);
    EXPECT_EQ(highest[0], static_cast<std::uint64_t>(2 * (expected - 1) + comm_.rank() % 2));
    const auto rank = static_cast<std::uint64_t>(comm_.rank());
    const auto all = everyones(*part, rank);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], 2 * i + rank % 2);
    EXPECT_EQ(everyones(comm_, rank).back(), static_cast<std::uint64_t>(last()));
  }

  void numbers_nodes() {
    const std::vector<int>& nodes = comm_.nodes();
    ASSERT_EQ(nodes.size(), static_cast<std::size_t>(size()));
    EXPECT_EQ(nodes.front(), 0);
    const std::vector<std::byte> mine(reinterpret_cast<const std::byte*>(nodes.data()),
                                      reinterpret_cast<const std::byte*>(nodes.data() + size()));
    for (const auto& theirs : comm_.all_gather(mine)) EXPECT_EQ(theirs, mine);
  }

  void agreeing_costs_one_reduction() {
    int got = 0;
    EXPECT_EQ(collectives([&] { got = agree(comm_, [&] { return comm_.rank() + 1; }); }), 1U);
    EXPECT_EQ(got, comm_.rank() + 1);
    EXPECT_EQ(collectives([&] { agree(comm_, [] {}); }), 1U);
  }

  void one_failure_is_everyones_failure() {
    for (int failing = 0; failing < size(); ++failing) {
      const auto work = [&] {
        if (is(failing)) throw Error(ErrorCode::not_found, "a.h5: open: gone", ENOENT);
        return std::make_unique<int>(1);
      };
      EXPECT_EQ(collectives([&] {
                  const Error error = thrown_by([&] { agree(comm_, work); });
                  EXPECT_EQ(error.code(), ErrorCode::not_found);
                  EXPECT_EQ(error.system_errno(), ENOENT);
                  EXPECT_EQ(error.what(), prefix(failing) + "a.h5: open: gone");
                }),
                2U);
    }
  }

  void the_lowest_failing_rank_is_heard() {
    const int lowest = last() > 0 ? 1 : 0;
    const Error error = thrown_by([&] {
      agree(comm_, [&] {
        if (comm_.rank() >= lowest) throw std::runtime_error(std::to_string(comm_.rank()));
      });
    });
    EXPECT_EQ(error.what(), prefix(lowest) + std::to_string(lowest));
    EXPECT_EQ(thrown_by([&] {
                agree(comm_, [&] {
                  if (is(last())) throw std::bad_alloc();
                });
              }).system_errno(),
              ENOMEM);
  }

  void small_payloads_ride_in_the_header() {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, kInlinePayload})
      for (const int root : {0, last()}) {
        Buffer got;
        EXPECT_EQ(collectives([&] {
                    got = broadcast_from_root(comm_, root, [&] {
                      EXPECT_TRUE(is(root));
                      return make_buffer(bytes, 3);
                    });
                  }),
                  1U);
        EXPECT_EQ(std::vector(got.begin(), got.end()), pattern(bytes, 3));
      }
  }

  void larger_payloads_follow() {
    const std::size_t bytes = kInlinePayload + 1;
    for (int root = 0; root < size(); ++root) {
      Buffer got;
      EXPECT_EQ(collectives([&] {
                  got = broadcast_from_root(comm_, root, [&] { return make_buffer(bytes); });
                }),
                size() == 1 ? 1U : 3U)
          << "header, agreement on memory, payload";
      EXPECT_EQ(std::vector(got.begin(), got.end()), pattern(bytes));
    }
  }

  void large_payloads_go_in_segments() {
    if (size() != 2) return;  // only for two ranks, to save memory
    const std::size_t bytes = 2 * CommunicatorBackend::kSegment + 1;
    Buffer got;
    EXPECT_EQ(collectives(
                  [&] { got = broadcast_from_root(comm_, 0, [&] { return make_buffer(bytes); }); }),
              2U + 3U);
    EXPECT_TRUE(std::vector(got.begin(), got.end()) == pattern(bytes));
  }

  void a_failing_root_fails_everyone() {
    for (int root = 0; root < size(); ++root) {
      EXPECT_EQ(collectives([&] {
                  const Error error = thrown_by([&] {
                    broadcast_from_root(comm_, root, []() -> Buffer {
                      throw Error(ErrorCode::format, "no superblock");
                    });
                  });
                  EXPECT_EQ(error.code(), ErrorCode::format);
                  EXPECT_EQ(error.what(), prefix(root) + "no superblock");
                }),
                1U);
    }
  }

  void compares_digests_in_one_reduction() {
    const auto rank = static_cast<std::uint64_t>(comm_.rank());
    std::array<std::uint64_t, 2> maxima{rank, 100 - rank};
    EXPECT_EQ(collectives([&] { EXPECT_TRUE(compare_digest(comm_, 0xFEDC, maxima)); }), 1U);
    EXPECT_EQ(maxima, (std::array<std::uint64_t, 2>{static_cast<std::uint64_t>(last()), 100}));

    const bool alone = size() == 1;
    EXPECT_EQ(compare_digest(comm_, is(last()) ? 1 : 2), alone);
    EXPECT_EQ(compare_digest(comm_, is(0) ? 0 : ~std::uint64_t{0}), alone);
  }

 private:
  /// Returns the number of calls that `action` takes.
  template <typename Action>
  std::uint64_t collectives(Action&& action) {
    const std::uint64_t before = comm_.collectives();
    std::forward<Action>(action)();
    return comm_.collectives() - before;
  }
  [[nodiscard]] bool is(int rank) const { return comm_.rank() == rank; }
  [[nodiscard]] int size() const { return comm_.size(); }
  [[nodiscard]] int last() const { return comm_.size() - 1; }
  /// Returns the beginning of a rank's errors.
  [[nodiscard]] std::string prefix(int rank) const {
    return size() > 1 ? "rank " + std::to_string(rank) + ": " : "";
  }
  static Buffer make_buffer(std::size_t size, std::size_t seed = 0) {
    Buffer buffer(size);
    const auto bytes = pattern(size, seed);
    std::copy(bytes.begin(), bytes.end(), buffer.begin());
    return buffer;
  }

  CommunicatorBackend& comm_;
};

struct CommunicatorCheck {
  const char* name;
  void (CheckedRank::*check)();

  void operator()(CommunicatorBackend& comm) const {
    CheckedRank rank(comm);
    (rank.*check)();
  }
};
inline void PrintTo(const CommunicatorCheck& check, std::ostream* out) { *out << check.name; }

/// Returns all checks. Each takes a communicator that nothing else uses meanwhile.
inline std::vector<CommunicatorCheck> communicator_checks() {
  return {
      {"broadcasts", &CheckedRank::broadcasts},
      {"broadcasts_two_blocks_at_once", &CheckedRank::broadcasts_two_blocks_at_once},
      {"reduces_element_wise", &CheckedRank::reduces_element_wise},
      {"combines_in_the_order_of_the_ranks", &CheckedRank::combines_in_the_order_of_the_ranks},
      {"gathers_different_sizes", &CheckedRank::gathers_different_sizes},
      {"gathers_padded_in_one_message", &CheckedRank::gathers_padded_in_one_message},
      {"gathers_more_than_a_segment_in_rounds",
       &CheckedRank::gathers_more_than_a_segment_in_rounds},
      {"exchanges", &CheckedRank::exchanges},
      {"keeps_the_order_of_messages", &CheckedRank::keeps_the_order_of_messages},
      {"works_on_parts", &CheckedRank::works_on_parts},
      {"numbers_nodes", &CheckedRank::numbers_nodes},
      {"agreeing_costs_one_reduction", &CheckedRank::agreeing_costs_one_reduction},
      {"one_failure_is_everyones_failure", &CheckedRank::one_failure_is_everyones_failure},
      {"the_lowest_failing_rank_is_heard", &CheckedRank::the_lowest_failing_rank_is_heard},
      {"small_payloads_ride_in_the_header", &CheckedRank::small_payloads_ride_in_the_header},
      {"larger_payloads_follow", &CheckedRank::larger_payloads_follow},
      {"large_payloads_go_in_segments", &CheckedRank::large_payloads_go_in_segments},
      {"a_failing_root_fails_everyone", &CheckedRank::a_failing_root_fails_everyone},
      {"compares_digests_in_one_reduction", &CheckedRank::compares_digests_in_one_reduction},
  };
}

/// Names the tests of a check; the last argument of INSTANTIATE_TEST_SUITE_P.
inline std::string name_of_check(const testing::TestParamInfo<CommunicatorCheck>& info) {
  return info.param.name;
}

}  // namespace onecast::test
