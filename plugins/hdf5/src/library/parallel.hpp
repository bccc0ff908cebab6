#pragma once

#include <map>
#include <onecast/comm/communicator.hpp>
#include <optional>
#include <string>

#include "library/library.hpp"

namespace onecast_hdf5 {

/// The processes that open a file together, and their hints: what H5Pset_fapl_mpio was given.
struct Ranks {
  onecast::Communicator communicator{};
  std::map<std::string, std::string> hints{};
  bool are_world = false;  ///< all ranks of MPI_COMM_WORLD, as the user asks for
};

/// Returns the ranks of an access list; absent: the program opens the file on one process. The MPI
/// is the one that the library uses. Throws onecast::Error. @collective
std::optional<Ranks> ranks_of(Library& library, h5::Id access);

/// Returns all ranks of the MPI that the process has loaded. Throws onecast::Error. @collective
Ranks ranks_of_world();

/// True if a transfer list asks for a collective transfer: by MPI, or, where the library has no
/// MPI, by the property "onecast_collective", which the program has put into it.
bool is_collective(const Library& library, h5::Id transfer);

/// A transfer list without MPI, for a native file that one rank has open by itself.
class TransferAlone {
 public:
  TransferAlone(Library& library, h5::Id transfer);
  TransferAlone(const TransferAlone&) = delete;
  TransferAlone& operator=(const TransferAlone&) = delete;
  ~TransferAlone();
  [[nodiscard]] h5::Id id() const { return id_; }

 private:
  Library& library_;
  h5::Id given_;
  h5::Id id_;
};

}  // namespace onecast_hdf5
