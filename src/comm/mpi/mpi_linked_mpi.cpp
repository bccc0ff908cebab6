// The MPI that the build was told to link to (ONECAST_MPI_LINKED), of any binary interface.
#ifdef ONECAST_MPI_LINKED

#include <dlfcn.h>
#include <mpi.h>

#include <cstring>
#include <string_view>

#include "comm/mpi/mpi_library.hpp"
#include "comm/mpi/mpi_of.hpp"

namespace onecast::comm {
namespace {

struct LinkedAbi {
  using Comm = MPI_Comm;
  using Type = MPI_Datatype;
  using Op = MPI_Op;
  using Info = MPI_Info;
  using Request = MPI_Request;
  using Window = MPI_Win;
  using File = MPI_File;
  using Errhandler = MPI_Errhandler;
  using Status = MPI_Status;
  static inline const auto kInPlace = reinterpret_cast<std::intptr_t>(MPI_IN_PLACE);
  static inline const auto kIgnoredStatus = reinterpret_cast<std::intptr_t>(MPI_STATUS_IGNORE);
  static constexpr int kAnySource = MPI_ANY_SOURCE;
  static constexpr int kThreadMultiple = MPI_THREAD_MULTIPLE;
  static constexpr int kShared = MPI_COMM_TYPE_SHARED;
  static constexpr int kIdentical = MPI_IDENT;
  static constexpr int kCongruent = MPI_CONGRUENT;
  static constexpr int kNoCheck = MPI_MODE_NOCHECK;
  static constexpr int kReadOnly = MPI_MODE_RDONLY;
  static constexpr int kReadWrite = MPI_MODE_RDWR;
  static constexpr int kCreate = MPI_MODE_CREATE;
  static constexpr int kExclusive = MPI_MODE_EXCL;
  static constexpr int kNoSuchFile = MPI_ERR_NO_SUCH_FILE;
  static constexpr int kFileExists = MPI_ERR_FILE_EXISTS;
  static constexpr int kAccess = MPI_ERR_ACCESS;
  static constexpr int kReadOnlyFileSystem = MPI_ERR_READ_ONLY;
  static constexpr int kNoSpace = MPI_ERR_NO_SPACE;
  static constexpr int kQuota = MPI_ERR_QUOTA;
  static constexpr bool kNumbersAreHandles = false;
  static int source_of(const Status& status) { return status.MPI_SOURCE; }

  template <class Handle>
  static std::uintptr_t word(Handle handle) {
    std::uintptr_t bits = 0;
    static_assert(sizeof handle <= sizeof bits);
    if constexpr (sizeof handle == sizeof(unsigned)) {
      unsigned low = 0;
      std::memcpy(&low, &handle, sizeof low);
      return low;
    } else {
      std::memcpy(&bits, &handle, sizeof handle);
      return bits;
    }
  }
  static MpiConstants constants(const MpiSymbols& /*symbols*/) {
    return {.comm_null = MpiComm{word(MPI_COMM_NULL)},
            .comm_world = MpiComm{word(MPI_COMM_WORLD)},
            .comm_self = MpiComm{word(MPI_COMM_SELF)},
            .byte = MpiType{word(MPI_BYTE)},
            .uint64 = MpiType{word(MPI_UINT64_T)},
            .min = MpiOp{word(MPI_MIN)},
            .max = MpiOp{word(MPI_MAX)},
            .info_null = MpiInfo{word(MPI_INFO_NULL)},
            .request_null = MpiRequest{word(MPI_REQUEST_NULL)},
            .file_null = MpiFile{word(MPI_FILE_NULL)},
            .errors_return = word(MPI_ERRORS_RETURN)};
  }
};

MPI_Comm comm_of_number(int number) { return MPI_Comm_f2c(number); }
MPI_Info info_of_number(int number) { return MPI_Info_f2c(number); }

void* find_linked(void* /*scope*/, const char* name) {
  const std::string_view wanted(name);
#define ONECAST_IF_WANTED(NAME, ...) \
  if (wanted == "MPI_" #NAME) return reinterpret_cast<void*>(&MPI_##NAME);
  ONECAST_MPI_FUNCTIONS(ONECAST_IF_WANTED)
#undef ONECAST_IF_WANTED
  // These may be macros.
  if (wanted == "MPI_Comm_f2c") return reinterpret_cast<void*>(&comm_of_number);
  if (wanted == "MPI_Info_f2c") return reinterpret_cast<void*>(&info_of_number);
  // Only some MPIs have these.
  return wanted.starts_with("MPIX_") ? dlsym(RTLD_DEFAULT, name) : nullptr;
}

}  // namespace

const Mpi& mpi_of(const void* /*address*/) {
  static const auto* const kTheOne = [] {
    const std::string version = short_version(asked_version(&MPI_Get_library_version));
    return new MpiOf<LinkedAbi>(MpiSymbols(find_linked, nullptr, version + " (linked to Onecast)"));
  }();
  return *kTheOne;
}

}  // namespace onecast::comm

#endif
