#include "comm/two_sides.hpp"

#include <algorithm>

#include "comm/agreement.hpp"

namespace onecast::comm {

TwoSides two_sides(CommunicatorBackend& comm, std::uint64_t number,
                   const std::function<std::vector<std::byte>()>& say) {
  const auto reference = broadcast_value(comm, 0, [&] { return number; });
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  std::uint64_t lowest[1] = {number == reference ? ranks : static_cast<std::uint64_t>(comm.rank())};
  comm.all_reduce_min(lowest);
  const auto heard = [&](int rank) {
    return broadcast_from_root(comm, rank, [&] {
      const std::vector<std::byte> said = say();
      Buffer bytes(said.size());
      std::copy(said.begin(), said.end(), bytes.begin());
      return bytes;
    });
  };
  TwoSides sides;
  sides.first = heard(0);
  sides.rank = lowest[0] < ranks ? static_cast<int>(lowest[0]) : 0;
  sides.other = heard(sides.rank);
  return sides;
}

}  // namespace onecast::comm
