#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "capi/communicator.hpp"
#include "comm/communicator_access.hpp"
#include "comm/file_calls.hpp"
#include "onecast/base/error.hpp"
#include "onecast/capi/communicator.h"
#include "support/communicator_conformance.hpp"
#include "support/thread_point_to_point.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

/// Returns C functions that use a rank of the mail. Errors of the mail become EPIPE.
onecast_point_to_point functions_of_c(ThreadRank& rank) {
  onecast_point_to_point functions = {};
  functions.size = sizeof functions;
  functions.context = &rank;
  functions.rank = rank.rank();
  functions.ranks = rank.size();
  functions.send = [](void* context, int to, int tag, const void* bytes, size_t size) {
    try {
      static_cast<ThreadRank*>(context)->send(to, tag,
                                              {static_cast<const std::byte*>(bytes), size});
      return 0;
    } catch (const std::exception&) {
      return EPIPE;
    }
  };
  functions.receive = [](void* context, int from, int tag, void* bytes, size_t size) {
    try {
      static_cast<ThreadRank*>(context)->receive(from, tag, {static_cast<std::byte*>(bytes), size});
      return 0;
    } catch (const std::exception&) {
      return EPIPE;
    }
  };
  functions.fail = [](void* context, const char* reason) {
    static_cast<ThreadRank*>(context)->fail(reason);
  };
  functions.any_thread = 1;
  return functions;
}

/// Runs the check in C++, on nodes of two ranks.
void run_in_cpp(int size, const CommunicatorCheck& check) {
  run_with_communicators(size, [&](const Communicator& comm, ThreadRank& rank) {
    rank.set_ranks_per_node(2);
    check(backend_of(comm));
    if (std::string_view(check.name) != "numbers_nodes") return;
    for (int r = 0; r < size; ++r)
      EXPECT_EQ(backend_of(comm).nodes()[static_cast<std::size_t>(r)], r / 2);
  });
}

void run_in_c(int size, const CommunicatorCheck& check) {
  ThreadMail mail(size);
  run_threads(size, [&](int r) {
    ThreadRank rank(mail, r);
    const onecast_point_to_point functions = functions_of_c(rank);
    onecast_communicator* made = nullptr;
    ASSERT_EQ(onecast_communicator_create(&functions, &made), ONECAST_OK);
    check(backend_of(made->value));
    onecast_communicator_close(&made);
    EXPECT_EQ(made, nullptr);
  });
}

struct Language {
  const char* name;
  void (*run)(int size, const CommunicatorCheck& check);
};
void PrintTo(const Language& language, std::ostream* out) { *out << language.name; }

using Case = std::tuple<Language, int, CommunicatorCheck>;

std::string name_of_case(const testing::TestParamInfo<Case>& of) {
  return std::string(std::get<0>(of.param).name) + "_" + std::to_string(std::get<1>(of.param)) +
         "_" + std::get<2>(of.param).name;
}

class UserCommunicator : public testing::TestWithParam<Case> {};

TEST_P(UserCommunicator, Holds) {
  std::get<0>(GetParam()).run(std::get<1>(GetParam()), std::get<2>(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(
    Threads, UserCommunicator,
    testing::Combine(testing::Values(Language{"cpp", run_in_cpp}, Language{"c", run_in_c}),
                     testing::Values(1, 2, 3, 4, 7), testing::ValuesIn(communicator_checks())),
    name_of_case);

TEST(UserCommunicators, RefuseWhatIsNoRank) {
  EXPECT_EQ(thrown_by([] { user_communicator(nullptr); }).code(), ErrorCode::invalid_argument);
  ThreadMail mail(2);
  for (const int rank : {-1, 2})
    EXPECT_EQ(
        thrown_by([&] { user_communicator(std::make_shared<ThreadRank>(mail, rank)); }).code(),
        ErrorCode::invalid_argument);
}

TEST(UserCommunicators, RefuseACStructThatLacksAFunction) {
  ThreadMail mail(2);
  ThreadRank rank(mail, 0);
  onecast_communicator* made = nullptr;
  const auto refused = [&](auto&& change) {
    onecast_point_to_point functions = functions_of_c(rank);
    change(functions);
    EXPECT_EQ(onecast_communicator_create(&functions, &made), ONECAST_INVALID_ARGUMENT);
    EXPECT_EQ(made, nullptr);
  };
  refused([](auto& functions) { functions.send = nullptr; });
  refused([](auto& functions) { functions.receive = nullptr; });
  refused([](auto& functions) { functions.size = 0; });
  refused([](auto& functions) { functions.rank = 2; });
  EXPECT_EQ(onecast_communicator_create(nullptr, &made), ONECAST_INVALID_ARGUMENT);
}

TEST(UserCommunicators, ReleaseTheContextOfC) {
  static int released = 0;
  onecast_point_to_point functions = {};
  functions.size = sizeof functions;
  functions.ranks = 1;
  functions.context = &released;
  functions.send = [](void*, int, int, const void*, size_t) { return EPIPE; };
  functions.receive = [](void*, int, int, void*, size_t) { return EPIPE; };
  functions.release = [](void* context) { ++*static_cast<int*>(context); };
  onecast_communicator* made = nullptr;
  ASSERT_EQ(onecast_communicator_create(&functions, &made), ONECAST_OK);
  std::optional<Communicator> copy(made->value);
  onecast_communicator_close(&made);
  EXPECT_EQ(released, 0);
  copy.reset();
  EXPECT_EQ(released, 1);
  // A refused communicator still belongs to the caller.
  functions.rank = 5;
  EXPECT_EQ(onecast_communicator_create(&functions, &made), ONECAST_INVALID_ARGUMENT);
  EXPECT_EQ(released, 1);
}

/// The number of messages that the busiest of `size` ranks sends and receives in `work`.
template <class Work>
long busiest_in(int size, Work&& work) {
  std::mutex mutex;
  long most = 0;
  run_with_communicators(size, [&](const Communicator& comm, ThreadRank& rank) {
    rank.set_ranks_per_node(4);
    const long before = rank.calls();
    work(backend_of(comm));
    const std::scoped_lock lock(mutex);
    most = std::max(most, rank.calls() - before);
  });
  return most;
}

/// No rank sends or receives more messages than a tree of all ranks has steps, in each direction.
TEST(UserCommunicators, ManyRanksTakeFewMessages) {
  for (const auto& [size, steps] : {std::pair{16, 4}, {50, 6}, {64, 6}}) {
    SCOPED_TRACE(size);
    EXPECT_EQ(busiest_in(size,
                         [](CommunicatorBackend& comm) {
                           FileCalls(comm, "a.h5").meet({CallKind::flush});
                         }),
              2 * steps)
        << "a header";
    EXPECT_LE(busiest_in(size,
                         [](CommunicatorBackend& comm) {
                           FileCalls calls(comm, "a.h5");
                           calls.meet({CallKind::open});
                           calls.leave("it has closed the file");
                         }),
              3 * steps)
        << "leaving a file";
    EXPECT_EQ(busiest_in(size, [](CommunicatorBackend& comm) { comm.nodes(); }), 2 * steps);
    EXPECT_EQ(busiest_in(size, [](CommunicatorBackend& comm) { comm.split(comm.rank() % 3); }),
              2 * steps);
    EXPECT_EQ(busiest_in(size,
                         [](CommunicatorBackend& comm) {
                           comm.exchange(std::vector<std::vector<std::byte>>(
                               static_cast<std::size_t>(comm.size())));
                         }),
              2 * steps)
        << "messages of which all are empty";
  }
}

/// Whichever call fails, all ranks get the error, nobody waits, fail() is called once where it
/// happened, and all later calls throw.
TEST(UserCommunicators, AMessageThatFailsIsHeardByAll) {
  constexpr int kRanks = 4;
  for (int failing = 0; failing < kRanks; ++failing)
    for (long after = 0; after < 3; ++after) {
      ThreadMail mail(kRanks);
      run_threads(kRanks, [&](int r) {
        const auto rank = std::make_shared<ThreadRank>(mail, r);
        const Communicator comm = user_communicator(rank);
        if (r == failing) rank->fail_after(after);
        std::optional<Error> error;
        for (int i = 0; i < 10 && !error; ++i) {
          try {
            backend_of(comm).barrier();
          } catch (const Error& e) {
            error = e;
          }
        }
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code(), ErrorCode::io);
        const std::string what = error->what();
        EXPECT_NE(what.find("communicator: "), std::string::npos) << what;
        EXPECT_NE(what.find("the wire is cut"), std::string::npos) << what;
        EXPECT_EQ(rank->fails(), 1);
        const long calls = rank->calls();
        EXPECT_EQ(thrown_by([&] { backend_of(comm).barrier(); }).code(), ErrorCode::state);
        EXPECT_EQ(rank->calls(), calls) << "no function is called any more";
      });
    }
}

TEST(UserCommunicators, ANodeThatIsNotKnownFailsOnAllRanks) {
  constexpr int kRanks = 4;
  for (int failing = 0; failing < kRanks; ++failing)
    run_with_communicators(kRanks, [&](const Communicator& comm, ThreadRank& rank) {
      if (rank.rank() == failing) rank.fail_node();
      const Error error = thrown_by([&] { static_cast<void>(backend_of(comm).nodes()); });
      EXPECT_EQ(error.code(), ErrorCode::io);
      EXPECT_NE(std::string_view(error.what()).find("the machine has no number"),
                std::string_view::npos)
          << error.what();
      EXPECT_EQ(rank.fails(), 1);
    });
}

}  // namespace
}  // namespace onecast::test
