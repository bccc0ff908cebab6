#include "comm/check_mpi.hpp"
#include "comm/mpi_shared_memory.hpp"

namespace onecast::comm {
namespace {

class MpiSharedMemory final : public SharedMemory {
 public:
  MpiSharedMemory(MPI_Comm node, std::size_t size) {
    void* mine = nullptr;
    check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(size), 1, MPI_INFO_NULL, node,
                                      static_cast<void*>(&mine), &window_),
              "MPI_Win_allocate_shared");
    // One epoch for its lifetime: plain loads and stores, ordered by barriers.
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  }
  ~MpiSharedMemory() override {
    if (!mpi_is_running()) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  [[nodiscard]] std::span<std::byte> of(int rank) const override {
    MPI_Aint size = 0;
    int unit = 0;
    void* part = nullptr;
    check_mpi(MPI_Win_shared_query(window_, rank, &size, &unit, static_cast<void*>(&part)),
              "MPI_Win_shared_query");
    return {static_cast<std::byte*>(part), static_cast<std::size_t>(size)};
  }
  void sync() override { check_mpi(MPI_Win_sync(window_), "MPI_Win_sync"); }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace

std::unique_ptr<SharedMemory> mpi_shared_memory(MPI_Comm node, std::size_t size) {
  return std::make_unique<MpiSharedMemory>(node, size);
}

}  // namespace onecast::comm
