#include "transfer/transfer.hpp"

#include <string>

#include "grammar/failure.hpp"
#include "nodes/hdf5_type.hpp"
#include "onecast/objects/details.hpp"

namespace onecast::cgns {

namespace {

Dataset array_data(Node& array) {
  auto data = array.data();
  if (!data) throw Failure(array.path() + " has no value");
  return *data;
}

void require_conversion(Node& array, ValueType memory) {
  if (!converts(array.type(), memory))
    throw Failure(array.path() + " is of type " + std::string(text_of(array.type())) +
                  ", which does not convert to " + std::string(text_of(memory)));
}

void require_same_count(const Part& part, const std::string& array) {
  if (part.memory && element_count(part.memory->box.shape()) != element_count(part.stored.shape()))
    throw Failure("the part of memory has another number of elements than that of " + array);
}

TransferRequest request_of(Node& array, const Part& part) {
  require_conversion(array, part.memory_type);
  require_same_count(part, array.path());
  const bool reversed = array.tree().is_reversed();
  TransferRequest request{.part = selection_of(part.stored, reversed),
                          .memory_type = hdf5_type(part.memory_type)};
  if (part.memory)
    request.memory = MemoryLayout(shape_of(part.memory->dims, reversed),
                                  selection_of(part.memory->box, reversed));
  return request;
}

std::size_t bytes_of(const Part& part) {
  return element_count(part.memory ? part.memory->dims : part.stored.shape()) *
         size_of(part.memory_type);
}

std::span<const std::byte> elements_of(const Part& part, const void* elements) {
  if (elements == nullptr) throw Failure("the elements to write are NULL");
  return {static_cast<const std::byte*>(elements), bytes_of(part)};
}

std::span<std::byte> room_of(const Part& part, void* out) {
  if (out == nullptr) throw Failure("the memory to read into is NULL");
  return {static_cast<std::byte*>(out), bytes_of(part)};
}

/// The code of an Error that carries a Failure to other ranks. Its errno, which is unused with this
/// code, is the status of the Failure.
constexpr ErrorCode kCarrier = ErrorCode::invalid_argument;

std::exception_ptr carried(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Failure& thrown) {
    return std::make_exception_ptr(Error(kCarrier, thrown.what(), thrown.status()));
  } catch (...) {
    return failure;
  }
}

constexpr const char* kOneCall =
    " (in mode CGP_COLLECTIVE, each call that writes or reads data is one of all ranks, each with "
    "its own array or, where it has none, NULL; after cgp_pio_mode(CGP_INDEPENDENT) it is one of "
    "this rank)";

/// Transfers make_requests() in one collective call. If one rank fails, all ranks throw its failure
/// with its status.
template <class MakeRequests, class Transfer>
void transfer_together(const std::exception_ptr& failure, MakeRequests&& make_requests,
                       Transfer&& transfer) {
  std::exception_ptr failed = failure;
  decltype(make_requests()) requests;
  try {
    if (!failed) requests = make_requests();
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed) failed = carried(failed);
  try {
    transfer(requests, failed);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::diverged) throw Failure(error.what() + std::string(kOneCall));
    if (error.code() != kCarrier || error.system_errno() == 0) throw;
    throw Failure(error.what(), error.system_errno());
  }
}

/// Returns the requests of this rank. @param bytes_in elements_of or room_of
template <class Request, class BytesIn>
std::vector<Request> requests_of(const std::vector<PartOfArray>& parts, BytesIn&& bytes_in) {
  std::vector<Request> requests;
  for (const auto& [array, part, memory] : parts) {
    TransferRequest request = request_of(*array, part);
    decltype(bytes_in(part, memory)) bytes;
    if (memory != nullptr) {
      bytes = bytes_in(part, memory);
    } else {
      request.part = Selection::none();
      request.memory.reset();
    }
    requests.emplace_back(array_data(*array), bytes, request);
  }
  return requests;
}

}  // namespace

void read_part(Node& array, const Part& part, void* out) {
  const auto room = room_of(part, out);
  array_data(array).read(room, request_of(array, part));
}

Manner manner_of_parts(Node& array) {
  Tree& tree = array.tree();
  if (!tree.has_ranks()) return Manner::equally;
  const Dataset data = array_data(array);
  if (tree.file().communicator().size() > 1 && !data.chunk_shape().empty() &&
      !storage_of(data).filters.empty())
    throw Failure(array.path() +
                  " is compressed: several ranks write parts of it together, with cgp_ functions");
  return Manner::alone;
}

void write_part(Node& array, const Part& part, const void* elements, Manner manner) {
  Dataset data = array_data(array);
  const auto bytes = elements_of(part, elements);
  TransferRequest request = request_of(array, part);
  if (manner == Manner::alone) return data.write(bytes, request);
  if (manner == Manner::compared) request.sharing = Sharing::verify;
  data.write_equal(bytes, request);
}

void write_together(OpenFile& file, const std::vector<PartOfArray>& parts,
                    const std::exception_ptr& failure) {
  transfer_together(
      failure, [&] { return requests_of<WriteRequest>(parts, elements_of); },
      [&](const auto& requests, const auto& failed) {
        file.tree->file().write_multi(requests, failed, Datasets::own);
      });
}

void read_together(OpenFile& file, const std::vector<PartOfArray>& parts,
                   const std::exception_ptr& failure) {
  transfer_together(
      failure, [&] { return requests_of<ReadRequest>(parts, room_of); },
      [&](const auto& requests, const auto& failed) {
        file.tree->file().read_multi(requests, failed, Datasets::own);
      });
}

void require_same_array(Node& array) {
  const ReadRequest nothing{array_data(array), std::span<std::byte>(), Selection::none()};
  array.tree().file().read_multi({&nothing, 1});
}

Node& create_array(Node& parent, const std::string& name, ValueType type, const Dims& dims,
                   const Part& part, const void* elements, Manner manner) {
  Tree& tree = parent.tree();
  if (elements == nullptr)
    return tree.create(parent, name, Label::DataArray, {type, dims}, Storage::contiguous);
  const auto bytes = elements_of(part, elements);
  if (!converts(type, part.memory_type))
    throw Failure("elements of type " + std::string(text_of(part.memory_type)) +
                  " do not convert to " + std::string(text_of(type)));
  require_same_count(part, name);
  if (manner == Manner::alone) {
    Node& array = tree.create(parent, name, Label::DataArray, {type, dims}, Storage::parts);
    write_part(array, part, elements, manner);
    return array;
  }
  const bool is_whole = part.stored.is_all_of(dims) && !part.memory && part.memory_type == type;
  Node& array = tree.create(parent, name, Label::DataArray,
                            {type, dims, is_whole ? bytes : std::span<const std::byte>()});
  if (!is_whole) write_part(array, part, elements, Manner::equally);
  return array;
}

}  // namespace onecast::cgns
