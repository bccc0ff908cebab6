// The MPI that is chosen at run time is that of this program, and its constants and types, which
// Onecast describes itself, are those of this program's mpi.h.
#include "comm/mpi/mpi_library.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "comm/mpi/mpi_abis.hpp"
#include "onecast/comm/mpi.hpp"
#include "support/thrown_by.hpp"

namespace onecast::comm {
namespace {

using test::thrown_by;

const void* here() { return reinterpret_cast<const void*>(&MPI_Comm_rank); }

template <class Handle>
std::uintptr_t word(const Handle& handle) {
  return MpiHandle(&handle, sizeof handle, nullptr).word();
}

class MpiLibrary : public testing::Test {
 protected:
  const Mpi& mpi_ = mpi_of(here());
};

TEST_F(MpiLibrary, IsThatOfTheProgram) {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  MPI_Get_library_version(version.data(), &length);
  const std::string name = mpi_.name();
  const std::string product = name.substr(0, name.find(' '));
  EXPECT_NE(std::string(version.data()).find(product), std::string::npos) << name;
  EXPECT_TRUE(name.find("libmpi") != std::string::npos || name.find("(linked") != std::string::npos)
      << name;
  EXPECT_EQ(&mpi_of(nullptr), &mpi_) << "the program is linked to it";
  EXPECT_EQ(&mpi_of(reinterpret_cast<const void*>(&here)), &mpi_);
  int threads = 0;
  MPI_Query_thread(&threads);
  EXPECT_EQ(mpi_.allows_threads(), threads == MPI_THREAD_MULTIPLE);
}

TEST_F(MpiLibrary, SaysWhetherItSendsFromDevices) {
  const auto says = [](const char* name) {
    auto* query = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
    return query != nullptr && query() != 0;
  };
  EXPECT_EQ(mpi_.sends_from(DeviceApi::cuda), says("MPIX_Query_cuda_support"));
  EXPECT_EQ(mpi_.sends_from(DeviceApi::hip),
            says("MPIX_Query_rocm_support") || says("MPIX_Query_hip_support"));
}

TEST_F(MpiLibrary, HasTheConstantsOfMpiH) {
  const MpiConstants& its = mpi_.constants();
  EXPECT_EQ(its.comm_null, MpiComm{word(MPI_COMM_NULL)});
  EXPECT_EQ(its.comm_world, MpiComm{word(MPI_COMM_WORLD)});
  EXPECT_EQ(its.comm_self, MpiComm{word(MPI_COMM_SELF)});
  EXPECT_EQ(its.byte, MpiType{word(MPI_BYTE)});
  EXPECT_EQ(its.uint64, MpiType{word(MPI_UINT64_T)});
  EXPECT_EQ(its.min, MpiOp{word(MPI_MIN)});
  EXPECT_EQ(its.max, MpiOp{word(MPI_MAX)});
  EXPECT_EQ(its.info_null, MpiInfo{word(MPI_INFO_NULL)});
  EXPECT_EQ(its.request_null, MpiRequest{word(MPI_REQUEST_NULL)});
  EXPECT_EQ(its.file_null, MpiFile{word(MPI_FILE_NULL)});
  EXPECT_EQ(its.errors_return, word(MPI_ERRORS_RETURN));
}

/// Compares the description of an interface with mpi.h.
template <class Abi>
void compare_numbers() {
  EXPECT_EQ(sizeof(typename Abi::Comm), sizeof(MPI_Comm));
  EXPECT_EQ(sizeof(typename Abi::Type), sizeof(MPI_Datatype));
  EXPECT_EQ(sizeof(typename Abi::Op), sizeof(MPI_Op));
  EXPECT_EQ(sizeof(typename Abi::Info), sizeof(MPI_Info));
  EXPECT_EQ(sizeof(typename Abi::Request), sizeof(MPI_Request));
  EXPECT_EQ(sizeof(typename Abi::Window), sizeof(MPI_Win));
  EXPECT_EQ(sizeof(typename Abi::File), sizeof(MPI_File));
  EXPECT_EQ(sizeof(typename Abi::Errhandler), sizeof(MPI_Errhandler));
  EXPECT_EQ(sizeof(std::intptr_t), sizeof(MPI_Aint));
  EXPECT_EQ(sizeof(std::int64_t), sizeof(MPI_Offset));
  EXPECT_EQ(sizeof(typename Abi::Status), sizeof(MPI_Status));
  EXPECT_EQ(offsetof(typename Abi::Status, source), offsetof(MPI_Status, MPI_SOURCE));
  EXPECT_EQ(Abi::kInPlace, reinterpret_cast<std::intptr_t>(MPI_IN_PLACE));
  EXPECT_EQ(Abi::kIgnoredStatus, reinterpret_cast<std::intptr_t>(MPI_STATUS_IGNORE));
  EXPECT_EQ(Abi::kIgnoredStatus, reinterpret_cast<std::intptr_t>(MPI_STATUSES_IGNORE));
  EXPECT_EQ(nullptr, MPI_BOTTOM);
  EXPECT_EQ(0, MPI_SUCCESS);
  const std::vector<std::array<int, 2>> numbers{
      {Abi::kAnySource, MPI_ANY_SOURCE},        {Abi::kThreadMultiple, MPI_THREAD_MULTIPLE},
      {Abi::kShared, MPI_COMM_TYPE_SHARED},     {Abi::kIdentical, MPI_IDENT},
      {Abi::kCongruent, MPI_CONGRUENT},         {Abi::kNoCheck, MPI_MODE_NOCHECK},
      {Abi::kReadOnly, MPI_MODE_RDONLY},        {Abi::kReadWrite, MPI_MODE_RDWR},
      {Abi::kCreate, MPI_MODE_CREATE},          {Abi::kExclusive, MPI_MODE_EXCL},
      {Abi::kNoSuchFile, MPI_ERR_NO_SUCH_FILE}, {Abi::kFileExists, MPI_ERR_FILE_EXISTS},
      {Abi::kAccess, MPI_ERR_ACCESS},           {Abi::kReadOnlyFileSystem, MPI_ERR_READ_ONLY},
      {Abi::kNoSpace, MPI_ERR_NO_SPACE},        {Abi::kQuota, MPI_ERR_QUOTA}};
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i][0], numbers[i][1]) << i;
}

TEST_F(MpiLibrary, HasTheNumbersOfMpiH) {
#if defined(OPEN_MPI)
  compare_numbers<OpenMpiAbi>();
#elif defined(MPI_ABI_VERSION) && !defined(MPICH_VERSION)
  compare_numbers<StandardAbi>();
#elif defined(MPICH_VERSION)
  compare_numbers<MpichAbi>();
#else
  GTEST_SKIP() << "Onecast has no description of this MPI";
#endif
}

TEST_F(MpiLibrary, TakesHandlesOfEachForm) {
  MPI_Comm world = MPI_COMM_WORLD;
  std::uintptr_t as_word = ~std::uintptr_t{0};  // of an integer only one half counts
  std::memcpy(&as_word, &world, sizeof world);
  const MpiComm expected = mpi_.constants().comm_world;
  EXPECT_EQ(comm_of(mpi_, mpi_handle(world), ""), expected);
  EXPECT_EQ(comm_of(mpi_, MpiHandle::of_word(as_word, here()), ""), expected);
  EXPECT_EQ(comm_of(mpi_, MpiHandle::of_fortran(MPI_Comm_c2f(world), here()), ""), expected);
  EXPECT_EQ(comm_of(mpi_, mpi_handle_at(&world, here()), ""), expected);
  EXPECT_EQ(info_of(mpi_, MpiHandle::of_fortran(MPI_Info_c2f(MPI_INFO_NULL)), ""),
            mpi_.constants().info_null);
  EXPECT_FALSE(mpi_is_null(mpi_handle(world)));
  world = MPI_COMM_NULL;
  EXPECT_TRUE(mpi_is_null(mpi_handle(world)));
}

TEST_F(MpiLibrary, RefusesHandlesOfAnotherSize) {
  const std::array<std::byte, 16> bytes{};
  const Error error = thrown_by([&] { mpi_communicator(MpiHandle(&bytes, 2, here())); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(std::string(error.what()),
            "mpi_communicator: the handle has 2 bytes, and those of " + mpi_.name() + " have " +
                std::to_string(sizeof(MPI_Comm)) +
                ": the program was compiled for another MPI than it runs with");
}

TEST_F(MpiLibrary, ThrowsErrorsOfMpi) {
  const MpiComm mine = mpi_.comm_dup(mpi_.constants().comm_self);
  mpi_.comm_return_errors(mine);
  int value = 0;
  const Error error =
      thrown_by([&] { mpi_.bcast(&value, 4, mpi_.constants().byte, /*root=*/7, mine); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(std::string(error.what()).find("MPI_Bcast: "), 0U) << error.what();
  mpi_.comm_free(mine);
}

TEST_F(MpiLibrary, KnowsErrorsOfFiles) {
  MpiFile file{};
  const int status = mpi_.file_open("/nowhere/at/all", {}, file);
  EXPECT_EQ(mpi_.errno_of(status), ENOENT) << mpi_.error_text(status);
  EXPECT_EQ(file, mpi_.constants().file_null);
}

}  // namespace
}  // namespace onecast::comm
