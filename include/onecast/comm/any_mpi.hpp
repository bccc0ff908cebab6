#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

#include "onecast/comm/communicator.hpp"

namespace onecast {

/// A handle of MPI, an MPI_Comm or an MPI_Info, for code that is compiled without the mpi.h of the
/// program. Onecast is linked to no MPI: it calls the one that the program uses. Several MPI
/// libraries may be in use in one process. `onecast/comm/mpi.hpp` makes such a handle.
///
/// `library` is the address of any function of this MPI, or of the library or program that uses it;
/// null: the MPI to which the program is linked. A value, whose functions are @independent.
class MpiHandle {
 public:
  /// Takes the handle at `bytes`, which has `size` bytes.
  MpiHandle(const void* bytes, std::size_t size, const void* library)
      : library_(library), size_(size) {
    if (size == sizeof(std::uint32_t)) {
      std::uint32_t low = 0;
      std::memcpy(&low, bytes, sizeof low);
      word_ = low;
    } else if (size == sizeof word_) {
      std::memcpy(&word_, bytes, sizeof word_);
    }
  }
  /// Takes a handle that was passed to a function by value, as a word. Of the handles of some MPI,
  /// which are integers, only the lower half of the word counts.
  static MpiHandle of_word(std::uintptr_t word, const void* library) {
    return {word, kWord, library};
  }
  /// Takes a handle of Fortran, an integer.
  static MpiHandle of_fortran(int number, const void* library = nullptr) {
    return {static_cast<std::uintptr_t>(static_cast<std::intptr_t>(number)), kFortran, library};
  }

  static constexpr std::size_t kWord = ~std::size_t{0};
  static constexpr std::size_t kFortran = kWord - 1;

  [[nodiscard]] const void* library() const { return library_; }
  [[nodiscard]] std::uintptr_t word() const { return word_; }
  /// The size in bytes, kWord or kFortran.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  MpiHandle(std::uintptr_t word, std::size_t size, const void* library)
      : library_(library), word_(word), size_(size) {}

  const void* library_;
  std::uintptr_t word_ = 0;
  std::size_t size_;
};

/// Makes a Communicator of the processes of an intracommunicator; see mpi_communicator(MPI_Comm).
/// Throws Error: unsupported (no MPI, or one that Onecast does not know), state (MPI is not
/// running; a session of MPI is not enough), invalid_argument (MPI_COMM_NULL, an intercommunicator,
/// the handle of another MPI), io (MPI returned an error). @collective
Communicator mpi_communicator(const MpiHandle& comm);
/// Makes a Communicator of MPI_COMM_WORLD. @param library see MpiHandle @collective
Communicator mpi_communicator_of_world(const void* library);

/// Returns the hints of an info object; see hints_of(MPI_Info). Throws Error (unsupported, state,
/// invalid_argument, io).
/// @independent
std::map<std::string, std::string> hints_of(const MpiHandle& info);

/// Takes the communicator at an address, for code that does not know its size. Throws Error
/// (unsupported). @independent
MpiHandle mpi_handle_at(const void* comm, const void* library);
/// True for MPI_COMM_NULL. Throws Error (unsupported, invalid_argument; state for a handle of
/// Fortran, if MPI is not running). @independent
bool mpi_is_null(const MpiHandle& comm);
/// Returns the version of MPI and the file of its library. Throws Error (unsupported). @independent
std::string mpi_library(const void* library);
/// Returns the rank in MPI_COMM_WORLD. Throws Error (unsupported, state). @independent
int mpi_rank_in_world(const void* library);
/// Calls MPI_Init unless MPI is initialized. Throws Error (unsupported, io). @collective
void mpi_initialize(const void* library);
/// Calls MPI_Abort for all processes of MPI_COMM_WORLD. Returns if MPI does not run.
/// @independent
void mpi_abort(const void* library) noexcept;

}  // namespace onecast
