#include "comm/check_mpi.hpp"
#include "comm/mpi_headers.hpp"

namespace onecast::comm {
namespace {

void combine_for_mpi(void* lower, void* higher, int* count, MPI_Datatype* /*type*/) {
  const auto* a = static_cast<const std::byte*>(lower);
  auto* b = static_cast<std::byte*>(higher);
  for (int i = 0; i < *count; ++i, a += sizeof(CallHeader), b += sizeof(CallHeader))
    combine_headers(a, b);
}

/// Created once and never freed: reductions that no rank waits for use them to the end.
struct HeaderType {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op combine = MPI_OP_NULL;

  HeaderType() {
    // The type is one element, so that no implementation splits it.
    check_mpi(MPI_Type_contiguous(static_cast<int>(sizeof(CallHeader)), MPI_BYTE, &type),
              "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
    check_mpi(MPI_Op_create(combine_for_mpi, /*commute=*/0, &combine), "MPI_Op_create");
  }
  static const HeaderType& get() {
    static const HeaderType kTheOne;
    return kTheOne;
  }
};

class MpiHeaderReduction final : public HeaderReduction {
 public:
  MpiHeaderReduction(MPI_Comm comm, const CallHeader& mine) : at_(std::make_unique<Buffers>()) {
    const HeaderType& header = HeaderType::get();
    at_->sent = mine;
    check_mpi(MPI_Iallreduce(&at_->sent, &at_->received, 1, header.type, header.combine, comm,
                             &at_->request),
              "MPI_Iallreduce");
  }
  ~MpiHeaderReduction() override {
    // MPI may still write to this memory.
    if (at_->request != MPI_REQUEST_NULL)
      static_cast<void>(at_.release());  // NOLINT(bugprone-unused-return-value)
  }

  bool is_done() override {
    int done = 1;
    if (at_->request != MPI_REQUEST_NULL)
      check_mpi(MPI_Test(&at_->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }
  [[nodiscard]] const CallHeader& value() const override { return at_->received; }

 private:
  struct Buffers {
    CallHeader sent;
    CallHeader received;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::unique_ptr<Buffers> at_;
};

}  // namespace

std::unique_ptr<HeaderReduction> begin_mpi_header(MPI_Comm comm, const CallHeader& mine) {
  return std::make_unique<MpiHeaderReduction>(comm, mine);
}

}  // namespace onecast::comm
