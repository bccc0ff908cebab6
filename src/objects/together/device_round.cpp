#include "objects/together/device_round.hpp"

#include "objects/files/file_state.hpp"
#include "types/gaps.hpp"

namespace onecast::together {

bool is_sent_from_device(FileState& file, const WritePart& part) {
  const auto& place = part.request.place();
  return place && file.options().device_io == DeviceIo::direct && part.request.keeps_bytes() &&
         Gaps(part.write.dataset->dataset().type).none() &&
         file.comm().sends_from(place->driver->api);
}

DeviceRound::DeviceRound(const WritePart& part, std::size_t first, std::size_t end, Buffer& room)
    : part_(part), first_(first), size_(end - first), room_(room) {
  part.request.naming_dataset([&] {
    const device::Place& place = *part.request.place();
    context_.emplace(place);
    place.driver->must(place.driver->wait_for_stream, place.stream);
  });
}

std::span<const std::byte> DeviceRound::copy() const {
  if (room_.size() < size_) room_ = Buffer(size_);
  const std::span<std::byte> room = room_.span().first(size_);
  const std::size_t element = part_.element_size();
  if (!is_copied_) part_.elements().copy(first_ / element, room, element);
  is_copied_ = true;
  return room;
}

}  // namespace onecast::together
