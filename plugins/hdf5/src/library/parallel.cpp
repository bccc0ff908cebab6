#include "library/parallel.hpp"

#include <onecast/base/error.hpp>
#include <onecast/comm/any_mpi.hpp>

#include "library/errors.hpp"

namespace onecast_hdf5 {
namespace {

/// The values of H5FD_mpio_xfer_t.
enum Mode : int { independent, collective };

}  // namespace

#ifdef ONECAST_HAVE_MPI
namespace {

/// The handles of an access list, which the library duplicates for the caller. A handle of MPI has
/// four or eight bytes.
class Handles {
 public:
  Handles(const Library& library, h5::Id access) : call_(library.parallel) {
    // The library answers with null handles if a list has no MPI.
    call_.H5Pget_fapl_mpio(library.variable("H5P_LST_FILE_ACCESS_ID_g"), nullptr, &no_info_);
    found_ = call_.H5Pget_fapl_mpio(access, &communicator_, &info_) >= 0;
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    if (!found_) return;
    call_.MPI_Comm_free(&communicator_);
    if (info_ != no_info_) call_.MPI_Info_free(&info_);
  }
  [[nodiscard]] bool found() const { return found_; }
  [[nodiscard]] onecast::MpiHandle communicator() const { return handle(communicator_); }
  [[nodiscard]] onecast::MpiHandle info() const { return handle(info_); }

 private:
  [[nodiscard]] onecast::MpiHandle handle(std::uintptr_t word) const {
    return onecast::MpiHandle::of_word(word, reinterpret_cast<const void*>(call_.H5Pget_fapl_mpio));
  }

  const h5::ParallelFunctions& call_;
  std::uintptr_t communicator_ = 0;
  std::uintptr_t info_ = 0;
  std::uintptr_t no_info_ = 0;
  bool found_ = false;
};

}  // namespace

std::optional<Ranks> ranks_of(Library& library, h5::Id access) {
  if (!library.parallel.are_known() || library.call.H5Pget_driver(access) == library.plain_driver())
    return std::nullopt;
  const Silence silence(library);
  const Handles handles(library, access);
  if (!handles.found()) return std::nullopt;
  try {
    return Ranks{onecast::mpi_communicator(handles.communicator()),
                 onecast::hints_of(handles.info())};
  } catch (const onecast::Error& error) {
    // The native library opens files with an MPI that Onecast does not know.
    if (error.code() != onecast::ErrorCode::unsupported) throw;
    return std::nullopt;
  }
}

Ranks ranks_of_world() { return {onecast::mpi_communicator_of_world(nullptr), {}, true}; }
#else
// The native library opens files with MPI.
std::optional<Ranks> ranks_of(Library&, h5::Id) { return std::nullopt; }

Ranks ranks_of_world() {
  throw onecast::Error(onecast::ErrorCode::unsupported,
                       "comm=world: this build of Onecast has no MPI");
}
#endif

namespace {

bool is_collective_by_mpi(const Library& library, h5::Id transfer) {
  int mode = independent;
  return transfer != library.default_transfer() && library.parallel.are_known() &&
         library.parallel.H5Pget_dxpl_mpio(transfer, &mode) >= 0 && mode == collective;
}

}  // namespace

bool is_collective(const Library& library, h5::Id transfer) {
  return is_collective_by_mpi(library, transfer) ||
         (transfer != library.default_transfer() &&
          library.call.H5Pexist(transfer, "onecast_collective") > 0);
}

TransferAlone::TransferAlone(Library& library, h5::Id transfer)
    : library_(library), given_(transfer), id_(transfer) {
  if (!is_collective_by_mpi(library, transfer)) return;
  id_ = library.call.H5Pcopy(transfer);
  library.parallel.H5Pset_dxpl_mpio(id_, independent);
}

TransferAlone::~TransferAlone() {
  if (id_ == given_) return;
  const ErrorStackKeeper keep(library_);
  library_.call.H5Pclose(id_);
}

}  // namespace onecast_hdf5
