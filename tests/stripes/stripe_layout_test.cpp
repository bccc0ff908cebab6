#include <gtest/gtest.h>
#include <sys/xattr.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/byte_writer.hpp"
#include "onecast/base/error.hpp"
#include "stripes/find_stripe_layout.hpp"
#include "stripes/lustre_layout.hpp"
#include "stripes/stripe_answers.hpp"
#include "stripes/striped_factory.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"

namespace onecast::stripes {
namespace {

using Bytes = std::vector<std::byte>;

/// Returns a layout of one component, as Lustre writes it.
Bytes plain(std::uint32_t magic, std::uint32_t stripe_size, std::uint16_t count,
            std::uint32_t first_target, std::uint32_t pattern = 1) {
  Bytes bytes(32 + (magic == 0x0BD10BD0 ? 0 : 16) + std::size_t{count} * 24);
  ByteWriter writer(bytes);
  writer.uint(magic, 4);
  writer.uint(pattern, 4);
  writer.zeros(16);
  writer.uint(stripe_size, 4);
  writer.uint(count, 2);
  writer.uint(0, 2);
  if (magic != 0x0BD10BD0) writer.zeros(16);
  for (std::uint32_t i = 0; i < count; ++i) {
    writer.zeros(20);
    writer.uint(first_target + i, 4);
  }
  return bytes;
}

struct Entry {
  std::uint64_t begin;
  std::uint64_t end;
  Bytes layout;
  std::uint32_t flags = 0x10;
};

Bytes composite(const std::vector<Entry>& entries) {
  std::size_t size = 32 + entries.size() * 48;
  for (const Entry& entry : entries) size += entry.layout.size();
  Bytes bytes(size);
  ByteWriter writer(bytes);
  writer.uint(0x0BD60BD0, 4);
  writer.uint(size, 4);
  writer.uint(1, 4);
  writer.uint(0, 2);
  writer.uint(entries.size(), 2);
  writer.zeros(16);
  std::size_t at = 32 + entries.size() * 48;
  for (const Entry& entry : entries) {
    writer.uint(1, 4);
    writer.uint(entry.flags, 4);
    writer.uint(entry.begin, 8);
    writer.uint(entry.end, 8);
    writer.uint(at, 4);
    writer.uint(entry.layout.size(), 4);
    writer.zeros(16);
    at += entry.layout.size();
  }
  for (const Entry& entry : entries) writer.bytes(entry.layout);
  return bytes;
}

Bytes progressive() {
  return composite({{0, 1 << 20U, plain(0x0BD10BD0, 1 << 20U, 1, 7)},
                    {1 << 20U, ~std::uint64_t{0}, plain(0x0BD30BD0, 4 << 20U, 3, 2)}});
}

TEST(LustreLayout, PlainOnes) {
  for (const std::uint32_t magic : {0x0BD10BD0U, 0x0BD30BD0U, 0x0BD50BD0U}) {
    const auto found = decode_lustre_layout(plain(magic, 1 << 20U, 3, 5), "f");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0], (LustreComponent{0, ~std::uint64_t{0}, 1 << 20U, 3, true, {5, 6, 7}}));
  }
}

TEST(LustreLayout, CompositeOnes) {
  const auto found = decode_lustre_layout(progressive(), "f");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (LustreComponent{0, 1 << 20U, 1 << 20U, 1, true, {7}}));
  EXPECT_EQ(found[1], (LustreComponent{1 << 20U, ~std::uint64_t{0}, 4 << 20U, 3, true, {2, 3, 4}}));
}

TEST(LustreLayout, LeavesOutWhatIsNotThere) {
  const Bytes on_server = plain(0x0BD10BD0, 1 << 20U, 0, 0, 0x100);
  EXPECT_TRUE(decode_lustre_layout(on_server, "f").empty());
  const auto found = decode_lustre_layout(
      composite({{0, 1 << 16U, on_server},
                 {1 << 16U, 1 << 20U, plain(0x0BD10BD0, 1 << 20U, 2, 0)},
                 {1 << 20U, ~std::uint64_t{0}, plain(0x0BD10BD0, 4 << 20U, 0, 0), 0}}),
      "f");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].stripe_count, 2U);
  EXPECT_EQ(found[1], (LustreComponent{1 << 20U, ~std::uint64_t{0}, 4 << 20U, 0, false, {}}))
      << "it is known what will be";
}

TEST(LustreLayout, EveryTruncationIsAnError) {
  for (const Bytes& whole :
       {plain(0x0BD10BD0, 1 << 20U, 3, 5), plain(0x0BD30BD0, 1 << 20U, 3, 5), progressive()})
    for (std::size_t size = 0; size < whole.size(); ++size) {
      if (size == (whole[2] == std::byte{0xD1} ? 32U : 48U)) continue;  // these have no objects yet
      const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const Error error =
          test::thrown_by([&] { static_cast<void>(decode_lustre_layout(part, "some/file")); });
      EXPECT_EQ(error.code(), ErrorCode::format);
      EXPECT_NE(std::string(error.what()).find("some/file"), std::string::npos) << error.what();
    }
}

TEST(LustreLayout, EveryFlippedByteIsTakenOrRefused) {
  const Bytes whole = progressive();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const unsigned bits : {0x01U, 0x80U, 0xFFU}) {
      Bytes bytes = whole;
      bytes[at] ^= static_cast<std::byte>(bits);
      try {
        static_cast<void>(decode_lustre_layout(bytes, "f"));
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::format);
      }
    }
}

TEST(LustreLayout, ARequestReadsLikeALayout) {
  const Bytes request = encode_lustre_request(1 << 16U, 5);
  EXPECT_EQ(request.size(), 32U);
  const auto found = decode_lustre_layout(request, "f");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], (LustreComponent{0, ~std::uint64_t{0}, 1 << 16U, 5, true, {}}));
}

TEST(StripeLayout, ARequestMayHaveAFrontOfOneStripe) {
  constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  const auto found = decode_lustre_layout(encode_lustre_request(1 << 18U, 5, 1'000'000), "f");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (LustreComponent{0, 1 << 20U, 1 << 18U, 1, false, {}})) << "whole stripes";
  EXPECT_EQ(found[1], (LustreComponent{1 << 20U, kEnd, 1 << 18U, 5, false, {}}));
  const StripeLayout layout = layout_from(found);
  EXPECT_EQ(layout.fronts.front(), (StripeLayout::Front{1 << 20U, 1 << 18U, 1}));
  EXPECT_EQ(layout.stripe_count, 5U);
}

TEST(StripeLayout, OfAnOrdinaryFileIsAssumed) {
  const test::TemporaryDirectory directory;
  std::ofstream(directory / "a") << "x";
  EXPECT_EQ(find_stripe_layout(directory / "a"), StripeLayout());
  EXPECT_EQ(find_stripe_layout(directory / "not there"), StripeLayout());
}

TEST(StripeLayout, OptionsAndThePretenceWin) {
  const StripeLayout chosen = find_stripe_layout("/tmp", {64, 4});
  EXPECT_EQ(chosen, (StripeLayout{64, 4, StripeLayout::Source::option}));
  EXPECT_EQ(find_stripe_layout("/tmp", {0, 4}).stripe_size, StripeLayout::kAssumedStripe);
  setenv("ONECAST_PRETEND_STRIPES", "128:3", 1);
  EXPECT_EQ(find_stripe_layout("/tmp", {64, 4}),
            (StripeLayout{128, 3, StripeLayout::Source::pretended}));
  for (const char* nonsense : {"", "128", "128:", ":3", "0:3", "128:0", "128:3x", "-1:3"}) {
    setenv("ONECAST_PRETEND_STRIPES", nonsense, 1);
    EXPECT_EQ(find_stripe_layout("/tmp"), StripeLayout()) << nonsense;
  }
  unsetenv("ONECAST_PRETEND_STRIPES");
}

TEST(StripeLayout, OfOtherSystemsIsWhatTheySay) {
  constexpr auto kSays = StripeLayout::Source::file_system;
  constexpr std::uint64_t kGpfs = 0x47504653;
  constexpr std::uint64_t kBeeGfs = 0x19830326;
  EXPECT_EQ(layout_from({kGpfs, 8 << 20U, 0, 0}), (StripeLayout{8 << 20U, 0, kSays}));
  EXPECT_EQ(layout_from({kBeeGfs, 512 << 10U, 0, 0}), (StripeLayout{512 << 10U, 0, kSays}));
  EXPECT_EQ(layout_from({kBeeGfs, 512 << 10U, 1 << 20U, 5}), (StripeLayout{1 << 20U, 5, kSays}));
  EXPECT_EQ(layout_from({kBeeGfs, 512 << 10U, 1, 5}), (StripeLayout{512 << 10U, 0, kSays}));
  EXPECT_EQ(layout_from({kGpfs, 8 << 20U, 1 << 20U, 5}), (StripeLayout{8 << 20U, 0, kSays}));
  for (const std::uint64_t nonsense : {std::uint64_t{0}, std::uint64_t{512}, ~std::uint64_t{0}})
    EXPECT_EQ(layout_from({kGpfs, nonsense, 0, 0}), StripeLayout());
  EXPECT_EQ(layout_from({0xEF53, 4096, 1 << 20U, 5}), StripeLayout()) << "an ordinary one";
}

TEST(StripeLayout, OfAComposite) {
  const StripeLayout found = layout_from(decode_lustre_layout(progressive(), "f"));
  StripeLayout expected{4 << 20U, 3, StripeLayout::Source::lustre};
  expected.fronts[0] = {1 << 20U, 1 << 20U, 1};
  EXPECT_EQ(found, expected);
  // With two mirrors, the first one counts.
  const auto two = composite({{0, ~std::uint64_t{0}, plain(0x0BD10BD0, 1 << 20U, 2, 0)},
                              {0, 1 << 20U, plain(0x0BD10BD0, 1 << 16U, 1, 0)},
                              {1 << 20U, ~std::uint64_t{0}, plain(0x0BD10BD0, 1 << 18U, 5, 0)}});
  EXPECT_EQ(layout_from(decode_lustre_layout(two, "f")),
            (StripeLayout{1 << 20U, 2, StripeLayout::Source::lustre}));
  EXPECT_EQ(layout_from(std::vector<LustreComponent>()), StripeLayout());
}

TEST(StripedFactory, CreatesWhereNobodyKnowsStripes) {
  const test::TemporaryDirectory directory;
  const auto factory = striped_factory(posix_factory(), {1 << 20U, 4});
  const std::string path = directory / "a";
  factory(path, OpenMode::create)->write_at(0, Bytes(3));
  EXPECT_EQ(factory(path, OpenMode::read_write)->size(), 3U);
  EXPECT_EQ(test::thrown_by([&] { factory(path, OpenMode::create); }).code(),
            ErrorCode::already_exists);
  const auto made = factory(path, OpenMode::replace);
  EXPECT_EQ(factory(path, OpenMode::read_write)->size(), 3U);
  made->take_place();
  EXPECT_EQ(factory(path, OpenMode::read_write)->size(), 0U);
  EXPECT_EQ(test::thrown_by([&] { factory(directory / "no/b", OpenMode::create); }).code(),
            ErrorCode::not_found);
}

}  // namespace
}  // namespace onecast::stripes
