#include "comm/mpi/mpi_shared_memory.hpp"

namespace onecast::comm {
namespace {

class MpiSharedMemory final : public SharedMemory {
 public:
  MpiSharedMemory(const Mpi& mpi, MpiComm node, std::size_t size)
      : mpi_(mpi), window_(mpi.win_allocate_shared(size, node)) {
    // One epoch for its lifetime: plain loads and stores, ordered by barriers.
    mpi.win_lock_all(window_);
  }
  ~MpiSharedMemory() override {
    if (!mpi_.is_running()) return;
    mpi_.win_unlock_all(window_);
    mpi_.win_free(window_);
  }

  [[nodiscard]] std::span<std::byte> of(int rank) const override {
    return mpi_.win_shared_query(window_, rank);
  }
  void sync() override { mpi_.win_sync(window_); }

 private:
  const Mpi& mpi_;
  MpiWindow window_;
};

}  // namespace

std::unique_ptr<SharedMemory> mpi_shared_memory(const Mpi& mpi, MpiComm node, std::size_t size) {
  return std::make_unique<MpiSharedMemory>(mpi, node, size);
}

}  // namespace onecast::comm
