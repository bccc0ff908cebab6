#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "comm/mpi/mpi_names.hpp"

namespace onecast::comm {

/// The reduction of headers over one MPI. Its type and operation are created once, and freed when
/// MPI ends. Reductions that no rank waits for use them until then.
class MpiHeaders {
 public:
  explicit MpiHeaders(const Mpi& mpi);

  /// Begins a nonblocking reduction over `comm`. Blocking and nonblocking reductions do not match,
  /// so all headers use this function.
  [[nodiscard]] std::unique_ptr<HeaderReduction> begin(MpiComm comm, const CallHeader& mine) const;
  /// Begun reductions still complete, but no further ones can be begun.
  void free() noexcept;

 private:
  const Mpi& mpi_;
  MpiType type_;
  MpiOp combine_;
};

}  // namespace onecast::comm
