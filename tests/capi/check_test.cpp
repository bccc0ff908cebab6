#include <cstring>
#include <fstream>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

using Check = CapiTest;

TEST_F(Check, ASoundFileAndADamagedOne) {
  for (int i = 0; i < 20; ++i)
    EXPECT_DONE(onecast_attribute_set_text(group(std::to_string(i).c_str()).get(), "a", "text"));
  EXPECT_DONE(onecast_file_flush(file));
  onecast_check_report report;
  std::size_t count = 7;
  onecast_finding* findings = nullptr;
  ASSERT_DONE(onecast_check_file(path().c_str(), 1, &report, sizeof report, &count, &findings));
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(findings, nullptr);
  EXPECT_EQ(report.damaged, 0);
  EXPECT_EQ(report.walked, 1);
  EXPECT_GT(report.metadata_bytes, 1000U);

  const std::string damaged = folder / "damaged.h5";
  std::ifstream in(path(), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  bytes.at(bytes.find("text")) = 'T';  // makes the header's checksum wrong
  std::ofstream(damaged, std::ios::binary) << bytes;
  ASSERT_DONE(onecast_check_file(damaged.c_str(), 0, &report, sizeof report, &count, &findings));
  const Owned<void> owner(static_cast<void*>(findings));
  EXPECT_EQ(report.damaged, 1);
  ASSERT_GT(count, 0U);
  EXPECT_EQ(findings[0].kind, ONECAST_FINDING_DAMAGE);
  EXPECT_NE(findings[0].address, ONECAST_NO_ADDRESS);
  EXPECT_GT(std::strlen(findings[0].what), 0U);
  EXPECT_DONE(onecast_check_file(damaged.c_str(), 0, nullptr, 0, nullptr, nullptr));
}

TEST_F(Check, WhatIsWrong) {
  onecast_check_report report;
  EXPECT_FAILS(onecast_check_file(nullptr, 0, nullptr, 0, nullptr, nullptr),
               ONECAST_INVALID_ARGUMENT, "path is NULL");
  EXPECT_FAILS(onecast_check_file((folder / "no.h5").c_str(), 0, nullptr, 0, nullptr, nullptr),
               ONECAST_NOT_FOUND, "no.h5");
  EXPECT_DONE(onecast_file_flush(file));
  EXPECT_FAILS(onecast_check_file(path().c_str(), 0, &report, sizeof report + 8, nullptr, nullptr),
               ONECAST_INVALID_ARGUMENT, "report");
}

}  // namespace
}  // namespace onecast::test
