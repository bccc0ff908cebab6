#include "comm/mpi/mpi_headers.hpp"

namespace onecast::comm {
namespace {

void combine_for_mpi(void* lower, void* higher, int* count, void* /*type*/) {
  const auto* a = static_cast<const std::byte*>(lower);
  auto* b = static_cast<std::byte*>(higher);
  for (int i = 0; i < *count; ++i, a += sizeof(CallHeader), b += sizeof(CallHeader))
    combine_headers(a, b);
}

class MpiHeaderReduction final : public HeaderReduction {
 public:
  MpiHeaderReduction(const Mpi& mpi, const CallHeader& mine)
      : mpi_(mpi), at_(std::make_unique<Buffers>()), request_(mpi.constants().request_null) {
    at_->sent = mine;
  }
  void begin(MpiType type, MpiOp combine, MpiComm comm) {
    request_ = mpi_.iallreduce(&at_->sent, &at_->received, type, combine, comm);
  }
  ~MpiHeaderReduction() override {
    // MPI may still write to this memory.
    if (is_pending()) static_cast<void>(at_.release());  // NOLINT(bugprone-unused-return-value)
  }

  bool is_done() override { return !is_pending() || mpi_.test(request_, "MPI_Test"); }
  [[nodiscard]] const CallHeader& value() const override { return at_->received; }

 private:
  struct Buffers {
    CallHeader sent;
    CallHeader received;
  };
  [[nodiscard]] bool is_pending() const { return request_ != mpi_.constants().request_null; }

  const Mpi& mpi_;
  std::unique_ptr<Buffers> at_;
  MpiRequest request_;
};

}  // namespace

/// The type is one element, so that no implementation splits it.
MpiHeaders::MpiHeaders(const Mpi& mpi)
    : mpi_(mpi),
      type_(mpi.type_of_bytes(static_cast<int>(sizeof(CallHeader)))),
      combine_(mpi.op_create(combine_for_mpi)) {}

std::unique_ptr<HeaderReduction> MpiHeaders::begin(MpiComm comm, const CallHeader& mine) const {
  auto reduction = std::make_unique<MpiHeaderReduction>(mpi_, mine);
  reduction->begin(type_, combine_, comm);
  return reduction;
}

void MpiHeaders::free() noexcept {
  mpi_.type_free(type_);
  mpi_.op_free(combine_);
}

}  // namespace onecast::comm
