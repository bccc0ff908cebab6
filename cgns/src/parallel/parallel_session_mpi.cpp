#include "parallel/parallel_session.hpp"

namespace onecast::cgns {

namespace {

/// Passes communicators from cg_configure, which does not know MPI.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): throws only if there is no memory
[[maybe_unused]] const bool kTakesCommunicators = [] {
  session().configuration.take_communicator = [](const void* communicator, const void* library) {
    set_communicator(mpi_handle_at(communicator, library));
  };
  return true;
}();

}  // namespace

ParallelSettings& parallel_settings() {
  static ParallelSettings settings;
  return settings;
}

void set_communicator(const MpiHandle& communicator) {
  if (mpi_is_null(communicator)) throw Failure("the communicator is MPI_COMM_NULL");
  parallel_settings().communicator = communicator;
}

PartOfArray plain_part(Node& array, Range range, const void* memory) {
  const Dims dims = array.dims();
  PartOfArray part{&array, {.stored = {}, .memory_type = array.type()}, const_cast<void*>(memory)};
  part.part.stored = memory == nullptr
                         ? all_of(dims)
                         : box_of(dims, {}, Counting::from_first, range.first, range.last);
  return part;
}

PartOfArray general_part(Node& array, const Rind& rind, Range range, const GeneralMemory& memory,
                         const void* elements) {
  const Dims dims = array.dims();
  PartOfArray part{&array, {}, const_cast<void*>(elements)};
  if (elements == nullptr)
    part.part = {.stored = all_of(dims), .memory_type = array.type()};
  else
    part.part = general_part(dims, rind, range, memory);
  return part;
}

void detail::transfer_data(int fn, const Parts& parts, const std::exception_ptr& failure,
                           bool is_write) {
  OpenFile& file = opened(fn);
  if (parallel_settings().mode == CGP_COLLECTIVE) {
    std::exception_ptr failed = failure;
    if (is_write && file.mode == Mode::read && !failed)
      failed = std::make_exception_ptr(Failure("the file is not open for writing"));
    return is_write ? write_together(file, parts, failed) : read_together(file, parts, failed);
  }
  if (failure) std::rethrow_exception(failure);
  for (const auto& [array, part, memory] : parts) {
    if (memory == nullptr) continue;
    if (is_write)
      write_part(*array, part, memory, Manner::alone);
    else
      read_part(*array, part, memory);
  }
}

}  // namespace onecast::cgns
