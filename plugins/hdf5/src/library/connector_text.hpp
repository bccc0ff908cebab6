#pragma once

#include <onecast/objects/file_options.hpp>
#include <string>
#include <string_view>

#include "library/library.hpp"

namespace onecast_hdf5 {

/// The text behind the name of the connector in HDF5_VOL_CONNECTOR (or H5Pset_vol), as the library
/// keeps it: a text such as "sharing=trust;page_size=1048576".
extern const h5::InfoCalls kInfoCalls;

/// What the user asks for.
struct Asked {
  onecast::FileOptions options{};
  /// True if files that are created or opened for writing are served, too.
  bool serves_writing = true;
  /// True if ranks read and write elements together, whatever transfer lists say.
  bool transfers_together = false;
};

/// Where the user asks for it: the text of an access list, and the environment.
class ConnectorText {
 public:
  ConnectorText(Library& library, h5::Id access);
  /// True if a file is to be opened on all ranks of MPI_COMM_WORLD, though its access list has no
  /// MPI.
  [[nodiscard]] bool is_on_world(const std::string& file) const;
  /// Sets what the user asks for. If a part of it is wrong, FileOptions::problem says so.
  void set(Asked& asked) const;

 private:
  std::string text_;
};

}  // namespace onecast_hdf5
