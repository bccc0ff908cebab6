#include <sys/stat.h>

#include <cerrno>

#include "support/transport_conformance.hpp"

namespace onecast::test {
namespace {

INSTANTIATE_TEST_SUITE_P(, TransportConformance,
                         testing::Values(TransportCase{"mpi_io", mpi_io_factory}), name_of);

TEST(MpiIoTransport, RefusesWhatIsNoRegularFile) {
  const TemporaryDirectory directory;
  const TransportFactory open = mpi_io_factory();
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write, OpenMode::replace}) {
    EXPECT_EQ(thrown_by([&] { open(pipe, mode); }).system_errno(), ESPIPE);
    EXPECT_EQ(thrown_by([&] { open(directory.path().string(), mode); }).system_errno(), EISDIR);
  }
}

}  // namespace
}  // namespace onecast::test
