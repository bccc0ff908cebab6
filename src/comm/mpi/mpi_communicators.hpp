#pragma once

#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "comm/mpi/mpi_headers.hpp"
#include "comm/mpi/mpi_names.hpp"

namespace onecast::comm {

/// The communicators of one MPI of this process: those in use, and those that it has released, but
/// on which other ranks may still wait for its answer. At MPI_Finalize this rank parts from all of
/// them first.
class MpiCommunicators {
 public:
  /// A communicator in use.
  class InUse {
   public:
    InUse() = default;
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;
    virtual ~InUse() = default;
    /// MPI ends, so the communicator must be released.
    virtual void finish() noexcept = 0;
  };
  using Answers = std::deque<std::unique_ptr<HeaderReduction>>;

  /// Exists as long as the process.
  static MpiCommunicators& of(const Mpi& mpi);
  [[nodiscard]] const Mpi& mpi() const { return mpi_; }
  [[nodiscard]] const MpiHeaders& headers() const { return headers_; }

  void add(InUse& communicator);
  void remove(InUse& communicator);
  /// Frees the communicator once no rank makes calls on it. `answers` were begun on it; the last
  /// one says that this rank parts. Frees at once if there are none.
  void retire(MpiComm communicator, Answers answers) noexcept;
  /// Frees what can be freed, without waiting.
  void tidy() noexcept;

 private:
  explicit MpiCommunicators(const Mpi& mpi);

  struct Retired {
    MpiComm communicator;
    Answers answers;
  };
  bool is_over(Retired& retired) const;
  void finish() noexcept;
  [[nodiscard]] bool has_retired();

  const Mpi& mpi_;
  MpiHeaders headers_;
  Mpi::AtFinalize at_finalize_;
  ForkSafe<std::recursive_mutex> mutex_;
  std::vector<InUse*> in_use_;
  std::list<Retired> retired_;
};

}  // namespace onecast::comm
