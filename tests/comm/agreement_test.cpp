#include "comm/agreement.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include "comm/communicator_access.hpp"
#include "comm/self_communicator.hpp"
#include "onecast/base/error.hpp"
#include "onecast/comm/communicator.hpp"
#include "support/thrown_by.hpp"

namespace onecast::comm {
namespace {

using test::thrown_by;

TEST(Communicator, IsOneProcessByDefault) {
  const Communicator comm;
  EXPECT_EQ(comm.rank(), 0);
  EXPECT_EQ(comm.size(), 1);
  EXPECT_EQ(backend_of(comm).collectives(), 0U);
}

TEST(Communicator, CopiesShareTheBackend) {
  const Communicator comm;
  const Communicator copy = comm;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(&backend_of(copy), &backend_of(comm));
}

TEST(Agree, ReturnsTheResult) {
  SelfCommunicator self;
  EXPECT_EQ(agree(self, [] { return 7; }), 7);
  const auto moved = agree(self, [] { return std::make_unique<int>(8); });
  EXPECT_EQ(*moved, 8);
  bool done = false;
  agree(self, [&] { done = true; });
  EXPECT_TRUE(done);
}

TEST(Agree, OneProcessThrowsItsErrorAsItIs) {
  SelfCommunicator self;
  const Error error = thrown_by(
      [&] { agree(self, [] { throw Error(ErrorCode::not_found, "a.h5: open: gone", ENOENT); }); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_EQ(error.system_errno(), ENOENT);
  EXPECT_STREQ(error.what(), "a.h5: open: gone");
}

TEST(Agree, MakesErrorsOfOtherExceptions) {
  SelfCommunicator self;
  const auto agreed = [&](auto work) { return thrown_by([&] { agree(self, work); }); };

  const Error memory = agreed([] { throw std::bad_alloc(); });
  EXPECT_EQ(memory.code(), ErrorCode::io);
  EXPECT_EQ(memory.system_errno(), ENOMEM);

  const Error system =
      agreed([] { throw std::system_error(EACCES, std::generic_category(), "elsewhere"); });
  EXPECT_EQ(system.code(), ErrorCode::io);
  EXPECT_EQ(system.system_errno(), EACCES);

  const Error defect = agreed([] { throw std::logic_error("a defect"); });
  EXPECT_EQ(defect.code(), ErrorCode::state);
  EXPECT_STREQ(defect.what(), "a defect");

  EXPECT_EQ(agreed([] { throw 1; }).code(), ErrorCode::state);
}

TEST(Agree, CutsALongTextBetweenCharacters) {
  SelfCommunicator self;
  std::string text = "x";
  while (text.size() < 3 * kHeaderMessage) text += "\xC3\xA4";  // 2 bytes, from an odd position
  const Error error =
      thrown_by([&] { agree(self, [&] { throw Error(ErrorCode::format, text); }); });
  const std::string kept = error.what();
  EXPECT_EQ(kept.size(), kInlinePayload - 1);
  EXPECT_EQ(text.substr(0, kept.size()), kept);
}

TEST(BroadcastFromRoot, OneProcessKeepsTheBuffer) {
  SelfCommunicator self;
  const std::byte* made = nullptr;
  const Buffer buffer = broadcast_from_root(self, 0, [&] {
    Buffer mine(10000);
    made = mine.data();
    return mine;
  });
  EXPECT_EQ(buffer.size(), 10000U);
  EXPECT_EQ(buffer.data(), made);
  EXPECT_TRUE(broadcast_from_root(self, 0, [] { return Buffer(); }).empty());
}

TEST(BroadcastFromRoot, ThrowsTheErrorOfTheRoot) {
  SelfCommunicator self;
  const Error error = thrown_by([&] {
    broadcast_from_root(self, 0, []() -> Buffer { throw Error(ErrorCode::unsupported, "szip"); });
  });
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_STREQ(error.what(), "szip");
}

TEST(CompareDigest, OneProcessAgreesWithItself) {
  SelfCommunicator self;
  std::array<std::uint64_t, 2> maxima{3, 4};
  EXPECT_TRUE(compare_digest(self, 0x1234, maxima));
  EXPECT_EQ(maxima, (std::array<std::uint64_t, 2>{3, 4}));
  EXPECT_TRUE(compare_digest(self, 0));
}

TEST(CompareDigest, RefusesMoreThanFitsTheMessage) {
  SelfCommunicator self;
  std::array<std::uint64_t, kMaxMaxima + 1> maxima{};
  EXPECT_THROW(compare_digest(self, 0, maxima), std::logic_error);
}

}  // namespace
}  // namespace onecast::comm
