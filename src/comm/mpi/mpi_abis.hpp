#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/namespaces.hpp"
#include "comm/mpi/mpi_names.hpp"
#include "comm/mpi/mpi_symbols.hpp"

namespace onecast::comm {

/// The binary interfaces of MPI: the types of handles, the layout of MPI_Status, and the values of
/// the constants that Onecast uses. tests/mpi/constants_test.cpp compares them with mpi.h.

/// Handles are pointers, and constants are objects of the library.
struct OpenMpiAbi {
  using Comm = void*;
  using Type = void*;
  using Op = void*;
  using Info = void*;
  using Request = void*;
  using Window = void*;
  using File = void*;
  using Errhandler = void*;
  struct Status {
    int source, tag, error, cancelled;
    std::size_t count;
  };
  static constexpr std::intptr_t kInPlace = 1;
  static constexpr std::intptr_t kIgnoredStatus = 0;
  static constexpr int kAnySource = -1;
  static constexpr int kThreadMultiple = 3;
  static constexpr int kShared = 0;
  static constexpr int kIdentical = 0;
  static constexpr int kCongruent = 1;
  static constexpr int kNoCheck = 1;
  static constexpr int kReadOnly = 2;
  static constexpr int kReadWrite = 8;
  static constexpr int kCreate = 1;
  static constexpr int kExclusive = 64;
  static constexpr int kNoSuchFile = 42;
  static constexpr int kFileExists = 28;
  static constexpr int kAccess = 20;
  static constexpr int kReadOnlyFileSystem = 45;
  static constexpr int kNoSpace = 41;
  static constexpr int kQuota = 44;
  static int source_of(const Status& status) { return status.source; }
  static constexpr bool kNumbersAreHandles = false;

  static MpiConstants constants(const MpiSymbols& symbols) {
    const auto at = [&](const char* name) {
      return reinterpret_cast<std::uintptr_t>(symbols.required(name));
    };
    return {.comm_null = MpiComm{at("ompi_mpi_comm_null")},
            .comm_world = MpiComm{at("ompi_mpi_comm_world")},
            .comm_self = MpiComm{at("ompi_mpi_comm_self")},
            .byte = MpiType{at("ompi_mpi_byte")},
            .uint64 = MpiType{at("ompi_mpi_uint64_t")},
            .min = MpiOp{at("ompi_mpi_op_min")},
            .max = MpiOp{at("ompi_mpi_op_max")},
            .info_null = MpiInfo{at("ompi_mpi_info_null")},
            .request_null = MpiRequest{at("ompi_request_null")},
            .file_null = MpiFile{at("ompi_mpi_file_null")},
            .errors_return = at("ompi_mpi_errors_return")};
  }
};

/// MPICH and its family (MPICH, Intel MPI, MVAPICH, Cray MPICH), which agreed on one interface.
/// Handles are integers, except those of files.
struct MpichAbi {
  using Comm = int;
  using Type = int;
  using Op = int;
  using Info = int;
  using Request = int;
  using Window = int;
  using File = void*;
  using Errhandler = int;
  struct Status {
    std::array<int, 2> count;
    int source, tag, error;
  };
  static constexpr std::intptr_t kInPlace = -1;
  static constexpr std::intptr_t kIgnoredStatus = 1;
  static constexpr int kAnySource = -2;
  static constexpr int kThreadMultiple = 3;
  static constexpr int kShared = 1;
  static constexpr int kIdentical = 0;
  static constexpr int kCongruent = 1;
  static constexpr int kNoCheck = 1024;
  static constexpr int kReadOnly = 2;
  static constexpr int kReadWrite = 8;
  static constexpr int kCreate = 1;
  static constexpr int kExclusive = 64;
  static constexpr int kNoSuchFile = 37;
  static constexpr int kFileExists = 25;
  static constexpr int kAccess = 20;
  static constexpr int kReadOnlyFileSystem = 40;
  static constexpr int kNoSpace = 36;
  static constexpr int kQuota = 39;
  static int source_of(const Status& status) { return status.source; }
  static constexpr bool kNumbersAreHandles = true;

  static MpiConstants constants(const MpiSymbols& /*symbols*/) {
    return {.comm_null = MpiComm{0x04000000},
            .comm_world = MpiComm{0x44000000},
            .comm_self = MpiComm{0x44000001},
            .byte = MpiType{0x4c00010d},
            .uint64 = MpiType{0x4c00083e},
            .min = MpiOp{0x58000002},
            .max = MpiOp{0x58000001},
            .info_null = MpiInfo{0x1c000000},
            .request_null = MpiRequest{0x2c000000},
            .file_null = MpiFile{0},
            .errors_return = 0x54000001};
  }
};

/// The standard interface, "MPI Application Binary Interface (ABI)" of MPI 5.0. Handles are
/// pointers, and constants are small numbers in their place.
struct StandardAbi {
  using Comm = void*;
  using Type = void*;
  using Op = void*;
  using Info = void*;
  using Request = void*;
  using Window = void*;
  using File = void*;
  using Errhandler = void*;
  struct Status {
    int source, tag, error;
    std::array<int, 5> internal;
  };
  static constexpr std::intptr_t kInPlace = 1;
  static constexpr std::intptr_t kIgnoredStatus = 0;
  static constexpr int kAnySource = -1;
  static constexpr int kThreadMultiple = 4096;
  static constexpr int kShared = 221;
  static constexpr int kIdentical = 201;
  static constexpr int kCongruent = 202;
  static constexpr int kNoCheck = 1024;
  static constexpr int kReadOnly = 16;
  static constexpr int kReadWrite = 32;
  static constexpr int kCreate = 2;
  static constexpr int kExclusive = 8;
  static constexpr int kNoSuchFile = 42;
  static constexpr int kFileExists = 28;
  static constexpr int kAccess = 20;
  static constexpr int kReadOnlyFileSystem = 45;
  static constexpr int kNoSpace = 41;
  static constexpr int kQuota = 44;
  static int source_of(const Status& status) { return status.source; }
  static constexpr bool kNumbersAreHandles = false;

  static MpiConstants constants(const MpiSymbols& /*symbols*/) {
    return {.comm_null = MpiComm{0x100},
            .comm_world = MpiComm{0x101},
            .comm_self = MpiComm{0x102},
            .byte = MpiType{0x247},
            .uint64 = MpiType{0x259},
            .min = MpiOp{0x22},
            .max = MpiOp{0x23},
            .info_null = MpiInfo{0x130},
            .request_null = MpiRequest{0x180},
            .file_null = MpiFile{0x118},
            .errors_return = 0x143};
  }
};

}  // namespace onecast::comm
