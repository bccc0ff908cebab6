#include "capi/transfers.hpp"

namespace onecast::capi {

void read(const Dataset& from, Way way, std::span<std::byte> out, const TransferRequest& request) {
  if (way == Way::together)
    from.read_all(out, request);
  else
    from.read(out, request);
}

Pending read_async(const Dataset& from, Way way, std::span<std::byte> out,
                   const TransferRequest& request) {
  return way == Way::together ? from.read_all_async(out, request) : from.read_async(out, request);
}

Pending write_async(Dataset& to, Way way, std::span<const std::byte> elements,
                    const TransferRequest& request) {
  if (way == Way::together) return to.write_all_async(elements, request);
  return way == Way::equally ? to.write_equal_async(elements, request)
                             : to.write_async(elements, request);
}

TransferRequest request_of(const onecast_selection* part, const onecast_type* memory_type) {
  TransferRequest request{.part = selection_of(part),
                          .memory = memory_of(part),
                          .memory_type = optional_type(memory_type)};
  if (part != nullptr && part->sharing != ONECAST_SHARING_AUTOMATIC)
    request.sharing = sharing_of(part->sharing);
  if (part != nullptr && part->stream != nullptr) request.stream = *part->stream;
  return request;
}

std::optional<Sharing> sharing_in(const onecast_selection* part) {
  if (part == nullptr || part->sharing <= ONECAST_SHARING_AUTOMATIC ||
      part->sharing > ONECAST_SHARING_SERVE)
    return std::nullopt;
  return sharing_of(part->sharing);
}

TransferRequest plain_request_of(const Dataset& dataset, const onecast_selection* part,
                                 const onecast_type* memory_type) {
  TransferRequest request = request_of(part, memory_type);
  // path() waits for pending calls, so it is called only if require_plain() throws.
  if (const Datatype& given = request.memory_type ? *request.memory_type : dataset.datatype();
      given.points_elsewhere())
    require_plain(given, dataset.path());
  return request;
}

PlainTransfer<std::span<std::byte>> plain_read(const Dataset& from, const onecast_selection* part,
                                               const onecast_type* memory_type, void* out,
                                               size_t size) {
  PlainTransfer<std::span<std::byte>> made;
  made.request = attempt(part, [&] {
    made.bytes = room(out, size);
    return plain_request_of(from, part, memory_type);
  });
  return made;
}

PlainTransfer<std::span<const std::byte>> plain_write(const Dataset& to,
                                                      const onecast_selection* part,
                                                      const onecast_type* memory_type,
                                                      const void* data, size_t size) {
  PlainTransfer<std::span<const std::byte>> made;
  made.request = attempt(part, [&] {
    made.bytes = bytes(data, size);
    return plain_request_of(to, part, memory_type);
  });
  return made;
}

TransferRequest values_request_of(const onecast_selection* part) {
  static_cast<void>(plain_selection_of(part));
  return request_of(part);
}

}  // namespace onecast::capi
